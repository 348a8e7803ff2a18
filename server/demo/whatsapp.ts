// The demonstration's WhatsApp: a simulated gateway in this process with linked phones, whose leads write now
// and then.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import type { Log } from '#server/log.ts'
import type { Gateway } from '#server/gateway.ts'
import { ASSISTANTS } from './agency/assistants.ts'

/** How many of a broker's newest leads write by themselves. */
const WRITERS = 20

export type DemoWhatsapp = {
  gateway: Gateway
  /** Links the phones of connected brokers, and starts their leads. */
  begin(parts: {
    db: Database
    webhookBase: string
    mintWebhookSecret: (query: Query, instanceName: string) => Promise<string>
  }): Promise<void>
  stop(): Promise<void>
}

type DemoWhatsappParts = {
  clock: Clock
  log: Log
  /** Time between two unprompted messages. */
  writeEveryMs: { min: number; max: number }
}

export function createDemoWhatsapp({ clock, log, writeEveryMs }: DemoWhatsappParts): DemoWhatsapp {
  const simulator = createSimulator({ clock })
  const { apiKey } = simulator
  const gateway = createEvolutionGateway({
    baseUrl: 'http://simulator',
    apiKey,
    clock,
    log,
    fetch: (url, init) => simulator.fetch(url, init),
  })
  return {
    gateway,
    begin: async ({ db, webhookBase, mintWebhookSecret }) => {
      const { rows: brokers } = await db.query<{ instanceName: string; instanceId: string; number: string }>(
        `select "instanceName", "instanceId", broker_number as number from public.brokers
         where status = 'ativo' and "instanceId" is not null and broker_number is not null`,
      )
      for (const { instanceName, instanceId, number } of brokers) {
        const secret = await mintWebhookSecret(db.query, instanceName)
        simulator.adopt({
          instanceName,
          instanceId,
          token: randomUUID().toUpperCase(),
          webhookUrl: `${webhookBase}/webhook/${instanceName}/${secret}`,
          phone: { number, name: instanceName.replace('corretor_', '') },
        })
      }
      // Central instances belong to the agents, which answer there.
      for (const { name, instanceName, number, isLinked } of Object.values(ASSISTANTS))
        if (isLinked)
          simulator.adopt({
            instanceName,
            token: randomUUID().toUpperCase(),
            webhookUrl: null,
            phone: { number, name },
          })
      simulator.startLeads({ log, writeEveryMs, contactsOf: (instanceName) => writersOf(db, instanceName) })
    },
    stop: () => simulator.stop(),
  }
}

async function writersOf(db: Database, instanceName: string) {
  const { rows } = await db.query<{ number: string; name: string | null }>(
    `select p.number_key as number, c.name
     from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
     where c."instanceName" = $1 and p.number_key is not null and p.opted_out_at is null
     order by c.last_message_timestamp desc nulls last, c.id desc limit $2`,
    [instanceName, WRITERS],
  )
  return rows.map(({ number, name }) => ({ number, name: name ?? '' }))
}
