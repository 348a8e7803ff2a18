// The account sheet's row for the broker's rotations: it tells whether they are paused. Hidden if the broker is in
// none.
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { offersQuery, ownSharesQuery } from './data.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { useDeviceNow } from '#ui/now.ts'
import { OwnRotationsDialog } from './own-rotations-dialog.tsx'
import { isPausedAt, ROTATION } from './texts.ts'

export function RotationRow() {
  const { data: shares } = useQuery(ownSharesQuery())
  const { data: offers } = useQuery(offersQuery())
  const nowMs = useDeviceNow()
  const [isOpen, setOpen] = useState(false)
  if (!shares || shares.length === 0 || !offers) return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-14 w-full items-center gap-3.5 rounded-lg px-4 text-left text-16 transition-colors hover:bg-surface-2"
      >
        <Icon of={RefreshCw} />
        <span className="grow">{ROTATION}</span>
        <span className="text-14 text-text-2">
          {isPausedAt(offers.pausedUntilMs, nowMs) ? 'Em pausa' : 'Recebendo'}
        </span>
        <Icon of={ChevronRight} size={18} className="text-text-3" />
      </button>
      <OwnRotationsDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        shares={shares}
        pausedUntilMs={offers.pausedUntilMs}
      />
    </>
  )
}
