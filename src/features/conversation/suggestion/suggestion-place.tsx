// Shows the assistant's draft some time after the lead's message, unless the broker is typing.
import { Suspense } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import type { Message } from '#domain/message/message.ts'
import { lazily } from '#ui/lazily.ts'
import { useSettled } from '#ui/forms/use-settled.ts'

const draft = lazily(async () => (await import('./suggestion.tsx')).Suggestion)

const REST_MS = 2_000

type SuggestionPlaceProps = {
  contactId: number
  messages: readonly Message[]
  /** True if the broker has typed and attached nothing. */
  isFree: boolean
  onPick: (text: string, edits: boolean) => void
  onShown: (isShown: boolean) => void
}

export function SuggestionPlace({ messages, isFree, ...rest }: SuggestionPlaceProps) {
  const isOnline = useIsOnline()
  const newest = messages.at(-1)
  const asked =
    isFree && newest?.direction === 'incoming' && newest.content.kind !== 'deleted' ? newest.id : null
  const rested = useSettled(asked, REST_MS)
  if (!isOnline || rested === null || rested !== asked) return null
  return (
    <Suspense>
      <draft.Component key={rested} messageId={rested} {...rest} />
    </Suspense>
  )
}
