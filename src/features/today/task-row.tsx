// An action's row: if it is late, with a ring that finishes it; otherwise on today's timeline, at its hour.
import type { ReactNode } from 'react'
import {
  CalendarX,
  Check,
  Circle,
  Clock3,
  ClockAlert,
  type LucideIcon,
  MapPin,
  MessageCircle,
  Phone,
} from 'lucide-react'
import { formatHour, spokenHour } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import type { ActionKind } from '#domain/next-action/next-action.ts'
import { ACTION_LABEL, pastWords } from '#domain/next-action/words.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { type Finished, placeOf } from './finished.ts'
import type { TaskActions } from './today-actions.ts'
import type { Scheduled, Task } from './today-view.ts'
import { RowDeed } from './section.tsx'
import { useSwipeRow } from './use-swipe-row.ts'

const finishOf = (what: string) => `Concluir: ${what}`

/** Within this time a second tap is ignored, because the next row has moved under the finger. */
const SAME_TAP_MS = 400
let lastTapMs = -Infinity

function isSecondTap(timeStamp: number): boolean {
  const isSecond = timeStamp >= lastTapMs && timeStamp - lastTapMs < SAME_TAP_MS
  lastTapMs = timeStamp
  return isSecond
}

const ICONS: Record<ActionKind, LucideIcon> = {
  call: Phone,
  message: MessageCircle,
  visit: MapPin,
  task: Circle,
}

type TaskRowProps = TaskActions & { task: Task; nowMs: number }

/** For example 'Visita · Wesley Nogueira'. */
const titleOf = ({ lead, action }: Task) => `${ACTION_LABEL[action.kind]} · ${leadTitle(lead)}`

export function LateRow({ task, nowMs, ...actions }: TaskRowProps) {
  const { action } = task
  return (
    <Swept task={task} {...actions}>
      <button
        type="button"
        aria-label={finishOf(titleOf(task))}
        onClick={({ timeStamp }) => isSecondTap(timeStamp) || actions.onFinish(task)}
        className="inline-flex size-11 shrink-0 items-center justify-center"
      >
        <span className="task-ring" />
      </button>
      <Words title={titleOf(task)} leadId={task.lead.id} onOpen={actions.onOpen}>
        <span className="line-late flex items-center gap-1.5">
          <Icon of={CalendarX} size={16} />
          {`Era ${pastWords(action.dueAtMs, nowMs)}`}
        </span>
      </Words>
      <CallLink task={task} />
      <RowDeed onPress={() => actions.onChange(task.lead.id)}>Remarcar</RowDeed>
    </Swept>
  )
}

export function DueRow({ task, ...actions }: Omit<TaskRowProps, 'nowMs'>) {
  const { action } = task
  return (
    <Swept task={task} {...actions}>
      <span className="line-hour">{spokenHour(action.dueAtMs)}</span>
      <span aria-hidden className="timeline-dot" data-kind={action.kind} />
      <Icon
        of={ICONS[action.kind]}
        size={18}
        className={action.kind === 'visit' ? 'text-primary' : 'text-text-3'}
      />
      <Words title={titleOf(task)} leadId={task.lead.id} onOpen={actions.onOpen}>
        {action.note}
      </Words>
      <CallLink task={task} />
    </Swept>
  )
}

/** A link that calls the lead at once; only for an action of the kind 'call'. */
function CallLink({ task: { lead, action } }: { task: Task }) {
  const digits = action.kind === 'call' && lead.number && dialledDigits(lead.number)
  return (
    digits && (
      <a
        href={`tel:+${digits}`}
        aria-label={`Ligar para ${leadTitle(lead)}`}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-md text-primary hover:bg-surface-2"
      >
        <Icon of={Phone} />
      </a>
    )
  )
}

type ScheduledRowProps = Pick<TaskActions, 'onOpen'> & { scheduled: Scheduled; nowMs: number }

/**
 * A scheduled message of an earlier day that was not sent. The row opens the conversation, where the broker can send or
 * cancel it.
 */
