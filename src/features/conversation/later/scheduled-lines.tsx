// Texts that wait for their time, under the conversation: what they say, when they go or why they did not, and what can be done.
import { Clock3 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { scheduleText, unscheduleText, useScheduled, type Worded } from '#data/scheduled.ts'
import { type Lead, leadTitle } from '#domain/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { useNow } from '#ui/now.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import {
  CANCEL,
  CANCEL_FAILED,
  CANCELLED,
  CHANGE,
  DISCARD,
  SCHEDULE_FAILED,
  SCHEDULED,
  SEND_ANYWAY,
  SEND_NOW,
  statusWords,
  WORDLESS,
} from './texts.ts'

const sheet = lazily(async () => (await import('./later-sheet.tsx')).LaterSheet)

/** Nothing can be done about these but to let them go. */
const FINAL = new Set(['opted-out', 'no-number', 'no-owner'])

export function ScheduledLines({ lead }: { lead: Lead }) {
  const texts = useScheduled(lead)
  const nowMs = useNow()
  const [changed, setChanged] = useState<Worded | null>(null)
  const [isOpen, setOpen] = useState(false)
  if (texts.length === 0 && !changed) return null
  const change = (text: Worded) =>
    sheet.open(() => {
      setChanged(text)
      setOpen(true)
    })
  return (
    <>
      <ul
        aria-label={SCHEDULED}
        className="flex max-h-[45%] shrink-0 flex-col gap-2 overflow-y-auto px-3.5 pb-2.5 short:hidden"
      >
        {texts.map((text) => (
          <Line
            key={text.operationId?.slice(0, 8) ?? text.id}
            text={text}
            lead={lead}
            nowMs={nowMs}
            onChange={change}
          />
        ))}
      </ul>
      <Suspense>
        {changed && (
          <sheet.Component
            lead={lead}
            isOpen={isOpen}
            text={changed.text ?? ''}
            before={changed}
            onClose={() => setOpen(false)}
            onDone={() => setChanged(null)}
          />
        )}
      </Suspense>
    </>
  )
}

type LineProps = { text: Worded; lead: Lead; nowMs: number; onChange: (text: Worded) => void }

function Line({ text, lead, nowMs, onChange }: LineProps) {
  const { why, text: words } = text
  const isAnswered = why === 'answered'
  const isOver = why !== null && FINAL.has(why)
  const send = () => {
    if (words === null) return
    scheduleText(lead, { text: words, dueAtMs: null, unlessAnswered: false }, text).catch(() =>
      toast(SCHEDULE_FAILED, 'error'),
    )
  }
  const cancel = () => {
    unscheduleText(lead, text).then(
      () => toast(CANCELLED, 'success'),
      () => toast(CANCEL_FAILED, 'error'),
    )
  }
  return (
    <li className="ml-auto w-[81%] rounded-card rounded-br-sm border-2 border-border-strong px-3 pt-2 text-15 leading-message">
      <p className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">
        {words ?? <span className="text-text-3">{WORDLESS}</span>}
      </p>
      <p className="flex items-start gap-1.5 pt-1.5 text-14 font-medium text-text-2">
        <Icon of={Clock3} size={18} className="mt-px shrink-0" />
        {statusWords(text, leadTitle(lead).split(' ')[0] ?? '', nowMs)}
      </p>
      <div className="-mx-2 flex flex-wrap">
        {!isOver && text.dueAtMs !== null && (
          <Act isMain isDisabled={words === null} onPress={send}>
            {isAnswered ? SEND_ANYWAY : SEND_NOW}
          </Act>
        )}
        {!isOver && !isAnswered && text.dueAtMs !== null && (
          <Act isMain isDisabled={words === null} onPress={() => onChange(text)}>
            {CHANGE}
          </Act>
        )}
        <span className="grow" />
        <Act onPress={cancel}>{isAnswered || isOver ? DISCARD : CANCEL}</Act>
      </div>
    </li>
  )
}

type ActProps = { isMain?: boolean; isDisabled?: boolean; onPress: () => void; children: string }

function Act({ isMain = false, isDisabled = false, onPress, children }: ActProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPress}
      className={`min-h-11 rounded-md px-2 text-14 font-semibold disabled:opacity-50 ${isMain ? 'text-primary' : 'text-text-2'}`}
    >
      {children}
    </button>
  )
}
