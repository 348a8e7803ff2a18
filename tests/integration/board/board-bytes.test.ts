// The transferred bytes of a board of 5,000 leads: the whole, then an hour's changes.
import { afterAll, expect, test } from 'vitest'
import { seedLeads } from '#tests/support/bulk.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { byTier, isDeepRun } from '#tests/support/runner/tier.ts'

const LEADS = 5_000
/** Leads with a next action. */
const PLANNED = byTier(500, 2_000)
/** A busy hour of a broker: new leads, messages on other leads, and moves. */
const HOUR = { newLeads: 15, talks: 100, moves: 30 }

const { db, portal, ana, close } = await openOffice()
afterAll(close)
await seedLeads(db, { instanceName: ana.instanceName, count: LEADS, seed: 1 })

type Board = { cursor: string; reset: boolean; leads: { id: number }[] }

async function enter(): Promise<string> {
  const answer = await portal.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${ana.username}@corretor.local`, password: 'chave-da-casa' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The board, and the bytes of its compressed body. */
async function pull(token: string, cursor: string | null): Promise<{ board: Board; bytes: number }> {
  const ask = (encoding: string) =>
    portal.request('/rest/v1/rpc/sync_board', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'accept-encoding': encoding,
      },
      body: JSON.stringify({ p_instance: ana.instanceName, p_cursor: cursor }),
    })
  const compressed = await ask('br')
  expect(compressed.headers.get('content-encoding')).toBe('br')
  const bytes = (await compressed.arrayBuffer()).byteLength
  return { bytes, board: (await (await ask('identity')).json()) as Board }
}

test.runIf(isDeepRun)('an hour later a board of 5,000 leads is refreshed for less than 20 kB', async () => {
  const token = await enter()
  const whole = await pull(token, null)
  expect(whole.board.leads).toHaveLength(LEADS)
  expect(whole.bytes).toBeLessThan(250_000)

  const ids = whole.board.leads.map(({ id }) => id)
  for (let at = 0; at < HOUR.talks; at++)
    await makeMessage(db, ids[at * 7] ?? 0, { body: `Consigo visitar no sábado, às ${at} horas?` })
  for (let at = 0; at < HOUR.newLeads; at++) await makeContact(db, ana.instanceName)
  const moved = ids.filter((_, at) => at % 7 === 3).slice(0, HOUR.moves)
  await db.query(`update public.whatsapp_contacts set status = 'negociacao' where id = any ($1::bigint[])`, [
    `{${moved.join()}}`,
  ])

  const refresh = await pull(token, whole.board.cursor)
  expect(refresh.board.reset).toBe(false)
  const changed = refresh.board.leads.length
  expect(changed).toBeGreaterThanOrEqual(HOUR.talks + HOUR.newLeads)
  expect(changed).toBeLessThanOrEqual(HOUR.talks + HOUR.newLeads + HOUR.moves)
  expect(refresh.bytes).toBeLessThan(20_000)
})

test('an open action adds at most 45 B', async () => {
  const token = await enter()
  const bare = await pull(token, null)
  const ids = bare.board.leads.map(({ id }) => id)
  // Most are set by one tap, some with a note.
  await db.query(
    `insert into portal.actions (contact_id, kind, due_at, note, seen_at)
    select c, (array['call', 'message', 'visit', 'task'])[1 + at % 4], timestamptz '2026-11-24 12:00Z' + interval '1 hour' * (at % 90),
      case when at % 5 = 0 then 'Quer ver a planta com varanda ' || at else '' end, now()
    from unnest($1::bigint[]) with ordinality as t (c, at)`,
    [`{${ids.slice(0, PLANNED).join()}}`],
  )
  const planned = await pull(token, null)
  expect((planned.bytes - bare.bytes) / PLANNED).toBeLessThan(45)
  expect(planned.bytes).toBeLessThan(250_000)
})
