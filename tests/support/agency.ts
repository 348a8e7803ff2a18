// Two portals behind a load balancer over one Supabase-like Postgres, one connected directly over TLS and one through a
// pooler, with a linked phone.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER, fillBoard } from './board.ts'
import { silentLog } from './gateway.ts'
import { hasPooler, startPooler } from './pooler.ts'
import { startPortal, type RunningPortal } from './portal.ts'
import { startSupabaseLike } from './supabase-like.ts'

export type Place = 'straight' | 'pooled'
export type Agency = Awaited<ReturnType<typeof openAgency>>

/** A database like Supabase's; one portal connects directly, the other through a pooler. */
export async function openAgency(leads: number) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-agency-'))
  const postgres = await startSupabaseLike()
  const pooler = hasPooler ? await startPooler(postgres.projectUrl) : null
  const db = openPostgres({ url: postgres.projectUrl, maxConnections: 4, onError: () => undefined })
  const agency = await linkAgency({
    leads,
    dataDir,
    db,
    ways: {
      straight: { DATABASE_URL: postgres.projectUrl },
      pooled: {
        DATABASE_URL: pooler?.url ?? postgres.projectUrl,
        DATABASE_SESSION_URL: postgres.projectUrl,
      },
    },
  })
  return {
    ...agency,
    postgres,
    dataDir,
    close: async () => {
      await agency.close()
      await pooler?.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type Linked = { leads: number; dataDir: string; db: Database; ways: Record<Place, Record<string, string>> }

/** Both portals start at once on an empty database; then a broker with this many leads is added. */
export async function linkAgency({ leads, dataDir, db, ways }: Linked) {
  const simulator = await startSimulator({ clock: systemClock })
  const shared = {
    JWT_SECRET: 'a secret that both portals were given',
    EVOLUTION_URL: simulator.url,
    EVOLUTION_API_KEY: simulator.apiKey,
    CAMPAIGN_DELAY_MS: '0-0',
    WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  }
  const all: RunningPortal[] = []
  const start = async (place: Place, env: Record<string, string> = {}) => {
    const portal = await startPortal(path.join(dataDir, place), { ...shared, ...ways[place], ...env })
    all.push(portal)
    return portal
  }
  const [straight, pooled] = await Promise.all([start('straight'), start('pooled')])
  const portals: Record<Place, RunningPortal> = { straight, pooled }
  const webhook = await moveIn(db, leads)
  simulator.adopt({
    instanceName: BROKER.instance,
    token: 'token',
    webhookUrl: straight.origin + webhook,
    phone: { number: '5511955550101', name: 'Camila' },
  })
  return {
    db,
    leads,
    portals,
    /** The path that the gateway reports to. */
    webhook,
    /** Replaces the portal at that place, or starts another with other settings. */
    start: async (place: Place, env?: Record<string, string>) => {
      const portal = await start(place, env)
      if (env === undefined) portals[place] = portal
      return portal
    },
    /** The texts that the phone sent, each as often as it was sent. */
    delivered: async (): Promise<string[]> => {
      const { url: baseUrl, apiKey } = simulator
      const gateway = createEvolutionGateway({ baseUrl, apiKey, clock: systemClock, log: silentLog })
      const texts: string[] = []
      for (let page = 1; ; page++) {
        const { records } = await gateway.findMessages(BROKER.instance, { page, pageSize: 1_000 })
        texts.push(...records.map(({ message }) => String(Object.values(message ?? {})[0])))
        if (records.length < 1_000) return texts
      }
    },
    close: async () => {
      await Promise.all(all.map((portal) => portal.process.kill('SIGKILL')))
      await db.close()
      await simulator.stop()
    },
  }
}

/**
 * Each lead has its own name, so that campaign messages can be told apart; sending is allowed at any hour, and to all
 * of them today.
 */
async function moveIn(db: Database, leads: number): Promise<string> {
  await fillBoard(db, leads, { hasMessages: false })
  await db.exec(
    `update public.whatsapp_contacts set name = 'Ana' || translate(id::text, '0123456789', 'abcdefghij'), status = 'new';
     update public.campaign_settings
     set opens_at = 0, closes_at = 24, sends_on_sundays = true, daily_cap = 5000, warm_up_days = 1`,
  )
  return `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
}
