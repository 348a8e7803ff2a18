// A portal as a process over a data folder and a linked phone, which both outlive it: the test kills it and starts it
// again.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { ROOMS, type RoomName } from '#server/whatsapp/gateway/rooms.ts'
import { configOf } from '#server/whatsapp/gateway/waha/config.ts'
import { startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, fillBoard } from './board.ts'
import { freePort } from './free-port.mjs'
import { startPortal, type RunningPortal } from './portal.ts'

type Furniture = {
  leads: number
  /** The gateway; the Evolution API by default. */
  kind?: RoomName
  /** Starts in demo mode without the demonstration's people: only then may pushes go to services on this machine. */
  isDemo?: boolean
  env?: Record<string, string>
  /** Prepares the database before the first start. */
  prepare?: (db: Database) => Promise<void>
}

/** The board's broker, linked, with this many leads and no message yet. */
export async function prepareLinkedPortal(furniture: Furniture) {
  const { leads, kind = 'evolution', isDemo = false, env = {}, prepare } = furniture
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-linked-'))
  // At the same address each time, because the phone keeps reporting to it.
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
  const secret = await mintWebhookSecret(db.query, BROKER.instance, kind)
  await db.close()
  const simulator = await startSimulator({ clock: systemClock, speaks: kind })
  const webhookUrl = `http://127.0.0.1:${port}/webhook/${BROKER.instance}/${secret}`
  simulator.adopt({
    instanceName: BROKER.instance,
    token: 'token',
    webhookUrl,
    config: configOf({ url: webhookUrl }),
    phone: { number: '5511955550101', name: 'Camila' },
  })
  const { variable } = ROOMS[kind]
  let portal: RunningPortal | undefined
  return {
    control: simulator.control,
    start: async (): Promise<RunningPortal> => {
      portal = await startPortal(dataDir, {
        PORT: String(port),
        DEMO: isDemo ? '1' : '0',
        [variable]: simulator.url,
        [variable.replace('_URL', '_API_KEY')]: simulator.apiKey,
        ...env,
      })
      return portal
    },
    /** Runs only while no portal is running over it. */
    withDatabase: async (work: (db: Database) => Promise<void>): Promise<void> => {
      const own = await openPglite({ dataDir: path.join(place, 'database') })
      try {
        await work(own)
      } finally {
        await own.close()
      }
    },
    /** The texts that the phone sent, each as often as it was sent. */
    delivered: (): Promise<string[]> => Promise.resolve(simulator.sentTexts(BROKER.instance)),
    clear: async (): Promise<void> => {
      await portal?.process.kill('SIGKILL')
      await simulator.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
