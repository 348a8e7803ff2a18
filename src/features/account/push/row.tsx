// The account sheet's row for pushes, with their state on this device.
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import type { Role } from '#domain/session.ts'
import { keepPushes, type PushState, usePush } from '#live/push.ts'
import { lazily } from '#ui/lazily.ts'
import { DialogRow } from '../dialog-row.tsx'
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
  // The user may have changed the system's settings meanwhile, so the push registration is checked.
  useEffect(() => void keepPushes(), [])
  return (
    <DialogRow icon={Bell} label={PUSHES} note={PUSH_STATE[push]} open={dialog.open}>
      {(shown) => <dialog.Component role={role} {...shown} />}
    </DialogRow>
  )
}
