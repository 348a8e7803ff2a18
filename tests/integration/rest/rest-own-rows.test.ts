// A broker's reads of own rows use an index, although the row rule says 'or an administrator'; visibility is unchanged.
import { expect, test } from 'vitest'
import type { Database, Statement } from '#server/db/database.ts'
import { becomeUser, type Claims } from '#server/db/as-user.ts'
import { OF_OWN_INSTANCE } from '#server/rest/wire.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, signIn, signInAdmin } from '#tests/support/make.ts'
import { openWireOf } from '#tests/support/rest-wire.ts'

const STAGE =
  '/whatsapp_contacts?select=id&status=eq.new&order=last_message_timestamp.desc.nullslast,id.desc&limit=12'

const base = await openBase()
const brokers = await Promise.all([makeBroker(base.db), makeBroker(base.db)])
const made = await Promise.all(
  brokers.map(({ instanceName }) =>
    Promise.all(Array.from({ length: 3 }, () => makeContact(base.db, instanceName))),
  ),
)
const nobodys = await makeContact(base.db, null)
const ids = made.map((leads) => leads.map(({ id }) => id))
const own = ids[0] ?? []
const all = [...ids.flat(), nobodys.id]
const [broker] = brokers
if (!broker) throw new Error('nobody')
const asBroker = { ...(await signIn(base.db, broker)), app_metadata: { portal_role: 'broker' } }
const asAdmin = {
  ...(await signInAdmin(base.db)),
  app_metadata: { portal_role: 'admin' },
}

const MESSAGES = '/whatsapp_messages?select=id&order=timestamp.desc,id.desc&limit=30'

async function planOf({ statement }: { statement: Statement | undefined }) {
  if (!statement) throw new Error('nothing was asked')
  return base.db.transaction(async (query) => {
    await query('set local enable_seqscan = off')
    await becomeUser(query, asBroker)
    const { rows } = await query<{ 'QUERY PLAN': string }>(`explain ${statement.sql}`, statement.values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

async function read(claims: Claims, path: string) {
  const asked: Statement[] = []
  const db: Database = {
    ...base.db,
    batch: (statements, options) => {
      asked.push(...statements)
      return base.db.batch(statements, options)
    },
  }
  const wire = openWireOf(db, claims)
  const answer = await wire.request(path)
  const rows = (await answer.json()) as { id: number }[]
  return { ids: rows.map(({ id }) => id).toSorted((a, b) => a - b), statement: asked.at(-1) }
}

const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b)

test('everybody sees the same rows as by the row rule alone', async () => {
  expect((await read(asBroker, STAGE)).ids).toEqual(sorted(own))
  expect((await read(asAdmin, STAGE)).ids).toEqual(sorted(all))
  // A token with more or fewer rights than its session changes nothing.
  expect((await read({ ...asBroker, app_metadata: { portal_role: 'admin' } }, STAGE)).ids).toEqual(
    sorted(own),
  )
  expect((await read({ ...asBroker, app_metadata: undefined }, STAGE)).ids).toEqual(sorted(own))
})

test('cards of a stage are read from the index, in its order', async () => {
  const plan = await planOf(await read(asBroker, STAGE))
  expect(plan).toMatch(/Index (Only )?Scan using contacts_board/)
  expect(plan).toMatch(/Index Cond: \(\("instanceName" = .*status = /)
  expect(plan).not.toContain('Sort')
})

test('a page of leads by id reads only the own ones', async () => {
  const asked = await read(asBroker, '/whatsapp_contacts?select=id,name&order=id&limit=20')
  expect(asked.ids).toEqual(sorted(own))
  const plan = await planOf(asked)
  // With a subquery, whose result the planner does not know, it would read all leads in id order.
  expect(plan).toMatch(/Index (Only )?Scan using contacts_broker_id/)
  expect(plan).toContain('Index Cond: ("instanceName" = portal.my_instance())')
  expect(plan).not.toContain('Sort')
})

test("the newest messages are found through the own leads, and equal the row rule's", async () => {
  const [first = 0, second = 0] = own
  const others = all.filter((id) => !own.includes(id))
  const messages = new Map<number, number>()
  for (const lead of [first, second, ...others]) {
    const { rows } = await base.db.query<{ id: number }>(
      `insert into public.whatsapp_messages (contact_id, body, "timestamp", type) values ($1, 'Oi', 1, 'incoming') returning id`,
      [lead],
    )
    messages.set(lead, rows[0]?.id ?? 0)
  }
  const mine = sorted([first, second].map((lead) => messages.get(lead) ?? 0))
  const asked = await read(asBroker, MESSAGES)
  expect(asked.ids).toEqual(mine)
  expect((await read({ ...asBroker, app_metadata: undefined }, MESSAGES)).ids).toEqual(mine)
  expect((await read(asAdmin, MESSAGES)).ids).toEqual(sorted([...messages.values()]))
  const plan = await planOf(asked)
  expect(plan).toMatch(/using contacts_\w+ on whatsapp_contacts own/)
  expect(plan).toMatch(/Index Cond: \(contact_id = own.id\)/)
  // For a named lead no condition is added to the row rule.
  const conversation = await read(asBroker, `${MESSAGES}&contact_id=eq.${first}`)
  expect(conversation.ids).toEqual([messages.get(first)])
  expect(conversation.statement?.sql).not.toContain('own.id')
})

test('each listed table has exactly that row rule', async () => {
  const { rows } = await base.db.query<{ name: string; qual: string }>(
    `select distinct schemaname || '.' || tablename as name, qual from pg_policies
     where cmd = 'SELECT' and schemaname || '.' || tablename = any($1::text[]) order by 1`,
    [OF_OWN_INSTANCE],
  )
  // What a gerente sees besides is no broker's who leads nobody; for the others no condition is added.
  const own =
    '( SELECT portal.is_admin() AS is_admin) OR ("instanceName" = ( SELECT portal.my_instance() AS my_instance))'
  const led: Record<string, string> = {
    'public.roleta_corretores': '("roletaName" IN ( SELECT r.empreendimento FROM roletas r))',
    'public.whatsapp_contacts':
      '("instanceName" = ANY (( SELECT portal.led_instances() AS led_instances)::text[]))',
  }
  expect(rows.map(({ name, qual }) => ({ name, qual: qual.replaceAll(/\s+/g, ' ') }))).toEqual(
    OF_OWN_INSTANCE.toSorted().map((name) => ({ name, qual: `(${own} OR ${led[name] ?? ''})` })),
  )
})
