// What helps with writing, one row over the box at a time: the assistant's draft before quick replies.
import { useState } from 'react'
import type { Lead } from '#domain/lead.ts'
import type { Message } from '#domain/message.ts'
import { fillName } from '#domain/placeholder.ts'
import { slashQuery } from '#domain/quick-reply.ts'
import { QuickReplies } from '../quick-replies/quick-replies.tsx'
import { SuggestionPlace } from '../suggestion/suggestion-place.tsx'

type HelperRowProps = {
  lead: Lead
  messages: readonly Message[]
  text: string
  /** Nothing is recorded, attached or answered to. */
  isFree: boolean
  isShown: boolean
  /** What is to stand in the box; `edits`: to be written on. */
  onWrite: (text: string, edits: boolean) => void
}

export function HelperRow({ lead, messages, text, isFree, isShown, onWrite }: HelperRowProps) {
  const [hasDraft, setDraft] = useState(false)
  const pick = (body: string) => onWrite(withReply(fillName(body, lead.name), text), true)
  return (
    <>
      <SuggestionPlace
        contactId={lead.id}
        messages={messages}
        isFree={isFree && text === '' && !lead.isOptedOut}
        onPick={onWrite}
        onShown={setDraft}
      />
      <QuickReplies text={text} isShown={isShown && !hasDraft} onPick={pick} />
    </>
  )
}

/** It takes the place of nothing, and of what it was looked for by. */
const withReply = (reply: string, text: string) =>
  text === '' || slashQuery(text) !== null ? reply : `${text.trimEnd()}\n${reply}`
