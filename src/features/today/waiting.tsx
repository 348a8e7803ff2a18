// Lists the leads that wait for an answer, the newest first. Those of earlier days are folded once their target has
// passed.
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useAnswerTarget } from '#data/answer-target.ts'
import { useCounted } from '#data/broker-day.ts'
import { calendarDay, MINUTE_MS } from '#domain/format.ts'
import { standingOf } from '#domain/next-action/counted.ts'
import { zonedMs } from '#domain/zone.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { Section } from './section.tsx'
import type { TaskActions } from './today-actions.ts'
import { firstWaiting, type Today } from './today-view.ts'
import { WaitingRow } from './waiting-row.tsx'

const target = (minutes: number) => `meta ${minutes} min`

/** A wait shorter than this does not count as old, even if it began before midnight. */
const RECENT_MS = 6 * 60 * MINUTE_MS

type WaitingProps = Pick<Today, 'waiting'> & Pick<TaskActions, 'onOpen'> & { nowMs: number }

export function Waiting({ waiting, nowMs, onOpen }: WaitingProps) {
  const targetMs = useAnswerTarget()
  const counted = useCounted()
  const [areAllShown, showAll] = useState(false)
  const oldMs = Math.min(zonedMs(calendarDay(nowMs), 0), nowMs - RECENT_MS)
  // A lead that wrote after hours last night may still be within the target, so it does not count as old.
  const { shown, others, areOld } = firstWaiting(
    waiting,
    (lead) =>
      (lead.waitingSinceMs ?? nowMs) < oldMs &&
      standingOf(lead, { nowMs, targetMs, counted: counted.get(lead.id) }).isOver,
  )
  return (
    <Section title="Esperando você" count={waiting.length} side={target(targetMs / 60_000)}>
      {(areAllShown ? waiting : shown).map((lead) => (
        <WaitingRow key={lead.id} {...{ lead, nowMs, targetMs, onOpen }} counted={counted.get(lead.id)} />
      ))}
      {others > 0 && !areAllShown && (
        <li>
          <button
            type="button"
            data-row
            onClick={() => showAll(true)}
            className="flex min-h-13 w-full items-center justify-between px-3.5 text-15 font-medium text-primary"
          >
            {areOld ? `Ver ${others} de dias anteriores` : `Ver os outros ${others}`}
            <Icon of={ChevronRight} size={20} />
          </button>
        </li>
      )}
    </Section>
  )
}
