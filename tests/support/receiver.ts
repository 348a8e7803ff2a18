// A webhook address of another system: the accepted events, compared with those to be sent.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { call } from './portal.ts'

type Taken = { id: string; lead: number; body: string }

/** `decide` is called for each event: 'hang up', or the status to answer. */
export async function startReceiver(decide: () => 'hang up' | number | Promise<'hang up' | number>) {
  const taken: Taken[] = []
  let secret = ''
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { type, data } = JSON.parse(body) as { type: string; data: { leadId: number } }
    if (type === 'portal.test') return void response.writeHead(200).end()
    const decided = await decide()
    if (decided === 'hang up') return void response.destroy()
    if (decided >= 300) return void response.writeHead(decided).end('não')
    const id = String(request.headers['webhook-id'])
    const signed = `${id}.${String(request.headers['webhook-timestamp'])}.${body}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(request.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    taken.push({ id, lead: data.leadId, body })
    response.writeHead(decided).end()
  }

  return {
    /** The events answered with 2xx, in order. */
    taken,
    /** Registers this address in a portal for moved leads; returns its id. */
    join: async (origin: string, token: string): Promise<string> => {
      const { port } = server.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/portal`
      const body = { name: 'ERP', url, events: ['lead.moved'] }
      const added = await call<{ id: string; secret: string }>(`${origin}/api/webhooks`, { token, body })
      expect(added.status).toBe(201)
      secret = added.body.secret
      expect((await call(`${origin}/api/webhooks/${added.body.id}/test`, { token, body: {} })).status).toBe(
        200,
      )
      return added.body.id
    },
    close: () => server.close(),
  }
}

/**
 * Checks that no event is lost, each lead's are in order, and repeats are identical; returns how many were to be sent,
 * and how many were repeated.
 */
export async function expectAllTaken(db: Pick<Database, 'query'>, taken: readonly Taken[]) {
  const { rows } = await db.query<{ id: string }>(
    'select e.message_id as id from portal.event_out e order by e.id',
  )
  const came = new Set(taken.map(({ id }) => id))
  const place = new Map(rows.map(({ id }, index) => [id, index]))
  const last = new Map<number, number>()
  const outOfOrder = taken.filter(({ id, lead }) => {
    const before = last.get(lead) ?? -1
    const at = place.get(id) ?? -1
    last.set(lead, at)
    // A repeat does not break the order.
    return at < before
  })
  expect(rows.filter(({ id }) => !came.has(id))).toEqual([])
  expect([...came].filter((id) => !place.has(id))).toEqual([])
  expect(outOfOrder).toEqual([])
  expect(new Set(taken.map(({ id, body }) => `${id} ${body}`)).size).toBe(came.size)
  return { total: rows.length, repeats: taken.length - came.size }
}
