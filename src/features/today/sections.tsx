// The sections of a day: waiting leads, late actions, today's timeline, and leads without an action.
import { CalendarCheck2, ChevronRight, ListTodo } from 'lucide-react'
import { useDeferredValue, useMemo, useRef } from 'react'
import type { Board } from '#data/board/rows.ts'
import { formatNumber } from '#domain/count.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { State } from '#ui/feedback/state.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { AllAnswered } from './all-answered.tsx'
import { moveOrAct } from './day-keys.ts'
import { promisesOf } from './after-today.ts'
import { DayLine, keyOf } from './day-line.tsx'
import { DaysAhead } from './days-ahead.tsx'
import type { Finished } from './finished.ts'
import { useNoPromises } from './no-promises.ts'
import { PromisedSection } from './promised.tsx'
import { Section } from './section.tsx'
import { LateRow, LateTextRow } from './task-row.tsx'
import type { TaskActions } from './today-actions.ts'
import { dayLine, pressingCount, type Task, type Today } from './today-view.ts'
import { Waiting } from './waiting.tsx'

/**
 * About as many rows as a phone's screen shows below the waiting leads. The others are rendered after these are
 * painted.
 */
const FIRST_ROWS = 10
/** How many leads without an action are shown at most. */
const MAX_IDLE = 100

type SectionsProps = TaskActions & {
  instanceName: string
  today: Today
  finished: readonly Finished[]
  board: Board
  nowMs: number
  /** True if a card above already asks about this late action; then the list leaves it out. */
  isAsked: (task: Task) => boolean
}

export function Sections({
  instanceName,
  today,
  finished,
  board,
  nowMs,
  isAsked,
  ...actions
}: SectionsProps) {
  const { waiting, due, idle } = today
  const late = today.late.filter((one) => !('action' in one && isAsked(one)))
  const [noPromises, dropPromise] = useNoPromises()
  const promises = useMemo(() => promisesOf(board, nowMs, noPromises), [board, nowMs, noPromises])
  const isEmpty = board.leads.size === 0
  const line = useMemo(() => dayLine(due, finished, nowMs), [due, finished, nowMs])
  const lineCount = due.length + finished.length
  const list = useRef<HTMLDivElement>(null)
  const most = useDeferredValue(Infinity, FIRST_ROWS)
  const shared = { nowMs, ...actions }
  return (
    // The rows inside take the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={list}
      onKeyDown={(event) =>
        moveOrAct(event, {
          list: list.current,
          tasks: [...late, ...due].filter((one) => 'action' in one),
          actions,
        })
      }
      className="flex flex-col gap-4"
    >
      <p className="sr-only">
        Setas andam entre as linhas. Enter abre a conversa; Espaço conclui; A adia uma hora; Delete tira o que
        não era promessa.
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
      <div className="day-sections">
        <div className="day-column">
          {waiting.length > 0 && <Waiting waiting={waiting} {...shared} />}
          {late.length > 0 && (
            <Section title="Atrasadas" count={late.length}>
              {late
                .slice(0, most)
                .map((one) =>
                  'action' in one ? (
                    <LateRow key={keyOf(one)} task={one} {...shared} />
                  ) : (
                    <LateTextRow key={keyOf(one)} scheduled={one} {...shared} />
                  ),
                )}
            </Section>
          )}
          {lineCount > 0 && (
            <Section title="Hoje" count={lineCount} className="timeline">
              <DayLine line={line} most={Math.max(0, most - late.length)} {...shared} />
            </Section>
          )}
        </div>
        <div className="day-column">
          {!isEmpty && most === Infinity && <DaysAhead leads={board.leads} {...shared} />}
          {promises.length > 0 && most === Infinity && (
            <PromisedSection {...{ promises, ...actions }} onDrop={dropPromise} />
          )}
          {idle.length > 0 && (
            <Idle idle={idle} most={most === Infinity ? MAX_IDLE : 0} onChange={actions.onChange} />
          )}
        </div>
      </div>
    </div>
  )
}

type IdleProps = Pick<Today, 'idle'> & Pick<TaskActions, 'onChange'> & { most: number }

function Idle({ idle, most, onChange }: IdleProps) {
  return (
    <details className="overflow-hidden rounded-card bg-surface shadow-card">
      <summary data-row className="day-idle flex cursor-pointer items-center gap-3 px-3.5">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2 text-text-2">
          <Icon of={ListTodo} size={20} />
        </span>
        <span className="min-w-0 grow">
          <span className="block text-16 font-semibold">
            {'Sem próxima ação'} ({formatNumber(idle.length)})
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
