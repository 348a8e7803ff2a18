// The demonstration in a real database: complete, consistent with the triggers, seeded once, and fresh at every start.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextOpening, type SendingPolicy } from '#domain/campaign.ts'
import type { Database } from '#server/db/database.ts'
import { freshen } from '#server/demo/freshen.ts'
import { seedDemo } from '#server/demo/seed/seed.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { replayAll } from '#tests/support/rotation.ts'
import {
  countRows,
  DISABLED_TRIGGERS,
  mistimedMessages,
  UNTRUE_CAMPAIGNS,
  UNTRUE_CONTACTS,
} from '#tests/support/truth.ts'

const NOW = new Date('2026-11-20T12:41:00Z')
const NOW_SECONDS = NOW.getTime() / 1000
const HOUR = 3600
const DAY = 24 * HOUR
const CONTACTS = 'public.whatsapp_contacts'

/** A text in the form of a bcrypt hash, different for each password. */
const hashPassword = (password: string) => Promise.resolve(`$2a$10$${password}`)
const seed = (into: Database) => seedDemo(into, { now: NOW, hashPassword })

/** Every row of every seeded table, without generated values. */
async function fingerprints(of: Database): Promise<Record<string, string>> {
  const tables = {
    brokers: `public.brokers - 'updated_at'`,
    accounts: `portal.accounts - 'created_at' - 'first_access_until'`,
    people: 'portal.people',
    identities: 'portal.identities',
    contacts: CONTACTS,
    messages: 'public.whatsapp_messages',
    history: 'portal.stage_history',
    campaigns: 'public.remarketing_campaigns',
    roletas: 'public.roletas',
    seats: 'public.roleta_corretores',
    agents: `public.prompts_agents - 'created_at' - 'updated_at'`,
    memory: 'public.agent_chat_messages',
    changes: `portal.board_changes - 'xid'`,
    cases: 'portal.roleta_cases',
    events: 'portal.roleta_events',
  }
  const found: Record<string, string> = {}
  for (const [name, source] of Object.entries(tables)) {
    const [table = '', ...without] = source.split(' - ')
    const row = without.length === 0 ? 't::text' : `(${['to_jsonb(t)', ...without].join(' - ')})::text`
    const { rows } = await of.query<{ print: string }>(
      `select count(*) || ' ' || sum(hashtextextended(${row}, 0)) as print from ${table} t`,
    )
    found[name] = rows[0]?.print ?? ''
  }
  return found
}

let db: Database
let close: TestDatabase['close']
beforeAll(async () => {
  ;({ db, close } = await openTestDatabase('migrated'))
  await seed(db)
})
afterAll(() => close())

