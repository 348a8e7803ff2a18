// The bulk generator (tests/support/bulk.ts) makes consistent rows, the same for the same seed.
import { expect, test } from 'vitest'
import { seedLeads } from '#tests/support/bulk.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { countRows, DISABLED_TRIGGERS, mistimedMessages, UNTRUE_CONTACTS } from '#tests/support/truth.ts'

const CONTACTS = 'public.whatsapp_contacts'

test("bulk leads are as consistent as the demonstration's, and the same for the same seed", async () => {
  const { db, close } = await openTestDatabase('migrated')
  await db.query(`insert into public.brokers ("instanceName") values ('corretor_um'), ('corretor_dois')`)
  await seedLeads(db, { instanceName: 'corretor_um', count: 600, seed: 1 })
  await seedLeads(db, { instanceName: 'corretor_dois', count: 400, seed: 2 })
  expect(await countRows(db, `${CONTACTS} where "instanceName" = 'corretor_um'`)).toBe(600)
  expect(await countRows(db, 'portal.people')).toBe(1000)
  expect(await countRows(db, UNTRUE_CONTACTS)).toBe(0)
  expect(await countRows(db, `portal.board_changes`)).toBe(1000)
  expect(await countRows(db, mistimedMessages(Math.ceil(Date.now() / 1000)))).toBe(0)
  expect(await countRows(db, DISABLED_TRIGGERS)).toBe(0)
  const digest = async () =>
    (
      await db.query(
        `select md5(string_agg(number || name || status || unread_count, '' order by id)) from ${CONTACTS}`,
      )
    ).rows
  const first = await digest()
  await db.query(`delete from ${CONTACTS}`)
  await db.query(`delete from portal.people`)
  await seedLeads(db, { instanceName: 'corretor_um', count: 600, seed: 1 })
  await seedLeads(db, { instanceName: 'corretor_dois', count: 400, seed: 2 })
  expect(await digest()).toEqual(first)
  await close()
})