export function LateTextRow({ scheduled: { lead, text }, nowMs, onOpen }: ScheduledRowProps) {
  return (
    <li className="flex min-h-13 items-center gap-2.5 bg-surface px-3">
      <span className="inline-flex size-11 shrink-0 items-center justify-center text-warning">
        <Icon of={ClockAlert} size={20} />
      </span>
      <Words title={`Mensagem · ${leadTitle(lead)}`} leadId={lead.id} onOpen={onOpen}>
        <span className="line-late">{`Não saiu: era ${pastWords(text.dueAtMs ?? nowMs, nowMs)}`}</span>
      </Words>
      <RowDeed onPress={() => onOpen(lead.id)}>Enviar</RowDeed>
    </li>
  )
}

/**
 * A message that the portal will send at its hour. In the conversation the broker can edit it, send it now or cancel
 * it.
 */
export function ScheduledRow({ scheduled: { lead, text }, nowMs, onOpen }: ScheduledRowProps) {
  const more =
    text.why !== null
      ? 'Não saiu. Abra a conversa para decidir.'
      : (text.text ?? (text.unlessAnswered && 'Só se o lead não responder antes'))
  return (
    <li className="flex min-h-13 items-center gap-2.5 bg-surface px-3">
      <span className="line-hour">{spokenHour(text.dueAtMs ?? nowMs)}</span>
      <span aria-hidden className="timeline-dot" />
      <Icon of={Clock3} size={18} className="text-text-3" />
      <Words title={`Mensagem · ${leadTitle(lead)}`} leadId={lead.id} onOpen={onOpen}>
        {more && <span className={text.why === null ? undefined : 'line-late'}>{more}</span>}
      </Words>
    </li>
  )
}

type DoneRowProps = Pick<TaskActions, 'onOpen'> & { finished: Finished }

/** An action that was finished today. Its row stays on the timeline until midnight. */
export function DoneRow({ finished: { lead, done }, onOpen }: DoneRowProps) {
  const { kind, isMissed, atMs, note } = done
  const what = kind === 'text' ? ACTION_LABEL.message : ACTION_LABEL[kind]
  return (
    <li className="flex min-h-13 items-center gap-2.5 bg-surface px-3">
      <span className="line-hour">{spokenHour(placeOf(done))}</span>
      <span aria-hidden className="timeline-dot" data-kind={isMissed ? 'missed' : 'done'} />
      <Icon of={isMissed ? CalendarX : Check} size={18} className="text-text-3" />
      <Words
        title={<span className="text-text-2">{`${what} · ${leadTitle(lead)}`}</span>}
        leadId={lead.id}
        onOpen={onOpen}
      >
        {endWords(done, formatHour(atMs))}
        {note && ` · ${note}`}
      </Words>
    </li>
  )
}

function endWords({ kind, isMissed }: Finished['done'], hour: string): string {
  if (isMissed) return 'Não veio'
  return kind === 'text' ? `Enviada às ${hour}` : `Concluída às ${hour}`
}

function Swept({ task, onFinish, onPutOff, children }: TaskActions & { task: Task; children: ReactNode }) {
  const { row, bind } = useSwipeRow(
    () => onFinish(task),
    () => onPutOff(task),
  )
  return (
    <li
      {...bind()}
      ref={row}
      data-task={task.action.id ?? task.action.operationId}
      className="swipe-row flex min-h-13 items-center gap-2.5 bg-surface px-3"
    >
      {children}
    </li>
  )
}

type WordsProps = Pick<TaskActions, 'onOpen'> & { title: ReactNode; leadId: number; children: ReactNode }

function Words({ title, leadId, onOpen, children }: WordsProps) {
  return (
    <button
      type="button"
      data-row
      onClick={() => onOpen(leadId)}
      className="flex min-h-13 min-w-0 grow flex-col justify-center py-1 text-left"
    >
      <span className="max-w-full truncate text-16">{title}</span>
      {children && <span className="max-w-full truncate text-13 text-text-2">{children}</span>}
    </button>
  )
}