describe('a seeded demo', () => {
  test('leaves the search index of messages complete, and as the schema says', async () => {
    const { rows } = await db.query(
      `select reloptions, gin_clean_pending_list(oid) as pending from pg_class
      where oid = 'public.messages_words'::regclass`,
    )
    expect(rows).toEqual([{ reloptions: ['fastupdate=off'], pending: 0 }])
  })

  test('has one of everything that a screen shows', async () => {
    expect(await countRows(db, 'public.brokers')).toBe(17)
    expect(await countRows(db, CONTACTS)).toBe(2000)
    expect(
      await countRows(
        db,
        `(select distinct empreendimento from ${CONTACTS} where empreendimento is not null) as d`,
      ),
    ).toBe(11)
    expect(await countRows(db, 'public.roletas')).toBe(3)
    expect(await countRows(db, 'public.prompts_agents')).toBe(3)
    expect(await countRows(db, 'public.remarketing_campaigns')).toBeGreaterThan(12)
    expect(
      await countRows(db, `public.remarketing_campaigns where status in ('scheduled', 'running', 'paused')`),
    ).toBe(0)
    expect(await countRows(db, UNTRUE_CAMPAIGNS)).toBe(0)
    expect(await countRows(db, `portal.people where opted_out_at is not null`)).toBeGreaterThan(3)
    expect(await countRows(db, 'public.agent_chat_messages')).toBeGreaterThan(100)
  })

  test('every broker and the administrator have their password, the newcomer has an open first access', async () => {
    const { rows } = await db.query<{
      username: string
      role: string
      password_hash: string | null
      marker: string | null
    }>(
      `select a.username, a.role, a.password_hash, b.password_hash as marker
       from portal.accounts a left join public.brokers b on b.id = a.broker_id order by a.username`,
    )
    const withPassword = rows.filter((row) => row.role === 'broker' && row.username !== 'novato')
    expect(withPassword).toHaveLength(16)
    for (const row of withPassword)
      expect(row).toMatchObject({ password_hash: '$2a$10$demo-corretor', marker: 'definida' })
    expect(rows.find(({ username }) => username === 'novato')).toMatchObject({
      password_hash: null,
      marker: null,
    })
    expect(rows.filter(({ role }) => role === 'admin')).toMatchObject([
      { username: 'admin', password_hash: '$2a$10$demo-admin' },
    ])
    expect(
      await countRows(db, `portal.accounts where username = 'novato' and first_access_until > now()`),
    ).toBe(1)
  })

  test('all contacts match their messages and moves', async () => {
    expect(await countRows(db, UNTRUE_CONTACTS)).toBe(0)
    expect(await countRows(db, `${CONTACTS} where last_message_id is not null`)).toBeGreaterThan(1900)
  })

  test('messages written again through the triggers give the same', async () => {
    await db.transaction(
      async (query) => {
        const carried = `select json_agg(row(last_message_id, unread_count, first_incoming_at, first_response_at) order by id)::text
          as carried from ${CONTACTS} where id % 40 = 0`
        const { rows: before } = await query(carried)
        await query(`create temporary table kept on commit drop as
          select m.* from public.whatsapp_messages m where m.contact_id % 40 = 0`)
        await query(`delete from public.whatsapp_messages where contact_id % 40 = 0`)
        expect((await query(carried)).rows).not.toEqual(before)
        await query(`insert into public.whatsapp_messages (id, contact_id, "instanceName", message_id, body, "timestamp", type,
            read, author, delivery) overriding system value
          select id, contact_id, "instanceName", message_id, body, "timestamp", type, read, author, delivery from kept order by id`)
        expect((await query(carried)).rows).toEqual(before)
      },
      { rollback: true },
    )
  })

  test('no message is before its lead or in the future, and every trigger is enabled again', async () => {
    expect(await countRows(db, mistimedMessages(NOW_SECONDS))).toBe(0)
    expect(await countRows(db, `portal.stage_history where changed_at > to_timestamp(${NOW_SECONDS})`)).toBe(
      0,
    )
    expect(
      await countRows(db, `public.remarketing_campaigns where created_at > to_timestamp(${NOW_SECONDS})`),
    ).toBe(0)
    expect(await countRows(db, DISABLED_TRIGGERS)).toBe(0)
  })

  test('every lead is on its board for clients that read changes', async () => {
    expect(
      await countRows(
        db,
        `${CONTACTS} c join portal.board_changes b on b.contact_id = c.id and b."instanceName" = c."instanceName"`,
      ),
    ).toBe(2000)
  })

  test('seats count the leads that the rotation gave them', async () => {
    const { rows } = await db.query(
      `select s."instanceName", s.leads_recebidos from public.roleta_corretores s
       where s."roletaName" = 'Mirante do Lago' order by s.ordem`,
    )
    expect(rows.map(Object.values)).toEqual([
      ['corretor_camila', 14],
      ['corretor_juliana', 14],
      ['corretor_eduardo', 14],
      ['corretor_marcelo', 14],
      ['corretor_tatiane', 14],
      ['corretor_gustavo', 1],
    ])
  })

  test('every distributed lead has its decision, which can be repeated', async () => {
    const { rows } = await db.query(
      `select (select count(*) from portal.roleta_events where kind = 'given') as given,
        (select sum(leads_recebidos) from public.roleta_corretores) as received,
        (select count(*) from portal.roleta_events e, jsonb_array_elements(e.decision -> 'verdicts') v
         where v ->> 'reason' = 'not-linked') as absences,
        (select count(*) from portal.roleta_cases c join ${CONTACTS} w on w.id = c.contact_id
         where c.holder is distinct from w."instanceName" or c.arrived_at <> w.created_at) as astray`,
    )
    expect(rows).toEqual([
      { given: expect.any(Number) as number, received: rows[0]?.['given'], absences: 0, astray: 0 },
    ])
    expect(rows[0]?.['given']).toBeGreaterThan(150)
    expect((await replayAll(db)).astray).toEqual([])
  })

  test("new rows get ids after the demonstration's", async () => {
    await db.transaction(
      async (query) => {
        for (const [table, columns, values] of [
          [CONTACTS, '"instanceName", number', `'corretor_camila', '5511905559999'`],
          ['public.prompts_agents', 'nome_agente', `'Novo'`],
        ]) {
          const { rows } = await query(
            `with highest as (select max(id) as id from ${table}), added as (
              insert into ${table} (${columns}) values (${values}) returning id)
             select added.id - highest.id as step from added, highest`,
          )
          expect(rows).toEqual([{ step: 1 }])
        }
      },
      { rollback: true },
    )
  })

  test('is the same for the same moment, whether seeded twice or by two portals at once', async () => {
    const other = await openTestDatabase('migrated')
    await Promise.all([seed(other.db), seed(other.db)])
    await seed(other.db)
    expect(await fingerprints(other.db)).toEqual(await fingerprints(db))
    await other.close()
  })
})

