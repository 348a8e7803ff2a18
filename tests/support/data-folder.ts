// A portal's data folder for tests of whole processes, with a migrated embedded database; deleted after the tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER } from './board.ts'
import { startPortal, type RunningPortal } from './portal.ts'

/** `fill` writes the first rows. The portal that was started last is killed before the folder goes. */
export async function openDataFolder(
  name: string,
  fill: (db: Database) => Promise<unknown> = () => Promise.resolve(),
) {
  const dataDir = await mkdtemp(path.join(tmpdir(), `portal-${name}-`))
  const open = (template?: string) =>
    openPglite({ dataDir: path.join(dataDir, 'database'), ...(template && { template }) })
  const db = await open(inject('migratedTemplate'))
  await fill(db)
  await db.close()
  let portal: RunningPortal | undefined
  afterAll(async () => {
    await portal?.process.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    dataDir,
    open: () => open(),
    start: async (env: Record<string, string> = {}) => (portal = await startPortal(dataDir, env)),
  }
}

/** Adds the broker of the tests; answers the address for the gateway's deliveries. */
export async function addBrokerWithWebhook(db: Database): Promise<string> {
  await db.query('insert into public.brokers ("instanceName") values ($1)', [BROKER.instance])
  return `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
}
