// A contact's values derived from messages are right in any order and way of writing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
const ana = await makeBroker(base.db)

const CARRIED = `last_message_id, last_message_body, last_message_timestamp, last_message_type, last_message_kind,
  last_message_delivery, last_message_author, unread_count, extract(epoch from first_incoming_at)::int8 as first_incoming,
  extract(epoch from first_response_at)::int8 as first_response`

async function carriedBy(contactId: number) {
  const { rows } = await base.db.query(`select ${CARRIED} from public.whatsapp_contacts where id = $1`, [
    contactId,
  ])
  return rows[0]
}

type Line = {
  id: number
  body: string
  timestamp: number
  type: 'incoming' | 'outgoing'
  kind: string
  author: string
  delivery: string | null
  read: boolean
}

/** The columns that triggers keep up to date, computed here from all messages. */
async function reckonedOf(contactId: number) {
  const { rows } = await base.db.query<Line>(
    'select id, body, "timestamp", type, kind, author, delivery, read from public.whatsapp_messages where contact_id = $1',
    [contactId],
  )
  const lines = rows.toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  const last = lines.at(-1)
  const incoming = lines.filter((line) => line.type === 'incoming')
  const [first] = incoming
  const answer = lines
    .slice(first ? lines.indexOf(first) + 1 : lines.length)
    .find((line) => line.type === 'outgoing' && line.author === 'human' && line.delivery !== 'failed')
  return {
    last_message_id: last?.id ?? null,
    last_message_body: last?.body ?? null,
    last_message_timestamp: last?.timestamp ?? null,
    last_message_type: last?.type ?? null,
    last_message_kind: last?.kind ?? null,
    last_message_delivery: last?.delivery ?? null,
    last_message_author: last?.type === 'outgoing' && last.author === 'agent' ? 'agent' : null,
    unread_count: incoming.filter((line) => !line.read).length,
    first_incoming: first?.timestamp ?? null,
    first_response: answer?.timestamp ?? null,
  }
}

test('a late message does not replace the newest one', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const newest = await makeMessage(base.db, lead.id, { timestamp: 2_000, body: 'segunda' })
  await makeMessage(base.db, lead.id, { timestamp: 1_000, body: 'primeira' })
  expect(await carriedBy(lead.id)).toMatchObject({
    last_message_id: newest.id,
    last_message_body: 'segunda',
    unread_count: 2,
    first_incoming: 1_000,
  })
})

test('a message before the first one in the same second answers nothing', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, lead.id, { timestamp: 3_000, type: 'outgoing' })
  await makeMessage(base.db, lead.id, { timestamp: 3_000 })
  expect(await carriedBy(lead.id)).toMatchObject({ first_incoming: 3_000, first_response: null })
  await makeMessage(base.db, lead.id, { timestamp: 3_000, type: 'outgoing' })
  expect(await carriedBy(lead.id)).toMatchObject({ first_incoming: 3_000, first_response: 3_000 })
})

test('a message of a waiting lead reads no more rows in a long conversation than in a short one', async () => {
  const readAtOneMore = async (lines: number) => {
    const { id } = await makeContact(base.db, ana.instanceName)
    for (let line = 0; line < lines; line += 1)
      await makeMessage(base.db, id, { timestamp: 1_000 + line, read: true })
    return base.db.transaction(async (query) => {
      const readSoFar = async () => {
        const { rows } = await query<{ rows: number }>(
          `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
          where relid = 'public.whatsapp_messages'::regclass`,
        )
        return rows[0]?.rows ?? 0
      }
      const before = await readSoFar()
      await query(
        `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type, read)
        values ($1, $2, $3, 'Ainda aí?', 9000, 'incoming', true)`,
        [id, ana.instanceName, `asked-${id}`],
      )
      return (await readSoFar()) - before
    })
  }
  const short = await readAtOneMore(3)
  expect(short).toBeGreaterThan(0)
  expect(await readAtOneMore(300)).toBe(short)
})

test('of two messages in one second the one written later is the newest', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, lead.id, { timestamp: 1_000 })
  const second = await makeMessage(base.db, lead.id, { timestamp: 1_000 })
  expect(await carriedBy(lead.id)).toMatchObject({ last_message_id: second.id })
})

test("the first response is a person's, not failed, and not before the first incoming message", async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const outgoing = { type: 'outgoing' }
  await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 500 })
  await makeMessage(base.db, lead.id, { timestamp: 1_000 })
  await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 1_100, author: 'campaign' })
  await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 1_200, author: 'agent' })
  await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 1_300, delivery: 'failed' })
  expect(await carriedBy(lead.id)).toMatchObject({ first_incoming: 1_000, first_response: null })
  const answer = await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 1_400, delivery: 'queued' })
  await makeMessage(base.db, lead.id, { ...outgoing, timestamp: 1_500 })
  expect(await carriedBy(lead.id)).toMatchObject({ first_response: 1_400 })
  await base.db.query(`update public.whatsapp_messages set delivery = 'failed' where id = $1`, [answer.id])
  expect(await carriedBy(lead.id)).toMatchObject({ first_response: 1_500 })
})

