// Where the card of a hand-over stands: under the lines, for as long as the newest is not a person's of ours.
import { Suspense } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'

const card = lazily(async () => (await import('./handover.tsx')).Handover)

export function HandoverPlace({ contactId, messages }: { contactId: number; messages: readonly Message[] }) {
  const isOnline = useIsOnline()
  const newest = messages.at(-1)
  // An assistant speaks before it hands over: without a line of ours there is nothing to ask for.
  const mayBe = newest !== undefined && messages.some(({ direction }) => direction === 'outgoing')
  if (!isOnline || !mayBe) return null
  return (
    <Suspense>
      <card.Component contactId={contactId} lastId={newest.id} />
    </Suspense>
  )
}
