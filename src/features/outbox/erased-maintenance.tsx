// Deletes outbox entries of leads that were erased under LGPD art. 18. It runs at the start, when an entry needs a
// decision, and when the device is online again.
import { countOf } from '#domain/count.ts'
import { useEffect } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { forgetErased, watchErased } from '#data/board/erased-leads.ts'
import { useWaiting } from '#data/pending.ts'
import { needsDecision } from '#domain/outbox/command.ts'
import { toast } from '#ui/feedback/toast.ts'

const erasedAway = (leads: number) =>
  `Os dados de ${countOf(leads, 'lead', 'leads')} foram excluídos. O que esperava para ser enviado saiu deste aparelho.`

export function ErasedLeadsCleanup() {
  const isOnline = useIsOnline()
  // The server may have refused an entry because its lead was erased.
  const undecided = useWaiting()
    .filter(needsDecision)
    .map(({ seq }) => seq)
    .join()
  useEffect(() => watchErased(showErased), [])
  return isOnline && <Asking key={undecided} />
}

/** A toast with a button stays long enough to be read. */
const showErased = (count: number) =>
  toast(erasedAway(count), 'info', { action: { label: 'Entendi', run: () => undefined } })

/** Removes erased leads from the device once per mount; a new key mounts it again. */
function Asking() {
  useEffect(() => void forgetErased(), [])
  return null
}
