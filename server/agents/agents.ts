// Agents as an administrator manages them: with the true state of their link, a new one, and a chat forgotten.
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

/** A gateway that takes longer holds no list up: what it would have said is not known then. */
const WAIT_FOR_GATEWAY_MS = 4_000

export type AgentsParts = {
  db: Database
  clock: Clock
  log: Log
  /** None: no agent has a link. */
  gateway: Pick<Gateway, 'listInstances'> | null
  /** None: what agents remember is in our own table. */
  backend: { url: string; key: string } | undefined
  /** None: 'Sem motor'. */
  engine: Pick<Engine, 'model' | 'isDemo'> | null
  /** What hears voice messages; null: nothing does. */
  voiceModel: string | null
}

export type AgentView = Omit<AgentRow, 'isDead'> & { isLinked: boolean; model: string | null }

/** An instance that can be an agent's central one. */
export type InstanceView = {
  instanceName: string
  number: string | null
  isLinked: boolean
  /** Whose it is already. */
  agent: string | null
}

export type Agents = ReturnType<typeof createAgents>

/** Every method rejects with a PortalError that can be shown. */
export function createAgents(parts: AgentsParts) {
  const { db, clock, engine } = parts
  const model = engine?.model ?? null
  const setup = createSetupStore(db)
  const store = createAgentStore(db)
  const backend = parts.backend && createAgentsBackend(parts.backend, parts)

  return {
    list: async (claims: Claims): Promise<AgentView[]> => {
      // Who may not ask is refused before anyone else is asked.
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

    /** `model` is what writes here, `voiceModel` what hears; null: nothing does. */
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

    /** Forgets a person under every form of the number. `number` is the one as it is shown, for the person who asked. */
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
      // What was typed finds its other forms. The rule's own may be the landline of somebody else: it is only told.
      const jid = `${digits}@s.whatsapp.net`
      const deleted = backend
        ? await sumOf(await store.addressesOf(claims, jid), (address) => backend.forget(id, address))
        : await store.forget(claims, id, jid)
      return { number, deleted }
    },

    /** Where agents remember outside the portal, every one of them forgets these addresses. Raises `agents.not-forgotten`. */
    forgetElsewhere: async (claims: Claims, addressesOf: () => Promise<string[]>): Promise<void> => {
      if (!backend) return
      const addresses = await addressesOf()
      for (const { id } of await store.list(claims)) await sumOf(addresses, (jid) => backend.forget(id, jid))
    },
  }
}

/** One after the other: what fails leaves the rest for the next try. */
async function sumOf(jids: readonly string[], forget: (jid: string) => Promise<number>): Promise<number> {
  let sum = 0
  for (const jid of jids) sum += await forget(jid)
  return sum
}

/** What the gateway has now; nothing while it says nothing. */
async function instancesOf({ gateway, clock, log }: AgentsParts): Promise<GatewayInstance[]> {
  if (!gateway) return []
  const answered = new AbortController()
  const listed = gateway.listInstances().catch((error: unknown) => {
    // The gateway's client has logged it.
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
