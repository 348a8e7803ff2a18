// Counters and timers in Prometheus' format. No label names a person, an instance or input: routes by
// pattern, states from closed lists.
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import type { Database, Row } from '#server/db/database.ts'
import type { Answered } from '../request-line.ts'

export type Meters = ReturnType<typeof createMeters>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const QUERY_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600]

/**
 * `isRead`: metrics are enabled, so the process itself (memory, event loop, garbage collection) is measured
 * as well.
 */
export function createMeters({ isRead }: { isRead: boolean }) {
  const registry = new Registry()
  const registers = [registry]
  if (isRead) collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'portal_http_request_seconds',
    help: 'Requests answered, by pattern of the route.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const queries = new Histogram({
    name: 'portal_database_seconds',
    help: 'Statements and transactions, the wait for a connection included.',
    labelNames: ['kind'],
    buckets: QUERY_SECONDS,
    registers,
  })
  const deliveries = new Counter({
    name: 'portal_webhook_deliveries_total',
    help: 'Deliveries of the gateway that were taken: stored, ignored or set aside.',
    labelNames: ['outcome'],
    registers,
  })
  const lag = new Histogram({
    name: 'portal_webhook_apply_lag_seconds',
    help: 'From a delivery to what it changed; its count is the deliveries applied.',
    buckets: LAG_SECONDS,
    registers,
  })

  async function time<T>(kind: 'query' | 'transaction', run: () => Promise<T>): Promise<T> {
    const end = queries.startTimer({ kind })
    try {
      return await run()
    } finally {
      end()
    }
  }

  return {
    registry,
    answered: ({ method, route, status, ms }: Answered) =>
      requests.observe({ method: METHODS.includes(method) ? method : 'other', route, status }, ms / 1000),
    delivered: (outcome: 'stored' | 'ignored' | 'set-aside') => deliveries.inc({ outcome }),
    applied: (lagMs: number) => lag.observe(Math.max(0, lagMs) / 1000),
    /** Wraps a database so that every statement is timed. */
    over: (db: Database): Database => ({
      ...db,
      query: <T extends Row>(...asked: Parameters<Database['query']>) =>
        time('query', () => db.query<T>(...asked)),
      transaction: (run, options) => time('transaction', () => db.transaction(run, options)),
      batch: (statements, options) => time('transaction', () => db.batch(statements, options)),
    }),
  }
}
