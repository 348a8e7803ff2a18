// The base of route tests: a database, the whole portal over it, two brokers and an administrator, signed in.
import { openTestDatabase } from './database.ts'
import { openWhatsapp, type PortalOptions } from './whatsapp.ts'
import { makeAdmin, makeBroker, type MadeBroker } from './make.ts'

/** `make` creates the brokers. */
export async function openOffice({
  make = makeBroker,
  ...options
}: PortalOptions & { make?: typeof makeBroker } = {}) {
  const base = await openTestDatabase('migrated')
  const { db } = base
  const [ana, bia] = [await make(db), await make(db)]
  const chief = await makeAdmin(db, 'chefe')
  const portal = await openWhatsapp(db, options)
  await Promise.all([ana, bia, chief].map(({ username }) => portal.setPassword(username)))
  const enter = ({ username }: MadeBroker) => portal.enter(`${username}@corretor.local`)
  const [asAna, asBia, asAdmin] = await Promise.all([
    enter(ana),
    enter(bia),
    portal.enter(`${chief.username}@admin.local`),
  ])
  return {
    db,
    portal,
    ana,
    bia,
    chief,
    asAna,
    asBia,
    asAdmin,
    close: async () => {
      await portal.close()
      await base.close()
    },
  }
}
