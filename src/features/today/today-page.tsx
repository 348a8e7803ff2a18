// A broker's day from what the device has: who waits, what is late, today's line, and who has nothing to be done.
import './today.css'
import { CalendarCheck2, ChevronRight, ListTodo, Search, UserRoundPlus } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { useBoard } from '#data/board/leads.ts'
import { noteDaySeen } from '#data/day-offer.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { announce } from '#ui/feedback/toast.ts'
import { now, useNow } from '#ui/now.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { AllAnswered } from './all-answered.tsx'
import { DayLine } from './day-line.tsx'
import { type Finished, finishedOf, useDoneHere } from './finished.ts'
import { LateRow } from './task-row.tsx'
import { dayTitle } from './texts.ts'
import type { TaskActions } from './today-actions.ts'
import { dayLine, pressingCount, type Task, type Today, todayOf } from './today-view.ts'
import { WaitingRow } from './waiting-row.tsx'

const passedTarget = (name: string) => `${name} passou da meta de resposta.`

const target = (minutes: number) => `meta ${minutes} min`

const FIRST_WAITING = 3
/** More than a screen of a phone; what lies below comes once these are painted. */
const FIRST_ROWS = 12
const SHAPES = [0, 1, 2]

type TodayPageProps = TaskActions & {
  instanceName: string
  /** Stands over all else. */
  above: ReactNode
  onAdd: () => void
  onSearch: () => void
  /** Around the button that opens the search. */
  searchPlace: RefObject<HTMLDivElement | null>
}

export function TodayPage(props: TodayPageProps) {
  const { instanceName, above, onAdd, onSearch, searchPlace, ...actions } = props
  const { board, pull } = useBoard(instanceName)
  const nowMs = useNow()
  const today = useMemo(() => board && todayOf(board, nowMs), [board, nowMs])
  const here = useDoneHere(instanceName)
  const finished = useMemo(() => (board ? finishedOf(board.leads, here, nowMs) : []), [board, here, nowMs])
  useTargetNotices(today, nowMs, useAnswerTarget())
  useEffect(() => noteDaySeen(now()), [])
  return (
    <div className="mx-auto flex w-full max-w-160 grow flex-col px-4 pt-2.5 pb-[max(16px,var(--safe-bottom))]">
      <div className="-mr-2 flex items-center justify-between pb-2">
        <h1 className="text-26 font-title tracking-heading">{dayTitle(nowMs)}</h1>
        <div className="flex">
          <IconButton icon={UserRoundPlus} label="Adicionar lead" onClick={onAdd} />
          <div ref={searchPlace} className="contents">
            <IconButton icon={Search} label="Buscar contato" onClick={onSearch} />
          </div>
        </div>
      </div>
      {above}
      {today ? (
        <Sections
          isEmpty={board?.leads.size === 0}
          {...{ instanceName, today, finished, nowMs, ...actions }}
        />
      ) : pull.error ? (
        <FailedRead of={pull} />
      ) : (
        <div aria-busy className="flex animate-late flex-col gap-3">
          {SHAPES.map((shape) => (
            <Skeleton key={shape} className="h-18 w-full" />
          ))}
        </div>
      )}
    </div>
  )
}

type SectionsProps = TaskActions & {
  instanceName: string
  today: Today
  finished: readonly Finished[]
  isEmpty: boolean
  nowMs: number
}

function Sections({ instanceName, today, finished, isEmpty, nowMs, ...actions }: SectionsProps) {
  const { waiting, late, due, idle } = today
  const line = useMemo(() => dayLine(due, finished, nowMs), [due, finished, nowMs])
  const lineCount = due.length + finished.length
  const list = useRef<HTMLDivElement>(null)
  const most = useDeferredValue(Infinity, FIRST_ROWS)
  const shared = { nowMs, ...actions }
  return (
    // Its rows take the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={list}
      onKeyDown={(event) =>
        moveOrAct(event, {
          list: list.current,
          tasks: [...late, ...due.filter((one) => 'action' in one)],
          actions,
        })
      }
      className="flex flex-col gap-4"
    >
      <p className="sr-only">
        Setas andam entre as linhas. Enter abre a conversa; Espaço conclui; A adia uma hora.
      </p>
      {isEmpty ? (
        <State
          kind="empty"
          icon={CalendarCheck2}
          title="Seu dia aparece aqui"
          hint="Quem espera resposta, visitas e tarefas, nessa ordem."
        />
      ) : (
        pressingCount(today) === 0 && <AllAnswered instanceName={instanceName} />
      )}
      {waiting.length > 0 && <Waiting waiting={waiting} {...shared} />}
      {late.length > 0 && (
        <Section title="Atrasadas" count={late.length}>
          {late.slice(0, most).map((task) => (
            <LateRow key={keyOf(task)} task={task} {...shared} />
          ))}
        </Section>
      )}
      {lineCount > 0 && (
        <Section title="Hoje" count={lineCount} className="timeline">
          <DayLine line={line} most={most} {...shared} />
        </Section>
      )}
      {idle.length > 0 && <Idle idle={idle} most={Math.min(most, MAX_IDLE)} onChange={actions.onChange} />}
    </div>
  )
}

