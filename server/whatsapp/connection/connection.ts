// A broker's WhatsApp link: connect by code, read its state, disconnect.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Database, Query } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import {
  GatewayError,
  type Gateway,
  type GatewayInstance,
  type GatewayKind,
  type LinkOffer,
} from '#server/gateway.ts'
import { createLinkStore, type LinkLimit, type LinkRow } from './connection-store.ts'
import { makeInstance } from './make-instance.ts'
import { usedSecret } from './webhook-renewal.ts'

/** The gateway makes this many codes with this lifetime, then waits for a new request. */
const MAX_CODES = 30
const CODE_LIFETIME_MS = 45_000

export type LinkParts = {
  db: Database
  clock: Clock
  log: Log
  /** The gateway. Null: the portal answers 'WhatsApp não configurado'. */
  gateway: Gateway | null
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  mintWebhookSecret: (query: Query, instanceName: string, kind?: GatewayKind) => Promise<string>
  /** Resolves to null if the secret is not the instance's. */
  isKnown: (instanceName: string, secret: string) => Promise<unknown>
  /** Whether the gateway failed to answer the last poll. */
  isAway: (instanceName: string) => boolean
  moves: ContinuedMoves
}

/** How a broker continues the move of the own instance, which an administrator began: by scanning its code. */
export type ContinuedMoves = {
  /** Ends the move if its link is open. */
  look(instanceName: string): Promise<void>
  /** A code of the other gateway; null without a move. */
  continue(instanceName: string, number: string | undefined): Promise<OfferView | null>
}

/**
 * Input of the connect dialog; `number` and `replacedNumber` are digits. 'dead': reported open, but the last
 * send found no link.
 */
export type LinkView = {
  state: 'open' | 'dead' | 'connecting' | 'close' | 'unconfigured' | 'unreachable'
  reason: number | null
  changedAt: string | null
  number: string | null
  replacedNumber: string | null
  limit: LinkLimit | null
  /** Codes are those of the gateway to which the instance moves. */
  isMoving: boolean
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

/** Every method rejects with a PortalError whose message a person may read. */
export function createLinks(parts: LinkParts) {
  const store = createLinkStore(parts.db)
  return {
    /** The stored state; `isFresh` polls the gateway first. */
    view: async (instanceName: string, isFresh: boolean): Promise<LinkView> => {
      const { gateway } = parts
      if (!gateway) return { ...toView(await store.find(instanceName)), state: 'unconfigured' }
      try {
        if (isFresh) await parts.moves.look(instanceName)
        if (isFresh) await refresh({ ...parts, gateway }, instanceName)
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        return { ...toView(await store.find(instanceName)), state: 'unreachable' }
      }
      const view = toView(await store.find(instanceName))
      return !isFresh && parts.isAway(instanceName) ? { ...view, state: 'unreachable' } : view
    },

    /**
     * A code to scan, renewed by the gateway; with `number` a code to type on that phone. A dead link, or one
     * that makes a code for another phone, restarts.
     */
    connect: (instanceName: string, number?: string): Promise<OfferView> =>
      withGateway(parts, async (gateway) => {
        const moving = await parts.moves.continue(instanceName, number)
        if (moving) return moving
        const ready = { ...parts, gateway }
        await begin(ready, instanceName, number ?? null)
        const offer = await gateway.connect(instanceName, number)
        if (offer.kind === 'open') await refresh(ready, instanceName)
        if (offer.kind !== 'code') return offer
        const count = await store.showCode(instanceName, offer)
        return count === null ? { kind: 'waiting' } : toOffer(offer, count)
      }),

    /** Restarts the link. Used if the gateway returns no code. */
    restart: (instanceName: string): Promise<void> =>
      withGateway(parts, (gateway) => gateway.restart(instanceName)),

    /** If restarting does not help: deletes the instance, and the next connection creates it anew. */
    recreate: (instanceName: string): Promise<void> =>
      withGateway(parts, async (gateway) => {
        await gateway.deleteInstance(instanceName)
        await store.noteState(instanceName, 'close')
        await createInstance({ ...parts, gateway }, instanceName)
      }),

    disconnect: (instanceName: string): Promise<void> =>
      withGateway(parts, async (gateway) => {
        await store.noteCut(instanceName)
        await gateway.logout(instanceName)
        await store.noteState(instanceName, 'close')
      }),

    acknowledgeReplacement: (instanceName: string): Promise<void> => store.forgetReplaced(instanceName),
  }
}

type Ready = LinkParts & { gateway: Gateway }

/** Polls the link and stores its state; an open one activates the broker. */
async function refresh(parts: Ready, instanceName: string): Promise<void> {
  const store = createLinkStore(parts.db)
  const askedAfter = await store.changeNumber(instanceName)
  const instance = await parts.gateway.findInstance(instanceName)
  const state = instance ? await parts.gateway.linkState(instanceName) : 'close'
  await store.noteState(instanceName, state, askedAfter)
  if (instance && state === 'open') await keepOpen(parts, instance)
}

/** Stores the broker's data from an open link, and notices a different phone. */
export async function keepOpen(
  { db, log }: Pick<LinkParts, 'db' | 'log'>,
  instance: GatewayInstance,
): Promise<void> {
  const number = numberOf(instance)
  if (number === null) log.warn('link.number-unknown', { instanceName: instance.instanceName })
  const isReplaced = await createLinkStore(db).saveOpen(instance, number)
  if (isReplaced) log.warn('link.phone-replaced', { instanceName: instance.instanceName })
}

/** From the owner's address, else the number field, else an instance named by its number. */
export function numberOf({ ownerJid, number, instanceName }: GatewayInstance): string | null {
  const candidates = [ownerJid?.split('@')[0]?.split(':')[0], number, instanceName.replace('corretor_', '')]
  return candidates.find((text) => text && /^\d{8,15}$/.test(text)) ?? null
}

/** Sets webhook and settings before the link begins. */
async function begin(parts: Ready, instanceName: string, number: string | null): Promise<void> {
  const { db, gateway } = parts
  const store = createLinkStore(db)
  if (!(await gateway.findInstance(instanceName))) await createInstance(parts, instanceName)
  const state = await gateway.linkState(instanceName)
  if (state === 'open') {
    // A link with another address would be restarted by some gateways.
    await prepare(parts, instanceName, await usedSecret(parts, instanceName))
    if ((await store.find(instanceName))?.dead_at != null) await gateway.restart(instanceName)
    return
  }
  // The gateway makes a code to type only for a new link.
  const isCut = state === 'connecting' && number !== null && !(await store.isPairing(instanceName, number))
  if (isCut || state === 'close')
    await store.noteNewLink(instanceName, isCut ? await codeOf(gateway, instanceName) : null)
  if (isCut) await cut(parts, instanceName)
  if (isCut || state === 'close') await prepare(parts, instanceName)
  // Stored last, when no code for another phone can be shown any more.
  await store.notePairing(instanceName, number)
}

/** The current code: the gateway returns the code of a link for seconds after it was disconnected. */
async function codeOf(gateway: Gateway, instanceName: string) {
  const offer = await gateway.connect(instanceName).catch((error: unknown) => {
    if (error instanceof GatewayError) return null
    throw error
  })
  return offer?.kind === 'code' ? offer : null
}

/**
 * Ends the link in progress, or deletes the instance; otherwise it would go on showing its code, and a wrong
 * phone could be linked.
 */
async function cut(parts: Ready, instanceName: string): Promise<void> {
  const { gateway } = parts
  await gateway.logout(instanceName).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.fault !== 'failed') throw error
  })
  if ((await gateway.linkState(instanceName)) === 'close') return
  await gateway.deleteInstance(instanceName)
  await createInstance(parts, instanceName)
}

