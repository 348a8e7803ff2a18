// A broker's WhatsApp link: connect by code, see its state, cut it (SPEC.md 2.16, 4; EVOLUTION.md 2).
import { randomUUID } from 'node:crypto'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { GatewayError, type Gateway, type GatewayInstance, type LinkOffer } from '#server/ports.ts'
import { createLinkStore, type LinkRow } from './link-store.ts'

/** The gateway makes so many codes, each living so long, before it waits to be asked again. */
const CODE_LIMIT = 30
const CODE_LIFETIME_MS = 45_000

export type LinkParts = {
  db: Database
  clock: Clock
  log: Log
  /** None: 'WhatsApp não configurado'. */
  gateway: Gateway | null
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  mintWebhookSecret: (query: Query, instanceName: string) => Promise<string>
}

/** What the connect dialog shows; `number` and `replacedNumber` are digits. */
export type LinkView = {
  state: 'open' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  reason: number | null
  changedAt: string | null
  number: string | null
  replacedNumber: string | null
}

export type OfferView =
  | { kind: 'open' }
  | {
      kind: 'code'
      image: string
      pairingCode: string | null
      count: number
      limit: number
      lifetimeMs: number
    }
  | { kind: 'waiting' }

export type Links = ReturnType<typeof createLinks>

/** Every method rejects with PortalError whose message can be shown. */
export function createLinks(parts: LinkParts) {
  const store = createLinkStore(parts.db)
  return {
    /** As last known; `isFresh` asks the gateway now. */
    view: async (instanceName: string, isFresh: boolean): Promise<LinkView> => {
      const { gateway } = parts
      if (!gateway) return { ...toView(await store.find(instanceName)), state: 'unconfigured' }
      try {
        if (isFresh) await refresh({ ...parts, gateway }, instanceName)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        return { ...toView(await store.find(instanceName)), state: 'unreachable' }
      }
      return toView(await store.find(instanceName))
    },

    /** A code to scan, made new by the gateway as it sees fit; webhook and settings stand before the link does. */
    connect: (instanceName: string, number?: string): Promise<OfferView> =>
      withGateway(parts, async (gateway) => {
        if ((await ensureInstance({ ...parts, gateway }, instanceName)) !== 'connecting')
          await prepare({ ...parts, gateway }, instanceName)
        const offer = await gateway.connect(instanceName, number)
        if (offer.kind === 'open') await refresh({ ...parts, gateway }, instanceName)
        return toOffer(offer)
      }),

    /** For a gateway that gives no code. */
    restart: (instanceName: string): Promise<void> =>
      withGateway(parts, (gateway) => gateway.restart(instanceName)),

    disconnect: (instanceName: string): Promise<void> =>
      withGateway(parts, async (gateway) => {
        await gateway.logout(instanceName)
        await store.noteState(instanceName, 'close')
      }),

    acknowledgeReplacement: (instanceName: string): Promise<void> => store.forgetReplaced(instanceName),
  }
}

type Ready = LinkParts & { gateway: Gateway }

/** Asks the gateway how the link is and keeps the answer; an open one makes the broker active (SPEC.md 4). */
async function refresh(parts: Ready, instanceName: string): Promise<void> {
  const instance = await parts.gateway.findInstance(instanceName)
  const state = instance ? await parts.gateway.linkState(instanceName) : 'close'
  await createLinkStore(parts.db).noteState(instanceName, state)
  if (instance && state === 'open') await keepOpen(parts, instance)
}

/** Saves what an open link tells of its broker, and notices a phone that is not the one linked before. */
export async function keepOpen(
  { db, log }: Pick<LinkParts, 'db' | 'log'>,
  instance: GatewayInstance,
): Promise<void> {
  const number = numberOf(instance)
  if (number === null) log.warn('link.number-unknown', { instanceName: instance.instanceName })
  const isReplaced = await createLinkStore(db).saveOpen(instance, number)
  if (isReplaced) log.warn('link.phone-replaced', { instanceName: instance.instanceName })
}

/** From the owner's address, else the number field, else an instance named by its number (SPEC.md 4). */
function numberOf({ ownerJid, number, instanceName }: GatewayInstance): string | null {
  const candidates = [ownerJid?.split('@')[0]?.split(':')[0], number, instanceName.replace('corretor_', '')]
  return candidates.find((text) => text && /^\d{8,15}$/.test(text)) ?? null
}

async function ensureInstance(parts: Ready, instanceName: string) {
  const known = await parts.gateway.findInstance(instanceName)
  if (known) return parts.gateway.linkState(instanceName)
  await parts.gateway.createInstance({
    instanceName,
    token: randomUUID().toUpperCase(),
    webhook: await newWebhook(parts, instanceName),
  })
  return 'close'
}

/** Before connecting, because the gateway reads them only then (EVOLUTION.md 0). */
async function prepare(parts: Ready, instanceName: string) {
  await parts.gateway.setWebhook(instanceName, await newWebhook(parts, instanceName))
  await parts.gateway.setSettings(instanceName)
}

async function newWebhook({ db, mintWebhookSecret, webhookBase }: Ready, instanceName: string) {
  const secret = await mintWebhookSecret(db.query, instanceName)
  return { url: `${webhookBase()}/webhook/${instanceName}/${secret}` }
}

async function withGateway<T>(
  { gateway, log }: LinkParts,
  run: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  if (!gateway) throw new PortalError('gateway.unconfigured', 'WhatsApp não configurado', { status: 503 })
  try {
    return await run(gateway)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn('link.failed', { fault: error.fault, status: error.status })
    throw new PortalError(`gateway.${error.fault}`, error.message, { status: 502, cause: error })
  }
}

const toOffer = (offer: LinkOffer): OfferView =>
  offer.kind === 'code'
    ? {
        kind: 'code',
        image: offer.qrImage,
        pairingCode: offer.pairingCode,
        count: offer.count,
        limit: CODE_LIMIT,
        lifetimeMs: CODE_LIFETIME_MS,
      }
    : offer

const toView = (row: LinkRow | null): LinkView => ({
  state: row?.state === 'open' || row?.state === 'connecting' ? row.state : 'close',
  reason: row?.reason ?? null,
  changedAt: row?.changed_at ?? null,
  number: row?.broker_number ?? null,
  replacedNumber: row?.replaced_number ?? null,
})
