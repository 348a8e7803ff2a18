// The way to a person's pushes in the account sheet: how they stand on this device.
import { type PushState } from '#live/push.ts'
import { Bell, ChevronRight } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { Role } from '#domain/session.ts'
import { keepPushes, usePush } from '#live/push.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { lazily } from '#ui/lazily.ts'
import { PUSHES } from '../texts.ts'

const PUSH_STATE = {
  unknown: '',
  unsupported: 'Indisponíveis',
  elsewhere: 'Só no app instalado',
  off: 'Desligados',
  denied: 'Bloqueados',
  on: 'Ligados',
} satisfies Record<PushState, string>

const dialog = lazily(async () => (await import('./dialog.tsx')).PushDialog)

export function PushRow({ role }: { role: Role }) {
  const push = usePush()
  const [isOpen, setOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back to the row.
  const [hasOpened, setOpened] = useState(false)
  if (isOpen && !hasOpened) setOpened(true)
  // What the system's own settings changed meanwhile.
  useEffect(() => void keepPushes(), [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => dialog.open(() => setOpen(true))}
        className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
      >
        <Icon of={Bell} />
        <span className="grow">{PUSHES}</span>
        <span className="text-14 text-text-2">{PUSH_STATE[push]}</span>
        <Icon of={ChevronRight} size={18} className="text-text-3" />
      </button>
      <Suspense>
        {hasOpened && <dialog.Component role={role} isOpen={isOpen} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