test('an interrupted seed leaves nothing', async () => {
  const other = await openTestDatabase('migrated')
  await expect(seed(withoutPower(other.db))).rejects.toThrow('power is gone')
  for (const table of [
    'public.brokers',
    CONTACTS,
    'portal.people',
    'portal.accounts',
    'portal.board_changes',
  ])
    expect(await countRows(other.db, table)).toBe(0)
  expect(await countRows(other.db, `portal.settings where key = 'demo_seeded_at'`)).toBe(0)
  expect(await countRows(other.db, DISABLED_TRIGGERS)).toBe(0)
  await other.close()
})

describe('a restarted demonstration', () => {
  const marina = `${CONTACTS} where name = 'Marina Tavares'`
  const freshest = async () =>
    (await db.query<{ at: number }>(`select max(last_message_timestamp) as at from ${CONTACTS}`)).rows[0]?.at
  const times = async (): Promise<Map<number, number>> => {
    const { rows } = await db.query<{ id: number; at: number }>(
      'select id, "timestamp" as at from public.whatsapp_messages',
    )
    return new Map(rows.map(({ id, at }) => [id, at]))
  }

  test('stays unchanged within minutes', async () => {
    const before = await times()
    await freshen(db, NOW_SECONDS + 4 * 60)
    expect(await times()).toEqual(before)
  })

  test('has fresh cards later the same day, and older messages stay', async () => {
    const before = await times()
    await freshen(db, NOW_SECONDS + 6 * HOUR)
    const after = await times()
    expect(await freshest()).toBe(NOW_SECONDS + 6 * HOUR)
    const shifts = [...before].map(([id, at]) => (after.get(id) ?? 0) - at)
    expect(new Set(shifts)).toEqual(new Set([0, 6 * HOUR + 24]))
    expect(shifts.filter((by) => by > 0).length).toBeGreaterThan(20)
    expect(shifts.filter((by) => by === 0).length).toBeGreaterThan(20_000)
  })

  test("keeps, days later, the hours of the day, the order, a visitor's messages, and contacts' values", async () => {
    const later = NOW_SECONDS + 6 * HOUR
    // A visitor's call of the next hour, a late task, a visit in two days with its reminder.
    await db.query(
      `with set as (
         insert into portal.actions (contact_id, kind, due_at, seen_at)
         select c.id, p.kind, to_timestamp($1::float8 + p.ahead), to_timestamp($1::float8)
         from (select id from ${CONTACTS} where name = 'Marina Tavares') c,
           (values ('call', 3600), ('task', -7200), ('visit', 2 * 86400)) as p (kind, ahead)
         returning id, contact_id, kind)
       insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at, action_id)
       select contact_id, 'Amanhã!', to_timestamp($1::float8 + 86400), false, to_timestamp($1::float8), id
       from set where kind = 'visit'`,
      [later + HOUR],
    )
    await db.query(
      `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type, delivery)
       select id, "instanceName", 'VISITOR', 'Está, sim!', $1, 'outgoing', 'sent' from ${marina}`,
      [later + HOUR],
    )
    // The database's clock differs from the demonstration's.
    await db.query(`alter table ${CONTACTS} disable trigger guard_contact`)
    await db.query(
      `update ${CONTACTS} set updated_at = to_timestamp(least($1, extract(epoch from updated_at)))`,
      [later + HOUR],
    )
    await db.query(`alter table ${CONTACTS} enable trigger guard_contact`)
    const before = await times()
    const { rows: cursor } = await db.query<{ last: number }>(
      `select max(xid) as last from portal.board_changes where "instanceName" = 'corretor_camila'`,
    )

    const now = later + HOUR + 3 * DAY + 5 * HOUR
    await freshen(db, now)

    const after = await times()
    expect(new Set([...before].map(([id, at]) => (after.get(id) ?? 0) - at))).toEqual(
      new Set([3 * DAY, 3 * DAY + 5 * HOUR]),
    )
    expect(await freshest()).toBe(now)
    // By whole days, and what was to come a day more, for five hours are over.
    const { rows: plans } = await db.query<{ kind: string; by: number; carried: boolean }>(
      `select a.kind, extract(epoch from a.due_at)::bigint - $1 as by,
         c.next @> jsonb_build_array(jsonb_build_object('id', a.id, 'due', floor(extract(epoch from a.due_at))::bigint)) as carried
       from portal.actions a join ${CONTACTS} c on c.id = a.contact_id where c.name = 'Marina Tavares'
       union all
       select 'text', extract(epoch from m.due_at)::bigint - $1, c.later -> 0 ->> 'due' = extract(epoch from m.due_at)::bigint::text
       from portal.scheduled_messages m join ${CONTACTS} c on c.id = m.contact_id where c.name = 'Marina Tavares'
       order by 2`,
      [later + HOUR],
    )
    expect(plans).toEqual([
      { kind: 'task', by: 4 * DAY - 2 * HOUR, carried: true },
      { kind: 'call', by: 4 * DAY + HOUR, carried: true },
      { kind: 'text', by: 5 * DAY, carried: true },
      { kind: 'visit', by: 6 * DAY, carried: true },
    ])
    const { rows: waits } = await db.query(
      `select from ${CONTACTS} c where c.waiting_since is not null and not exists (
         select from public.whatsapp_messages m where m.contact_id = c.id and to_timestamp(m."timestamp") = c.waiting_since)
       and c.left_contact_at is distinct from c.waiting_since`,
    )
    expect(waits).toEqual([])
    const { rows: talk } = await db.query<{ body: string }>(
      `select m.body from public.whatsapp_messages m where m.contact_id = (select id from ${marina}) order by m."timestamp"`,
    )
    expect(talk.map(({ body }) => body).at(-1)).toBe('Está, sim!')
    expect(await countRows(db, UNTRUE_CONTACTS)).toBe(0)
    expect(await countRows(db, mistimedMessages(now))).toBe(0)
    expect(await countRows(db, DISABLED_TRIGGERS)).toBe(0)
    const changed = `portal.board_changes where "instanceName" = 'corretor_camila' and xid > ${cursor[0]?.last ?? 0}`
    expect(await countRows(db, changed)).toBe(49)
    const open = `portal.accounts where username = 'novato' and first_access_until = to_timestamp(${now + DAY})`
    expect(await countRows(db, open)).toBe(1)
  })
})

/** A database that fails as soon as the agents' memory is written. */
function withoutPower(whole: Database): Database {
  const cut: Database['transaction'] = (run, options) =>
    whole.transaction(
      (query) =>
        run((sql, values) =>
          sql.includes('agent_chat_messages')
            ? Promise.reject(new Error('power is gone'))
            : query(sql, values),
        ),
      options,
    )
  return { ...whole, transaction: cut }
}

test('a campaign runs at every hour of the week: visitors of the demonstration never wait for a Monday', async () => {
  const { rows } = await db.query<{ zone: string; policy: SendingPolicy }>(
    `select portal.time_zone() as zone, portal.pacing_of('corretor_camila', now()) as policy`,
  )
  const [{ zone, policy } = {}] = rows
  if (!zone || !policy) throw new Error('no settings')
  const hours = Array.from({ length: 7 * 24 }, (_, hour) => (NOW_SECONDS + hour * HOUR) * 1000)
  expect(hours.filter((ms) => nextOpening(policy, ms, zone) !== ms)).toEqual([])
})