test('a repeated delivery is one message', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const line = `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, "timestamp", type)
    values ($1, $2, 'same', 1000, 'incoming') on conflict do nothing`
  await base.db.query(line, [lead.id, ana.instanceName])
  const before = await carriedBy(lead.id)
  await base.db.query(line, [lead.id, ana.instanceName])
  expect(before).toMatchObject({ unread_count: 1 })
  expect(await carriedBy(lead.id)).toEqual(before)
})

test('an ack of an older message leaves the contact unchanged', async () => {
  const lead = await makeContact(base.db, ana.instanceName)
  const older = await makeMessage(base.db, lead.id, { type: 'outgoing', timestamp: 1_000 })
  await makeMessage(base.db, lead.id, { type: 'outgoing', timestamp: 2_000 })
  const version = async () =>
    (await base.db.query('select xmin::text from public.whatsapp_contacts where id = $1', [lead.id])).rows[0]
  const before = await version()
  await base.db.query(`update public.whatsapp_messages set delivery = 'read' where id = $1`, [older.id])
  expect(await version()).toEqual(before)
})

test('messages moved to another contact count there, also many at once', async () => {
  const [stored, gone] = await Promise.all([
    makeContact(base.db, ana.instanceName),
    makeContact(base.db, ana.instanceName),
  ])
  await makeMessage(base.db, stored.id, { timestamp: 5_000, body: 'fica' })
  await base.db.query(
    `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, "timestamp", type)
     select $1, 'x', 'bulk' || n, n, 'incoming' from generate_series(1, 1000) n`,
    [gone.id],
  )
  expect(await carriedBy(gone.id)).toEqual(await reckonedOf(gone.id))
  await base.db.query('update public.whatsapp_messages set contact_id = $1 where contact_id = $2', [
    stored.id,
    gone.id,
  ])
  expect(await carriedBy(stored.id)).toMatchObject({
    last_message_body: 'fica',
    unread_count: 1_001,
    first_incoming: 1,
  })
  expect(await carriedBy(gone.id)).toMatchObject({
    last_message_id: null,
    unread_count: 0,
    first_incoming: null,
  })
  await base.db.query('delete from public.whatsapp_messages where contact_id = $1', [stored.id])
  expect(await carriedBy(stored.id)).toMatchObject({ last_message_id: null, unread_count: 0 })
})

const line = fc.record({
  timestamp: fc.integer({ min: 1, max: 12 }),
  author: fc.constantFrom('human', 'campaign', 'agent'),
  delivery: fc.constantFrom(null, 'sent', 'read', 'failed'),
  read: fc.boolean(),
})
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), lines: fc.array(line, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    do: fc.constant('move-time' as const),
    nth: fc.nat(9),
    timestamp: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ do: fc.constant('read' as const), side: fc.nat(1) }),
  fc.record({ do: fc.constant('ack' as const), nth: fc.nat(9), delivery: fc.constantFrom('read', 'failed') }),
  fc.record({ do: fc.constant('join' as const), nth: fc.nat(9), side: fc.nat(1) }),
  fc.record({ do: fc.constant('remove' as const), nth: fc.nat(9) }),
)

test('any sequence of writes, corrections, reads, merges and deletions gives the direct count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const leads = [
        await makeContact(base.db, ana.instanceName),
        await makeContact(base.db, ana.instanceName),
      ]
      const ids = leads.map((lead) => lead.id)
      const nth = `(select id from public.whatsapp_messages where contact_id in (${ids.join(',')}) order by id limit 1 offset $1)`
      for (const action of steps) {
        if (action.do === 'write') {
          await base.db.query(
            `insert into public.whatsapp_messages (contact_id, body, "timestamp", type, author, delivery, read)
             select case when n % 3 = 0 then $2::int8 else $1::int8 end, 'linha ' || n, l."timestamp",
               case when l.delivery is null then 'incoming' else 'outgoing' end, l.author, l.delivery, l.read
             from rows from (jsonb_to_recordset($3::jsonb) as ("timestamp" int8, author text, delivery text, read bool))
               with ordinality as l ("timestamp", author, delivery, read, n)`,
            [ids[0] ?? 0, ids[1] ?? 0, JSON.stringify(action.lines)],
          )
        } else if (action.do === 'move-time') {
          await base.db.query(`update public.whatsapp_messages set "timestamp" = $2 where id = ${nth}`, [
            action.nth,
            action.timestamp,
          ])
        } else if (action.do === 'read') {
          await base.db.query('update public.whatsapp_messages set read = true where contact_id = $1', [
            ids[action.side] ?? 0,
          ])
        } else if (action.do === 'ack') {
          await base.db.query(
            `update public.whatsapp_messages set delivery = $2 where type = 'outgoing' and id = ${nth}`,
            [action.nth, action.delivery],
          )
        } else if (action.do === 'join') {
          await base.db.query(`update public.whatsapp_messages set contact_id = $2 where id = ${nth}`, [
            action.nth,
            ids[action.side] ?? 0,
          ])
        } else {
          await base.db.query(`delete from public.whatsapp_messages where id = ${nth}`, [action.nth])
        }
        for (const id of ids) expect(await carriedBy(id)).toEqual(await reckonedOf(id))
      }
    }),
    { numRuns: byTier(12, 40), seed: 20_261_121 },
  )
})
