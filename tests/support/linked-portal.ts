// A portal as its own process over a folder and a linked phone that outlive it: what a test kills and starts again.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution.ts'
import { startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, fillBoard } from './board.ts'
import { silentLog } from './gateway.ts'
import { freePort, startPortal, type RunningPortal } from './portal.ts'

type Furniture = {
  leads: number
  /** As the demonstration, without its people: only it may tell push services of this machine. */
  isDemo?: boolean
  env?: Record<string, string>
  /** What else stands in the database before the first start. */
  prepare?: (db: Database) => Promise<void>
}

/** The broker of the board, linked, with so many leads and no message yet. */
export async function prepareLinkedPortal({ leads, isDemo = false, env = {}, prepare }: Furniture) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-linked-'))
  // At the same address each time: the phone goes on reporting to it.
  const port = await freePort()
  const place = path.join(dataDir, isDemo ? 'demo' : '')
  await mkdir(place, { recursive: true })
  const db = await openPglite({
    dataDir: path.join(place, 'database'),
    template: inject('migratedTemplate'),
  })
  await fillBoard(db, leads, { hasMessages: false })
  if (isDemo) await db.exec(`insert into portal.settings (key, value) values ('demo_seeded_at', 'null')`)
  await prepare?.(db)
  const secret = await mintWebhookSecret(db.query, BROKER.instance)
  await db.close()
  const simulator = await startSimulator({ clock: systemClock })
  simulator.adopt({
    instanceName: BROKER.instance,
    token: 'token',
    webhookUrl: `http://127.0.0.1:${port}/webhook/${BROKER.instance}/${secret}`,
    phone: { number: '5511955550101', name: 'Camila' },
  })
  const gateway = createEvolutionGateway({
    baseUrl: simulator.url,
    apiKey: simulator.apiKey,
    clock: systemClock,
    log: silentLog,
  })
  let portal: RunningPortal | undefined
  return {
    control: simulator.control,
    start: async (): Promise<RunningPortal> => {
      portal = await startPortal(dataDir, {
        PORT: String(port),
        DEMO: isDemo ? '1' : '0',
        EVOLUTION_URL: simulator.url,
        EVOLUTION_API_KEY: simulator.apiKey,
        ...env,
      })
      return portal
    },
    /** While no portal runs over it. */
    withDatabase: async (work: (db: Database) => Promise<void>): Promise<void> => {
      const own = await openPglite({ dataDir: path.join(place, 'database') })
      try {
        await work(own)
      } finally {
        await own.close()
      }
    },
    /** What the phone sent, each text as often as it did. */
    delivered: async (): Promise<string[]> => {
      const { records } = await gateway.findMessages(BROKER.instance, { page: 1, pageSize: 1_000 })
      return records.map(({ message }) => String(Object.values(message ?? {})[0]))
    },
    clear: async (): Promise<void> => {
      await portal?.process.kill('SIGKILL')
      await simulator.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
