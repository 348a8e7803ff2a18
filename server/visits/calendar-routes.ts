// GET /api/calendar/:secret.ics: a broker's visits and next actions, for calendar subscriptions.
import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { ICalCalendar, ICalCalendarMethod } from 'ical-generator'
import type { Database } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import { ACTION_LABEL } from '#domain/next-action/words.ts'
import type { ActionKind } from '#domain/next-action/next-action.ts'
import { VISIT_MINUTES } from '#domain/next-action/words.ts'

/** An entry of portal.calendar_of's answer. */
type Entry = {
  id: number
  kind: ActionKind
  at: number
  place: string | null
  firstName: string | null
  sequence: number
  changedAt: number
}

const TASK_MINUTES = 15
/** Allowed refresh interval; calendars refresh hourly at most by themselves. */
const REFRESH_SECONDS = 900

export function createCalendarRoutes({ db, address }: { db: Database; address: () => string }): Hono {
  const routes = new Hono()
  routes.get('/:file{[0-9a-f]{64}\\.ics}', async (context) => {
    const secret = context.req.param('file').slice(0, -'.ics'.length)
    const hash = createHash('sha256').update(secret).digest('hex')
    const { rows } = await db.query<{ entries: Entry[] | null }>(
      `select portal.calendar_of(decode($1, 'hex')) as entries`,
      [hash],
    )
    const entries = rows[0]?.entries
    if (!entries) return notFound(context)
    return context.body(toCalendar(entries, address()), 200, {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
    })
  })
  return routes
}

/** First name, kind and place only, never a number. */
export function toCalendar(entries: readonly Entry[], address: string): string {
  const { host } = new URL(address)
  const calendar = new ICalCalendar({
    name: 'Agenda do corretor',
    prodId: { company: 'Portal do Corretor', product: 'Agenda', language: 'PT' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const { id, kind, at, place, firstName, sequence, changedAt } of entries) {
    const minutes = kind === 'visit' ? VISIT_MINUTES : TASK_MINUTES
    calendar.createEvent({
      id: `acao-${id}@${host}`,
      sequence,
      start: new Date(at * 1000),
      end: new Date((at + minutes * 60) * 1000),
      stamp: new Date(changedAt * 1000),
      summary: [ACTION_LABEL[kind], firstName].filter(Boolean).join(' · '),
      ...(place && { location: place }),
    })
  }
  return calendar.toString()
}
