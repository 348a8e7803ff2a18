// The demonstration's WhatsApp: one simulated gateway of each kind in this process, with linked phones, whose leads write
// now and then.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import { FIRST, isRoom, ROOMS } from '#server/whatsapp/gateway/rooms.ts'
import { configOf } from '#server/whatsapp/gateway/waha/config.ts'
import { createSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import type { Log } from '#server/log.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { ASSISTANTS } from './agency/assistants.ts'

/** How many of a broker's newest leads write by themselves. */
const WRITERS = 20

export type DemoWhatsapp = {
  gateways: ReadonlyMap<GatewayKind, Gateway>
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
  /** Time between two unprompted messages of a gateway's leads. */
  writeEveryMs: { min: number; max: number }
}

export function createDemoWhatsapp({ clock, log, writeEveryMs }: DemoWhatsappParts): DemoWhatsapp {
  const kinds = Object.keys(ROOMS).filter(isRoom)
  const simulators = new Map(kinds.map((kind) => [kind, createSimulator({ clock, speaks: kind })]))
  const simulatorOf = (kind: GatewayKind) => (isRoom(kind) ? simulators.get(kind) : undefined)
  const gatewayOf = (kind: keyof typeof ROOMS, { apiKey, fetch }: ReturnType<typeof createSimulator>) =>
    ROOMS[kind].createGateway({ baseUrl: 'http://simulator', apiKey, clock, log, fetch })
  return {
    gateways: new Map([...simulators].map(([kind, simulator]) => [kind, gatewayOf(kind, simulator)])),
    begin: async ({ db, webhookBase, mintWebhookSecret }) => {
      for (const { instanceName, instanceId, number, gateway } of await linkedOf(db)) {
        const secret = await mintWebhookSecret(db.query, instanceName)
        const webhookUrl = `${webhookBase}/webhook/${instanceName}/${secret}`
        simulatorOf(gateway)?.adopt({
          instanceName,
          instanceId,
          token: randomUUID().toUpperCase(),
          webhookUrl,
          config: configOf({ url: webhookUrl }),
          phone: { number, name: instanceName.replace('corretor_', '') },
        })
      }
      // Central instances belong to the agents, which answer there.
      for (const { name, instanceName, number, isLinked } of Object.values(ASSISTANTS))
        if (isLinked)
          simulatorOf(FIRST)?.adopt({
            instanceName,
            token: randomUUID().toUpperCase(),
            webhookUrl: null,
            phone: { number, name },
          })
      for (const simulator of simulators.values())
        simulator.startLeads({
          log,
          writeEveryMs,
          contactsOf: (instanceName) => writersOf(db, instanceName),
          numberOf: (instanceName) => numberOf(db, instanceName),
        })
    },
    stop: async () => {
      for (const simulator of simulators.values()) await simulator.stop()
    },
  }
}

type LinkedBroker = { instanceName: string; instanceId: string; number: string; gateway: GatewayKind }

/** A broker that was moved before a restart is linked on the gateway that has it now. */
async function linkedOf(db: Database): Promise<LinkedBroker[]> {
  const { rows } = await db.query<LinkedBroker>(
    `select b."instanceName", b."instanceId", b.broker_number as number, coalesce(s.gateway, $1) as gateway
     from public.brokers b left join portal.webhook_secrets s using ("instanceName")
     where b.status = 'ativo' and b."instanceId" is not null and b.broker_number is not null`,
    [FIRST],
  )
  return rows
}

/** Each broker has one phone, with which it scans every code. */
async function numberOf(db: Database, instanceName: string): Promise<string | null> {
  const { rows } = await db.query<{ number: string | null }>(
    'select broker_number as number from public.brokers where "instanceName" = $1',
    [instanceName],
  )
  return rows[0]?.number ?? null
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
