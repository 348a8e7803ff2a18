// One row of help above the box: the assistant's draft, else the next step, else quick replies.
import { use, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { slashQuery } from '#domain/message/quick-reply.ts'
import { useNow } from '#ui/now.ts'
import { NextStepSlot } from '../next-step-slot.ts'
import { QuickReplies } from '../quick-replies/quick-replies.tsx'
import { SuggestionPlace } from '../suggestion/suggestion-place.tsx'

type HelperRowProps = {
  lead: Lead
  messages: readonly Message[]
  text: string
  /** Nothing is being recorded, attached or replied to. */
  isFree: boolean
  isShown: boolean
  /** Puts a text into the box; `edits`: the user wants to edit it. */
  onWrite: (text: string, edits: boolean) => void
}

export function HelperRow({ lead, messages, text, isFree, isShown, onWrite }: HelperRowProps) {
  const [hasDraft, setDraft] = useState(false)
  const [hasStep, setStep] = useState(false)
  const offer = use(NextStepSlot)
  const nowMs = useNow()
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
      {offer?.({
        lead,
        isOffered: isFree && text === '' && !hasDraft && wasJustSent(messages.at(-1), nowMs),
        onShown: setStep,
      })}
      <QuickReplies text={text} isShown={isShown && !hasDraft && !hasStep} onPick={pick} />
    </>
  )
}

/** The next step is offered for this long after our last message. */
const IN_MIND_SECONDS = 900

const wasJustSent = (newest: Message | undefined, nowMs: number) =>
  newest?.direction === 'outgoing' && nowMs / 1000 - newest.sentAtSeconds < IN_MIND_SECONDS

/** A reply replaces an empty box, or the slash search that found it. */
const withReply = (reply: string, text: string) =>
  text === '' || slashQuery(text) !== null ? reply : `${text.trimEnd()}\n${reply}`
