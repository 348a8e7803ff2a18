// The base of tests that call the database only: two brokers and an administrator, signed in. It closes by itself.
import { openBase } from './database.ts'
import { makeAdmin, makeBroker, signIn } from './make.ts'

export async function openStaff() {
  const base = await openBase()
  const { db } = base
  const ana = await makeBroker(db)
  const bia = await makeBroker(db)
  const chief = await makeAdmin(db)
  return {
    base,
    ana,
    bia,
    chief,
    asAna: await signIn(db, ana),
    asBia: await signIn(db, bia),
    asAdmin: await signIn(db, chief),
  }
}
