// A conversation that the assistant handed over: its card at that moment, and what assistant and lead wrote before, folded away.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'
import { type HandoverCard, passingQuery } from './data.ts'

const card = lazily(async () => (await import('./handover.tsx')).Handover)

/** So many of its last lines stay in sight. */
const IN_SIGHT = 2

/** In a list of lines: the card after one of them, and which are folded away. */
export type HandoverInList = {
  /** The line that the card follows. */
  afterId: number
  card: ReactNode
  folded: ReadonlySet<number>
  /** Where what was folded begins; null: folded, or nothing to fold. */
  unfoldedId: number | null
}

/** Null: nothing was handed over, or a person has written since. */
export function useHandover(
  contactId: number | null,
  messages: readonly Message[],
  { isSearching, isOwn }: { isSearching: boolean; isOwn: boolean },
): HandoverInList | null {
  const [isOpen, setOpen] = useState(false)
  const newest = messages.at(-1)
  // An assistant speaks before it hands over: without a line of ours there is nothing to ask for.
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

/** The line the card follows, and of what was written before it all but the last lines. */
function linesOf({ at, firstId, lastId }: HandoverCard, messages: readonly Message[]) {
  const last = messages.findIndex(({ id }) => id === lastId)
  const end = last >= 0 ? last : messages.findLastIndex(({ sentAtSeconds }) => sentAtSeconds * 1000 <= at)
  // Of a long one the beginning is on a page that is not here yet.
  const first = Math.max(
    0,
    messages.findIndex(({ id }) => id === firstId),
  )
  const alone = last < 0 ? [] : messages.slice(first, Math.max(first, last + 1 - IN_SIGHT))
  return { after: messages[end], alone: alone.map(({ id }) => id) }
}
