// Administration of agents: the list with the real state of their links, adding one, and deleting a chat from
// their memory.
import { PortalError } from '#domain/errors.ts'
import { readChatNumber } from '#domain/phone/chat-number.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { GatewayError, type Gateway, type GatewayInstance } from '#server/gateway.ts'
import { createAgentStore, type AgentRow, type NewAgent } from './agent-store.ts'
import { createAgentsBackend } from './backend.ts'
import type { Engine } from './engine/engine.ts'
import { createSetupStore } from './setup-store.ts'

/** The list waits this long for the gateway. After that the states of the links are unknown. */
const WAIT_FOR_GATEWAY_MS = 4_000

export type AgentsParts = {
  db: Database
  clock: Clock
  log: Log
  /** Null: no agent has a link. */
  gateway: Pick<Gateway, 'listInstances'> | null
  /** Undefined: agents remember in the portal's own table. */
  backend: { url: string; key: string } | undefined
  /** Null: no model is configured, and the card shows 'Sem motor'. */
  engine: Pick<Engine, 'model' | 'isDemo'> | null
  /** Null: the portal transcribes no voice messages. */
  voiceModel: string | null
}

export type AgentView = Omit<AgentRow, 'isDead'> & { isLinked: boolean; model: string | null }

/** An instance that may become an agent's central one. */
export type InstanceView = {
  instanceName: string
  number: string | null
  isLinked: boolean
  /** The agent that uses the instance. Null: it is free. */
  agent: string | null
}

export type Agents = ReturnType<typeof createAgents>

/** Every method rejects with a PortalError whose message a person may read. */
export function createAgents(parts: AgentsParts) {
  const { db, clock, engine } = parts
  const model = engine?.model ?? null
  const setup = createSetupStore(db)
  const store = createAgentStore(db)
  const backend = parts.backend && createAgentsBackend(parts.backend, parts)

  return {
    list: async (claims: Claims): Promise<AgentView[]> => {
      // This read refuses a caller without permission, before the gateway is asked.
      const agents = await store.list(claims)
      const instances = agents.length > 0 ? await instancesOf(parts) : []
      const open = new Set(
        instances.flatMap(({ instanceName, state }) => (state === 'open' ? instanceName : [])),
      )
      return agents.map(({ isDead, ...agent }) => ({
        ...agent,
        model,
        isLinked: agent.instanceName !== null && open.has(agent.instanceName) && !isDead,
      }))
    },

    instances: async (claims: Claims): Promise<InstanceView[]> => {
      const agents = await store.list(claims)
      const ownerOf = new Map(agents.map(({ instanceName, name }) => [instanceName, name]))
      const instances = await instancesOf(parts)
      return instances
        .map(({ instanceName, number, ownerJid, state }) => ({
          instanceName,
          number: number ?? ownerJid?.split(/[:@]/)[0] ?? null,
          isLinked: state === 'open',
          agent: ownerOf.get(instanceName) ?? null,
        }))
        .toSorted((one, other) => one.instanceName.localeCompare(other.instanceName))
    },

    add: (claims: Claims, intent: NewAgent) => store.add(claims, intent),

    move: (claims: Claims, id: number, instanceName: string | null) => store.move(claims, id, instanceName),

    /** `model` writes texts, `voiceModel` transcribes; null: not configured. */
    setup: async (claims: Claims, id: number) => ({
      ...(await setup.setup(claims, id, clock.now())),
      model,
      voiceModel: parts.voiceModel,
      isDemoModel: engine?.isDemo ?? false,
    }),
    saveSetup: setup.save,
    saveFact: setup.saveFact,
    removeFact: setup.removeFact,
    turns: setup.turns,
    savePrice: setup.savePrice,

    /**
     * Deletes a person from the agents' memory, under every form of the number. `number` is its readable form
     * for the administrator.
     */
    forget: async (
      claims: Claims,
      id: number,
      typed: string,
    ): Promise<{ number: string; deleted: number }> => {
      const read = readChatNumber(typed)
      if (!read.ok)
        throw new PortalError('phone.invalid', 'Por favor, informe um número de telefone válido.', {
          status: 422,
        })
      const { number, digits } = read
      // The memory is searched by the typed number. The form without the ninth digit may be somebody else's
      // landline, so it is only mentioned.
      const jid = `${digits}@s.whatsapp.net`
      const deleted = backend
        ? await sumOf(await store.addressesOf(claims, jid), (address) => backend.forget(id, address))
        : await store.forget(claims, id, jid)
      return { number, deleted }
    },

    /** Deletes these addresses from an external memory, if agents have one. Raises `agents.not-forgotten`. */
    forgetElsewhere: async (claims: Claims, addressesOf: () => Promise<string[]>): Promise<void> => {
      if (!backend) return
      const addresses = await addressesOf()
      for (const { id } of await store.list(claims)) await sumOf(addresses, (jid) => backend.forget(id, jid))
    },
  }
}

/** Calls one after the other. If one fails, a retry repeats the others, which does no harm. */
async function sumOf(jids: readonly string[], forget: (jid: string) => Promise<number>): Promise<number> {
  let sum = 0
  for (const jid of jids) sum += await forget(jid)
  return sum
}

/** The gateway's instances; empty if it does not answer. */
async function instancesOf({ gateway, clock, log }: AgentsParts): Promise<GatewayInstance[]> {
  if (!gateway) return []
  const answered = new AbortController()
  const listed = gateway.listInstances().catch((error: unknown) => {
    // The gateway's client has logged the error.
    if (error instanceof GatewayError) return []
    throw error
  })
  const late = clock.sleep(WAIT_FOR_GATEWAY_MS, answered.signal).then(() => {
    if (!answered.signal.aborted) log.warn('agents.gateway-late', {})
    return []
  })
  try {
    return await Promise.race([listed, late])
  } finally {
    answered.abort()
  }
}
