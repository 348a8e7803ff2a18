// Plans of next tries: those that begin by themselves, and a push to the broker before each step that a person takes.
import { randomUUID } from 'node:crypto'
import type { SendingHours } from '#domain/campaign.ts'
import { isSentByItself } from '#domain/plan/plan.ts'
import { proposeTries, type TemplateStep } from '#domain/plan/propose.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'

const REMIND_EVERY_MS = 5_000
/** How often plans begin. A minute is enough, because a silence is counted in days. */
const START_EVERY_MS = 60_000
/** How many plans begin in one round at most; the next round begins the others. */
const MOST_STARTS = 50

type PlansParts = { db: Database; clock: Clock; log: Log }

/** `start` begins the rounds; the function that it returns stops them. */
export function createPlans({ db, clock, log }: PlansParts) {
  const reminders = createWorker({
    name: 'plans',
    clock,
    everyMs: REMIND_EVERY_MS,
    poll: async () => {
      const { rows } = await db.query<{ count: number }>('select portal.remind_tries($1) as count', [
        instant(clock.now()),
      ])
      const remindedCount = rows[0]?.count ?? 0
      if (remindedCount > 0) log.info('plans.reminded', { count: remindedCount })
      return false
    },
    onFailed: (error) => log.warn('plans.remind-failed', errorFields(error)),
  })
  const starts = createWorker({
    name: 'plan-starts',
    clock,
    everyMs: START_EVERY_MS,
    poll: async () => {
      const startedCount = await startPlans(db, clock.now())
      if (startedCount > 0) log.info('plans.started', { count: startedCount })
      return false
    },
    onFailed: (error) => log.warn('plans.start-failed', errorFields(error)),
  })
  return {
    start: () => {
      const stops = [reminders.start(), starts.start()]
      return async () => {
        await Promise.all(stops.map(async (stop) => stop()))
      }
    },
  }
}

type SilentLead = {
  leadId: number
  name: string | null
  startedBy: 'source' | 'agent'
  agentId: number | null
  steps: TemplateStep[]
}

/** Begins the plans of leads that fell silent, by the rules of sources and agents; returns how many. */
export async function startPlans(db: Database, nowMs: number): Promise<number> {
  const { rows: silent } = await db.query<SilentLead>(
    `select lead_id as "leadId", name, started_by as "startedBy", agent_id as "agentId", steps
     from portal.silent_leads($1, $2)`,
    [instant(nowMs), MOST_STARTS],
  )
  if (silent.length === 0) return 0
  const { rows } = await db.query<SendingHours>(
    `select opens_at as "opensAt", closes_at as "closesAt", sends_on_sundays as "sendsOnSundays" from public.campaign_settings`,
  )
  const [hours] = rows
  if (!hours) return 0
  let begun = 0
  for (const { leadId, name, startedBy, agentId, steps } of silent) {
    const templates = { own: null, shared: [{ development: null, steps }] }
    const tries = proposeTries(
      { name, development: null },
      { templates, hours, nowMs, newId: randomUUID },
    ).filter((one) => startedBy === 'source' || isSentByItself(one))
    const { rows: made } = await db.query<{ isBegun: boolean }>(
      'select portal.begin_plan($1, $2, $3, $4, $5) as "isBegun"',
      [leadId, startedBy, agentId, JSON.stringify(tries.map(toStep)), instant(nowMs)],
    )
    if (made[0]?.isBegun) begun++
  }
  return begun
}

const toStep = ({ dueAtMs, ...one }: ReturnType<typeof proposeTries>[number]) => ({
  ...one,
  dueAt: instant(dueAtMs),
})
