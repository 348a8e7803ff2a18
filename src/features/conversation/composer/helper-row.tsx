// Shows the chosen quick reply's file above the message box, and one row of help. The row is the assistant's draft,
// else the plan, else the next step, else quick replies.
import { Suspense, use, useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { type QuickReply, slashQuery } from '#domain/message/quick-reply.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { NextStepSlot } from '../ground/next-step-slot.ts'
import { PlanPlace } from '../plan/plan-place.tsx'
import { QuickReplies } from '../quick-replies/quick-replies.tsx'
import { SuggestionPlace } from '../suggestion/suggestion-place.tsx'
import type { ChosenFile } from './use-reply-file.ts'

const fileBar = lazily(async () => (await import('./reply-file-bar.tsx')).ReplyFileBar)

type HelperRowProps = {
  lead: Lead
  messages: readonly Message[]
  text: string
  /** True if the broker is not recording, has attached nothing and replies to no message. */
  isFree: boolean
  isShown: boolean
  /** Puts a text into the box. `edits` is true if the broker wants to edit it before sending. */
  onWrite: (text: string, edits: boolean) => void
  chosen: ChosenFile
}

export function HelperRow({ lead, messages, text, isFree, isShown, onWrite, chosen }: HelperRowProps) {
  const [hasDraft, setDraft] = useState(false)
  const [hasPlan, setPlan] = useState(false)
  const [hasStep, setStep] = useState(false)
  const offer = use(NextStepSlot)
  const nowMs = useNow()
  const pick = ({ body, file }: QuickReply) => {
    onWrite(withReply(fillName(body, lead.name), text), true)
    if (file) chosen.choose(file)
  }
  return (
    // The tiles of attachments take its place on phones.
    <div className="composer-help">
      <Suspense>
        {chosen.file && <fileBar.Component file={chosen.file} onDrop={() => chosen.choose(null)} />}
      </Suspense>
      <SuggestionPlace
        contactId={lead.id}
        messages={messages}
        isFree={isFree && text === '' && !lead.isOptedOut}
        onPick={onWrite}
        onShown={setDraft}
      />
      <PlanPlace {...{ lead, messages }} isFree={isFree && text === '' && !hasDraft} onShown={setPlan} />
      {offer?.({
        lead,
        isOffered: isFree && text === '' && !hasDraft && !hasPlan && wasJustSent(messages.at(-1), nowMs),
        onShown: setStep,
      })}
      <QuickReplies text={text} isShown={isShown && !hasDraft && !hasPlan && !hasStep} onPick={pick} />
    </div>
  )
}

/** The row offers a next step for 15 minutes after the broker's last message. */
const IN_MIND_SECONDS = 900

const wasJustSent = (newest: Message | undefined, nowMs: number) =>
  newest?.direction === 'outgoing' && nowMs / 1000 - newest.sentAtSeconds < IN_MIND_SECONDS

/** A quick reply replaces an empty box or the slash search that found it; other text stays in front. */
const withReply = (reply: string, text: string) =>
  text === '' || slashQuery(text) !== null ? reply : `${text.trimEnd()}\n${reply}`