const keyOf = ({ lead, action }: Task) => `${lead.id} ${action.id ?? action.operationId}`

type SectionProps = {
  title: string
  count: number
  side?: string
  className?: string
  children: ReactNode
}

function Section({ title, count, side, className = '', children }: SectionProps) {
  return (
    <section>
      <div className="flex min-h-9 items-center gap-2 px-1 text-15">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-text-3 tabular-nums">{count}</span>
        {side && <span className="ml-auto text-13 text-text-3">{side}</span>}
      </div>
      <ul
        className={`divide-y divide-border overflow-hidden rounded-card bg-surface py-1 shadow-card ${className}`}
      >
        {children}
      </ul>
    </section>
  )
}

type WaitingProps = Pick<Today, 'waiting'> & Pick<TaskActions, 'onOpen'> & { nowMs: number }

function Waiting({ waiting, nowMs, onOpen }: WaitingProps) {
  const targetMs = useAnswerTarget()
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? waiting : waiting.slice(0, FIRST_WAITING)
  const others = waiting.length - shown.length
  return (
    <Section title="Esperando você" count={waiting.length} side={target(targetMs / 60_000)}>
      {shown.map((lead) => (
        <WaitingRow key={lead.id} {...{ lead, nowMs, targetMs, onOpen }} />
      ))}
      {others > 0 && (
        <li>
          <button
            type="button"
            data-row
            onClick={() => showAll(true)}
            className="flex min-h-13 w-full items-center justify-between px-3.5 text-15 font-medium text-primary"
          >
            {`Ver os outros ${others}`}
            <Icon of={ChevronRight} size={20} />
          </button>
        </li>
      )}
    </Section>
  )
}

type IdleProps = Pick<Today, 'idle'> & Pick<TaskActions, 'onChange'> & { most: number }

function Idle({ idle, most, onChange }: IdleProps) {
  return (
    <details className="overflow-hidden rounded-card bg-surface shadow-card">
      <summary data-row className="flex min-h-18 cursor-pointer list-none items-center gap-3 px-3.5">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2 text-text-2">
          <Icon of={ListTodo} size={20} />
        </span>
        <span className="min-w-0 grow">
          <span className="block text-16 font-semibold">
            {'Sem próxima ação'} ({idle.length.toLocaleString('pt-BR')})
          </span>
          <span className="block text-13 text-text-2">Leads ativos sem nada marcado</span>
        </span>
        <Icon of={ChevronRight} size={20} className="text-text-3" />
      </summary>
      <ul className="divide-y divide-border border-t border-border">
        {idle.slice(0, most).map((lead) => (
          <li key={lead.id}>
            <button
              type="button"
              data-row
              onClick={() => onChange(lead.id)}
              className="flex min-h-13 w-full items-center px-3.5 text-left text-16"
            >
              <span className="truncate">{leadTitle(lead)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** More at once nobody goes through. */
const MAX_IDLE = 100

type Moved = { list: HTMLElement | null; tasks: readonly Task[]; actions: TaskActions }

function moveOrAct(event: KeyboardEvent, { list, tasks, actions }: Moved) {
  const { key, target: from } = event
  if (!list || !(from instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.checkVisibility())
    const at = rows.findIndex((row) => row === from || row.parentElement?.contains(from))
    event.preventDefault()
    rows[at + step]?.focus()
    return
  }
  const name = from.closest('[data-task]')?.getAttribute('data-task')
  const task = tasks.find(({ action }) => String(action.id ?? action.operationId) === name)
  if (!task || !from.matches('[data-row]')) return
  const act = { ' ': actions.onFinish, a: actions.onPutOff }[key.toLowerCase()]
  if (!act) return
  event.preventDefault()
  act(task)
}

/** Whoever passes the target while the day is looked at is told of, once. */
function useTargetNotices(today: Today | undefined, nowMs: number, targetMs: number) {
  const notified = useRef<Set<number> | null>(null)
  useEffect(() => {
    if (!today) return
    const over = today.waiting.filter(
      (lead) => nowMs - (lead.waitingSinceMs ?? nowMs) >= (lead.targetMs ?? targetMs),
    )
    const known = notified.current
    notified.current = new Set([...(known ?? []), ...over.map(({ id }) => id)])
    // Who was late before is seen, not told.
    const newly = known && over.find(({ id }) => !known.has(id))
    if (newly) announce(passedTarget(leadTitle(newly)))
  }, [today, nowMs, targetMs])
}
