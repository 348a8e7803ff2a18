// In a conversation that an assistant handed over, shows the summary card and folds the earlier messages with the
// assistant.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'
import { type HandoverCard, passingQuery } from './data.ts'

const card = lazily(async () => (await import('./handover.tsx')).Handover)

/** This many messages before the card stay visible. */
const IN_SIGHT = 2

/** The card, its place in the message list, and the folded messages. */
export type HandoverInList = {
  /** The message below which the list shows the card. */
  afterId: number
  card: ReactNode
  folded: ReadonlySet<number>
  /** The first of the unfolded messages; null while they are folded, or if there are none. */
  unfoldedId: number | null
}

/** Returns null if the assistant handed nothing over, or if a person has written since. */
export function useHandover(
  contactId: number | null,
  messages: readonly Message[],
  { isSearching, isOwn }: { isSearching: boolean; isOwn: boolean },
): HandoverInList | null {
  const [isOpen, setOpen] = useState(false)
  const newest = messages.at(-1)
  // An assistant always writes before it hands over, so without outgoing messages no fetch is needed.
  const mayBe = messages.some(({ direction }) => direction === 'outgoing')
  const { data } = useQuery({
    ...passingQuery(contactId ?? 0, newest?.id ?? 0),
    enabled: contactId !== null && mayBe,
  })
  const handover = data?.handover
  if (contactId === null || !handover || !mayBe) return null
  const { after, alone } = linesOf(handover, messages)
  if (!after) return null
  const isUnfolded = isOpen || isSearching
  return {
    afterId: after.id,
    folded: new Set(isUnfolded ? [] : alone),
    unfoldedId: isUnfolded ? (alone[0] ?? null) : null,
    card: (
      <Suspense>
        <card.Component
          contactId={contactId}
          handover={handover}
          isOwn={isOwn}
          canGiveBack={data.baton === 'broker'}
          fold={alone.length > 0 ? { isOpen: isUnfolded, onChange: setOpen } : null}
        />
      </Suspense>
    ),
  }
}

/** Finds the message before the card, and the earlier ones to fold except the last few. */
function linesOf({ at, firstId, lastId }: HandoverCard, messages: readonly Message[]) {
  const last = messages.findIndex(({ id }) => id === lastId)
  const end = last >= 0 ? last : messages.findLastIndex(({ sentAtSeconds }) => sentAtSeconds * 1000 <= at)
  // The first messages with the assistant may be on a page that is not loaded; then folding starts at the first loaded
  // one.
  const first = Math.max(
    0,
    messages.findIndex(({ id }) => id === firstId),
  )
  const alone = last < 0 ? [] : messages.slice(first, Math.max(first, last + 1 - IN_SIGHT))
  return { after: messages[end], alone: alone.map(({ id }) => id) }
}
