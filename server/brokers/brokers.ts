// Administration of brokers: added with their gateway instance, invited, removed.
import { INSTANCE_PREFIX } from '#domain/broker.ts'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { GatewayError, type Gateway, type WebhookSetup } from '#server/gateway.ts'
import { createBrokerStore, type BrokerRow } from './broker-store.ts'
import {
  createOrphanedInstances,
  type OrphanedInstances,
} from '#server/whatsapp/connection/orphaned-instances.ts'
import { stateOf, type LinkView } from '#server/whatsapp/connection/connection.ts'
import { makeInstance } from '#server/whatsapp/connection/make-instance.ts'

/** Validity of the one-time link for a first access. */
const INVITE_LIFETIME_MS = 7 * 86_400_000

export type BrokersParts = {
  db: Database
  clock: Clock
  log: Log
  /** Null: the portal creates a new broker's instance later, once there is a gateway. */
  gateway: Gateway | null
  webhookBase: () => string
  makeWebhookSecret: () => { secret: string; hash: Uint8Array }
  inviteOf: (operation: { accountId: string; operationId: string }) => { token: string; hash: Uint8Array }
}

export type Asking = { accountId: string; claims: Claims; operationId: string }

export type BrokerView = Omit<BrokerRow, 'deadAt' | 'state'> & { state: LinkView['state'] }

/** `invite`: the token in the one-time link. */
export type Invited = { instanceName: string; invite: string }

export type Brokers = ReturnType<typeof createBrokers>

/**
 * Every method rejects with a PortalError whose message a person may read; a retry of an operation changes
 * nothing.
 */
export function createBrokers(parts: BrokersParts) {
  const { db, clock, gateway } = parts
  const store = createBrokerStore(db)
  const orphanedInstances = createOrphanedInstances(parts)
  const adding = createOnce<Invited>()
  const inviteFor = (asking: Asking) => {
    const { token, hash } = parts.inviteOf(asking)
    return { token, stored: { hash, until: new Date(clock.now() + INVITE_LIFETIME_MS) } }
  }

  return {
    list: async (claims: Claims): Promise<BrokerView[]> =>
      (await store.list(claims)).map(({ deadAt, state, ...broker }) => ({
        ...broker,
        state: gateway ? stateOf({ state, dead_at: deadAt }) : 'unconfigured',
      })),

    countLeads: store.countLeads,

    /** Raises `broker.taken`, and the gateway's faults after deleting what was created there. */
    add: (asking: Asking, username: string): Promise<Invited> =>
      adding(asking, async () => {
        const instanceName = INSTANCE_PREFIX + username
        const { token, stored } = inviteFor(asking)
        const answer = { instanceName, invite: token }
        await orphanedInstances.inTurn(instanceName, async () => {
          if (await store.wasDone(asking)) return
          if (await store.isTaken(instanceName))
            throw new PortalError('broker.taken', 'Já existe um corretor com este nome', { status: 409 })
          const kind = (await gateway?.choice?.kindOf(instanceName)) ?? null
          const { secret, hash } = parts.makeWebhookSecret()
          const webhook = { url: `${parts.webhookBase()}/webhook/${instanceName}/${secret}` }
          const keep = (instance: { instanceId: string } | null) =>
            store.add(asking, {
              instanceName,
              instanceId: instance?.instanceId ?? null,
              secretHash: hash,
              invite: stored,
              kind,
            })
          if (gateway)
            await withInstance({ ...parts, gateway, orphanedInstances }, { instanceName, webhook }, keep)
          else await keep(null)
        })
        return answer
      }),

    /** Clears password and sessions. Raises `broker.unknown`. */
    reset: async (asking: Asking, instanceName: string): Promise<Invited> => {
      const { token, stored } = inviteFor(asking)
      await store.reset(asking, instanceName, stored)
      return { instanceName, invite: token }
    },

    /**
     * Ends access at once, then deletes the instance at the gateway. The leads go to `heir`, or to the
     * administrator. Raises `broker.unknown` and `broker.no-heir`.
     */
    remove: async (asking: Asking, instanceName: string, heir: string | null): Promise<{ leads: number }> => {
      const { leads } = await store.remove(asking, instanceName, heir)
      void orphanedInstances.begin(instanceName)
      return { leads }
    },

    start: orphanedInstances.start,
  }
}

/** A second request of the same operation waits for the first one's result. */
function createOnce<T>() {
  const running = new Map<string, Promise<T>>()
  return ({ accountId, operationId }: Asking, run: () => Promise<T>): Promise<T> => {
    const name = `${accountId} ${operationId}`
    const begun = running.get(name)
    if (begun) return begun
    const work = run().finally(() => running.delete(name))
    running.set(name, work)
    return work
  }
}

type Making = Pick<BrokersParts, 'clock' | 'log'> & { gateway: Gateway; orphanedInstances: OrphanedInstances }

/** Creates the instance, then its broker with `keep`; if either fails, both are undone. */
async function withInstance(
  parts: Making,
  { instanceName, webhook }: { instanceName: string; webhook: WebhookSetup },
  keep: (instance: { instanceId: string }) => Promise<unknown>,
): Promise<void> {
  const { gateway, orphanedInstances } = parts
  try {
    // A leftover instance would be taken for another broker's, and never be deleted.
    if (!(await orphanedInstances.clear(instanceName)))
      throw new GatewayError('failed', 'Erro ao criar instância: a anterior deste nome não pôde ser removida')
    // An existing instance of that name is neither used nor, after a failure, deleted.
    if (await gateway.findInstance(instanceName))
      throw new GatewayError(
        'name-taken',
        'Erro ao criar instância: este nome já está em uso no serviço de WhatsApp',
      )
    await orphanedInstances.note(instanceName)
    const instance = await makeInstance(parts, instanceName, webhook)
    await settle(parts, instanceName, webhook)
    await keep(instance)
  } catch (error) {
    throw await undo(parts, instanceName, error)
  }
}

/** Repeats the settings sent at creation; a refusal is only logged, because connecting sets them again. */
async function settle({ gateway, log }: Making, instanceName: string, webhook: WebhookSetup): Promise<void> {
  await gateway
    .setWebhook(instanceName, webhook)
    .catch((error: unknown) => log.warn('instance.not-settled', { instanceName, ...errorFields(error) }))
}

/** The error for the person, naming what could not be undone. */
async function undo(
  { orphanedInstances, log }: Making,
  instanceName: string,
  error: unknown,
): Promise<unknown> {
  if (error instanceof GatewayError && error.fault === 'name-taken')
    await orphanedInstances.forget(instanceName)
  const isClean = await orphanedInstances.clear(instanceName)
  if (!isClean) log.warn('instance.left', { instanceName })
  const isForPerson = error instanceof GatewayError || error instanceof PortalError
  if (!isForPerson) return error
  const rest = isClean
    ? ''
    : `. A conexão "${instanceName}" pode ter ficado no serviço de WhatsApp; o portal a remove assim que ele responder.`
  if (error instanceof PortalError)
    return new PortalError(error.code, error.message + rest, { status: error.status, cause: error })
  log.warn('broker.not-added', { fault: error.fault, status: error.status })
  return new PortalError(`gateway.${error.fault}`, error.message + rest, { status: 502, cause: error })
}
