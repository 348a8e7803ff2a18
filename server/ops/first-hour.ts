// GET /api/first-hour: a new agency's progress towards its first answered lead, for administrators.
import { Hono } from 'hono'
import { onBehalf } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import type { BackupState } from '#server/http/health.ts'

export type FirstHourOptions = {
  db: Database
  publicUrl: string | undefined
  /** Undefined with a Postgres server, because its owner makes the backups. */
  backup: (() => Promise<BackupState>) | undefined
  gateway: { source: string; url: string | null; kind: string | null; health: () => string }
  /** The gateways' addresses, from the environment or the settings, and the address where they find this portal. */
  reports: { from: readonly string[]; to: () => string }
  memberOf: (request: Request) => Promise<Member>
}

export function createFirstHour(options: FirstHourOptions): Hono<Signed<Member>> {
  const { db, publicUrl, backup, gateway, reports, memberOf } = options
  const routes = new Hono<Signed<Member>>()
  routes.get('/', signedInAdmin(memberOf), async (context) => {
    const { rows } = await onBehalf(db, context.var.claims, (query) =>
      query<{ answer: Record<string, unknown> }>('select portal.first_hour() as answer'),
    )
    return context.json({
      ...rows[0]?.answer,
      address: publicUrl ?? null,
      backup: backup ? await backup() : null,
      gateway: { ...gateway, health: gateway.health() },
      webhook: {
        url: reports.to(),
        isElsewhere: reports.from.some((from) => isElsewhere(from, reports.to())),
      },
    })
  })
  return routes
}

const isHere = (url: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

/** The gateway has a network address, but would report to an address of its own machine. */
const isElsewhere = (from: string, to: string) => !isHere(from) && isHere(to)
