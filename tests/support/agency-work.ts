// Endless work at two portals, and the proof that all of it was stored once.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Agency } from './agency.ts'
import { BROKER } from './board.ts'
import { upsert } from './deliveries.ts'
import { call } from './portal.ts'

type Work = { reports: string[]; moves: string[]; texts: string[] }

/**
 * Sends reports, moves and texts at either portal without end, and repeats each at the other portal until it is
 * answered, like a load balancer and patient senders.
 */
export function beginWork(agency: Pick<Agency, 'portals' | 'leads' | 'webhook'>, token: string) {
  const done: Work = { reports: [], moves: [], texts: [] }
  const run = randomUUID().slice(0, 8)
  const over = new AbortController()
  let turn = 0
  let longestMs = 0

  async function insist(path: string, body: object) {
    const beganAtMs = performance.now()
    while (!over.signal.aborted) {
      const place = turn++ % 2 === 0 ? 'straight' : 'pooled'
      const answer = await call(agency.portals[place].origin + path, { token, body }).catch(() => null)
      longestMs = Math.max(longestMs, performance.now() - beganAtMs)
      if (answer?.status === 200) return true
      if (answer && answer.status < 500) throw new Error(`${path} answered ${answer.status}`)
      await systemClock.sleep(20)
    }
    return false
  }
  async function on(step: (n: number) => Promise<void>) {
    for (let n = 0; !over.signal.aborted; n++) await step(n)
  }
  const report = async (n: number) => {
    const id = `${run}-${n}`
    if (await insist(agency.webhook, upsert({ id }))) done.reports.push(id)
  }
  const move = async (n: number) => {
    const operation = randomUUID()
    const moved = await insist('/rest/v1/rpc/atualizar_status_lead', {
      p_contact_id: 1 + (n % agency.leads),
      p_broker_name: BROKER.instance,
      p_novo_status: n % 2 === 0 ? 'conversa' : 'negociacao',
      p_operation_id: operation,
    })
    if (moved) done.moves.push(operation)
  }
  const write = async (n: number) => {
    const operationId = randomUUID()
    const text = `Linha ${run} ${n}`
    if (await insist('/api/messages/text', { operationId, text, contactId: 1 + (n % agency.leads) }))
      done.texts.push(text)
  }
  const loops = Promise.all([on(report), on(move), on(write)])
  return {
    /** Whether a few more of each were answered since the call. */
    isFurther: async () => {
      const before = Object.values(done).map(({ length }) => length)
      await Promise.race([
        loops,
        until(() =>
          Promise.resolve(Object.values(done).every(({ length }, kind) => length > (before[kind] ?? 0) + 2)),
        ),
      ])
    },
    /** The longest time until a write was acknowledged, since it was last asked. */
    takeLongestMs: () => {
      const taken = Math.round(longestMs)
      longestMs = 0
      return taken
    },
    end: async (): Promise<Work> => {
      over.abort()
      await loops
      return done
    },
  }
}

export async function expectWhole(
  { db, delivered }: Pick<Agency, 'db' | 'delivered'>,
  { reports, moves, texts }: Work,
) {
  await until(async () => (await db.query('select from portal.webhook_inbox limit 1')).rowCount === 0)
  await until(async () => (await db.query('select from portal.outgoing limit 1')).rowCount === 0)
  const once = async (sql: string, ids: string[]) => {
    const { rows } = await db.query<{ id: string; times: number }>(sql, [ids])
    expect(rows.filter(({ times }) => times !== 1)).toEqual([])
    expect(rows).toHaveLength(ids.length)
  }
  await once(
    'select message_id as id, count(*) as times from public.whatsapp_messages where message_id = any($1) group by 1',
    reports,
  )
  await once(
    'select operation_id as id, count(*) as times from portal.applied_operations where operation_id = any($1::uuid[]) group by 1',
    moves,
  )
  await once(
    'select body as id, count(*) as times from public.whatsapp_messages where body = any($1) group by 1',
    texts,
  )
  const sent = await delivered()
  expect(new Set(sent).size).toBe(sent.length)
  const { rows: missing } = await db.query<{ body: string }>(
    `select body from public.whatsapp_messages where body = any($1) and delivery not in ('unknown', 'failed')`,
    [texts],
  )
  expect(missing.filter(({ body }) => !sent.includes(body))).toEqual([])
}

export async function until(fits: () => Promise<boolean>) {
  while (!(await fits())) await systemClock.sleep(100)
}
