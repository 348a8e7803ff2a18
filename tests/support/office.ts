// What a suite of routes stands on: a database of its own, the whole portal over it, two brokers and an administrator signed in.
import { openTestDatabase } from './database.ts'
import { openWhatsapp, type LineOptions } from './whatsapp.ts'
import { makeAdmin, makeBroker, type MadeBroker } from './make.ts'

/** Brokers are made by `make`. */
export async function openOffice({
  make = makeBroker,
  ...options
}: LineOptions & { make?: typeof makeBroker } = {}) {
  const base = await openTestDatabase('migrated')
  const { db } = base
  const [ana, bia] = [await make(db), await make(db)]
  const chief = await makeAdmin(db, 'chefe')
  const line = await openWhatsapp(db, options)
  await Promise.all([ana, bia, chief].map(({ username }) => line.setPassword(username)))
  const enter = ({ username }: MadeBroker) => line.enter(`${username}@corretor.local`)
  const [asAna, asBia, asAdmin] = await Promise.all([
    enter(ana),
    enter(bia),
    line.enter(`${chief.username}@admin.local`),
  ])
  return {
    db,
    line,
    ana,
    bia,
    chief,
    asAna,
    asBia,
    asAdmin,
    close: async () => {
      await line.close()
      await base.close()
    },
  }
}