async function createInstance(parts: Ready, instanceName: string): Promise<void> {
  await makeInstance(parts, instanceName, await webhookOf(parts, instanceName))
}

/** Prepares the gateway before connecting, because it reads these settings only then. */
async function prepare(parts: Ready, instanceName: string, used: string | null = null) {
  await parts.gateway.setWebhook(instanceName, await webhookOf(parts, instanceName, used))
}

/** The instance's webhook address, with the secret in use (`used`) or else a new one. */
async function webhookOf(parts: Ready, instanceName: string, used: string | null = null) {
  const { db, gateway, mintWebhookSecret, webhookBase } = parts
  const secret =
    used ?? (await mintWebhookSecret(db.query, instanceName, await gateway.choice?.kindOf(instanceName)))
  return { url: `${webhookBase()}/webhook/${instanceName}/${secret}` }
}

async function withGateway<T>(
  { gateway, log }: LinkParts,
  run: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  if (!gateway) throw new PortalError('gateway.unconfigured', 'WhatsApp não configurado', { status: 409 })
  try {
    return await run(gateway)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn('link.failed', { fault: error.fault, status: error.status })
    throw new PortalError(`gateway.${error.fault}`, error.message, { status: 502, cause: error })
  }
}

export const toOffer = (offer: Extract<LinkOffer, { kind: 'code' }>, count: number): OfferView => ({
  kind: 'code',
  image: offer.qrImage,
  pairingCode: offer.pairingCode,
  count,
  limit: MAX_CODES,
  lifetimeMs: CODE_LIFETIME_MS,
})

const toView = (row: LinkRow | null): LinkView => ({
  state: stateOf(row),
  reason: row?.reason ?? null,
  changedAt: row?.dead_at ?? row?.changed_at ?? null,
  number: row?.broker_number ?? null,
  replacedNumber: row?.replaced_number ?? null,
  limit: row?.limit ?? null,
  isMoving: row?.is_moving ?? false,
})

export function stateOf(row: Pick<LinkRow, 'state' | 'dead_at'> | null): LinkView['state'] {
  if (row?.state === 'open') return row.dead_at === null ? 'open' : 'dead'
  return row?.state === 'connecting' ? 'connecting' : 'close'
}
