// Announces leads that pass the answer target while 'Hoje' is open.
import { useEffect, useRef } from 'react'
import type { CountedOf } from '#data/broker-day.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { standingOf } from '#domain/next-action/counted.ts'
import { announce } from '#ui/feedback/toast.ts'
import type { Today } from './today-view.ts'

const passedTarget = (name: string) => `${name} passou da meta de resposta.`

/** Tells screen readers once about each lead that passes the target. */
type Times = { nowMs: number; targetMs: number; counted: CountedOf }

export function useTargetNotices(today: Today | undefined, { nowMs, targetMs, counted }: Times) {
  const notified = useRef<Set<number> | null>(null)
  useEffect(() => {
    if (!today) return
    const over = today.waiting.filter(
      (lead) => standingOf(lead, { nowMs, targetMs, counted: counted.get(lead.id) }).isOver,
    )
    const known = notified.current
    notified.current = new Set([...(known ?? []), ...over.map(({ id }) => id)])
    // Leads that were late at the start are on the screen already, so they are not announced.
    const newly = known && over.find(({ id }) => !known.has(id))
    if (newly) announce(passedTarget(leadTitle(newly)))
  }, [today, nowMs, targetMs, counted])
}
