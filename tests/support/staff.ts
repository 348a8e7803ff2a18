// The base of tests that call the database only: two brokers and an administrator, signed in.
import { openTestDatabase } from './database.ts'
import { makeAdmin, makeBroker, signIn } from './make.ts'

export async function openStaff() {
  const base = await openTestDatabase('migrated')
  const { db } = base
  const ana = await makeBroker(db)
  const bia = await makeBroker(db)
  return {
    base,
    ana,
    bia,
    asAna: await signIn(db, ana),
    asBia: await signIn(db, bia),
    asAdmin: await signIn(db, await makeAdmin(db)),
    close: () => base.close(),
  }
}
