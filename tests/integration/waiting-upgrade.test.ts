// A database of before leads could wait: who waits already is shown as waiting, and nobody is alarmed.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, type MadeBroker } from '#tests/support/make.ts'

const DIRECTORY = path.resolve(import.meta.dirname, '../../supabase/migrations')
/** The first that knows who waits. */
const FIRST = '20261123173000'

let base: TestDatabase
let before: string
let ana: MadeBroker
beforeAll(async () => {
  base = await openTestDatabase('empty')
  before = await mkdtemp(path.join(tmpdir(), 'portal-before-waiting-'))
  for (const file of await readdir(DIRECTORY))
    if (file.slice(0, 14) < FIRST) await cp(path.join(DIRECTORY, file), path.join(before, file))
  await migrate(base.db, before)
  ana = await makeBroker(base.db)
})
afterAll(async () => {
  await base.close()
  await rm(before, { recursive: true, force: true })
})

const count = async (sql: string) =>
  (await base.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`)).rows[0]?.n

test('old waiting leads wait since they wrote or came; no push, no event of theirs, every board is read anew', async () => {
  const asked = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, asked.id, { timestamp: 1_000, type: 'outgoing' })
  await makeMessage(base.db, asked.id, { timestamp: 2_000 })
  await makeMessage(base.db, asked.id, { timestamp: 3_000 })
  await makeMessage(base.db, asked.id, { timestamp: 4_000, type: 'outgoing', delivery: 'failed' })
  const answered = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, answered.id, { timestamp: 1_000 })
  await makeMessage(base.db, answered.id, { timestamp: 2_000, type: 'outgoing' })
  const came = await makeContact(base.db, ana.instanceName)
  await base.db.query(
    `insert into portal.lead_intakes (contact_id, source, received_at) values ($1, 'form', to_timestamp(5000))`,
    [came.id],
  )
  const byHand = await makeContact(base.db, ana.instanceName)
  await base.db.query('delete from portal.push_queue')
  const { rows: epochs } = await base.db.query<{ epoch: string }>('select epoch from portal.board_sequences')
  const changes = await count('portal.board_changes')

  await migrate(base.db, DIRECTORY)

  const { rows } = await base.db.query<{ id: number; since: number | null }>(
    'select id, extract(epoch from waiting_since)::int as since from whatsapp_contacts order by id',
  )
  expect(rows).toEqual([
    { id: asked.id, since: 2_000 },
    { id: answered.id, since: null },
    { id: came.id, since: 5_000 },
    { id: byHand.id, since: null },
  ])
  expect(await count('portal.push_queue')).toBe(0)
  expect(await count('portal.board_changes')).toBe(changes)
  const { rows: later } = await base.db.query<{ epoch: string }>('select epoch from portal.board_sequences')
  expect(later[0]?.epoch).not.toBe(epochs[0]?.epoch)
})
