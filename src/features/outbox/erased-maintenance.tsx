// Lets go of what waits for leads that were erased: at the start, when something must be decided, when the signal is back. LGPD art. 18.
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
  // What the server refused may be about someone who is gone.
  const undecided = useWaiting()
    .filter(needsDecision)
    .map(({ seq }) => seq)
    .join()
  useEffect(() => watchErased(showErased), [])
  return isOnline && <Asking key={undecided} />
}

/** Neither a success nor a fault, and long enough to be read. */
const showErased = (count: number) =>
  toast(erasedAway(count), 'info', { action: { label: 'Entendi', run: () => undefined } })

/** Anew with each change of what it is keyed by. */
function Asking() {
  useEffect(() => void forgetErased(), [])
  return null
}
