// Moves an instance to another gateway: the phone is linked there first, then the instance is deleted on the old one.
// All messages go through the old gateway until the new link is open.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import { SqlError, type Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { GatewayError, type Gateway, type GatewayKind } from '#server/gateway.ts'
import { keepOpen, numberOf, toOffer, type ContinuedMoves, type OfferView } from './connection.ts'
import { makeInstance } from './make-instance.ts'
import { createOrphanedInstances } from './orphaned-instances.ts'

/** How often the portal looks whether a move whose screen was closed can be finished. */
const LOOK_EVERY_MS = 10_000

export type MoveParts = {
  db: Database
  clock: Clock
  log: Log
  gateway: Gateway | null
  webhookBase: () => string
  makeWebhookSecret: () => { secret: string; hash: Uint8Array }
  /** Called when the moved instance is linked on its new gateway. */
  onMoved: (instanceName: string, to: GatewayKind) => void
}

/** 'other-phone': the code was scanned with another number, and that link was ended. */
export type MoveOffer = OfferView | { kind: 'moved' } | { kind: 'other-phone' }

/** The gateway on which an instance runs, the one to which it is moving, and all that have an address. */
export type MoveView = {
  gateway: GatewayKind | null
  target: GatewayKind | null
  kinds: readonly GatewayKind[]
}

export type Moves = ReturnType<typeof createMoves>
type Wanted = { instanceName: string; kind: GatewayKind; number?: string | undefined }

type Steps = ReturnType<typeof createSteps>

/** The steps of a move that has begun. */
function createSteps({ db, log, gateway, onMoved }: MoveParts) {
  function targetOf(kind: GatewayKind): Gateway {
    const target = gateway?.choice?.of(kind)
    if (!target)
      throw new PortalError('gateway.not-open', 'Ligue primeiro este serviço de WhatsApp.', { status: 409 })
    return target
  }

  async function finish(instanceName: string, kind: GatewayKind): Promise<MoveOffer> {
    const target = targetOf(kind)
    const instance = await target.findInstance(instanceName)
    if (!instance) return { kind: 'waiting' }
    const { rows } = await db.query<{ end: 'moved' | 'other-phone' | 'none' }>(
      'select portal.finish_move($1, $2, $3) as "end"',
      [instanceName, kind, numberOf(instance)],
    )
    const end = rows[0]?.end ?? 'none'
    if (end === 'other-phone') await target.logout(instanceName)
    if (end === 'moved') {
      log.info('link.moved', { instance: instanceName, kind })
      await keepOpen({ db, log }, instance)
      onMoved(instanceName, kind)
    }
    return { kind: end === 'none' ? 'open' : end }
  }

  /** A linking in progress would keep showing its code, so it is cancelled before another phone gets one. */
  async function prepareNumber({ instanceName, kind, number }: Wanted): Promise<void> {
    if (number === undefined) return
    const { rowCount } = await db.query(
      `update portal.instance_moves set pairing_number = $2
       where "instanceName" = $1 and pairing_number is distinct from $2`,
      [instanceName, number],
    )
    const target = targetOf(kind)
    if (rowCount > 0 && (await target.linkState(instanceName)) === 'connecting')
      await target.logout(instanceName)
  }

  async function offer(wanted: Wanted): Promise<MoveOffer> {
    const { instanceName, kind, number } = wanted
    await prepareNumber(wanted)
    const offered = await targetOf(kind).connect(instanceName, number)
    if (offered.kind === 'open') return finish(instanceName, kind)
    return offered.kind === 'code' ? toOffer(offered, offered.count) : offered
  }

  async function look(instanceName: string, kind: GatewayKind): Promise<void> {
    const state = await gateway?.choice?.of(kind)?.linkState(instanceName)
    if (state === 'open') await finish(instanceName, kind)
  }

  const targetIn = async (instanceName: string): Promise<GatewayKind | null> => {
    const { rows } = await db.query<{ gateway: GatewayKind }>(
      'select gateway from portal.instance_moves where "instanceName" = $1',
      [instanceName],
    )
    return rows[0]?.gateway ?? null
  }

  return { targetOf, targetIn, offer, look }
}

/** Every method rejects with a PortalError whose message a person may read. */
export function createMoves(parts: MoveParts) {
  const { db, clock, log, gateway } = parts
  const orphaned = createOrphanedInstances(parts)
  const steps = createSteps(parts)
  const { targetOf, targetIn, offer, look } = steps

  /** Makes the instance on the target, or gives it a new address. */
  async function begin(claims: Claims, { instanceName, kind }: Wanted): Promise<void> {
    const target = targetOf(kind)
    await orphaned.inTurn(instanceName, async () => {
      const { secret, hash } = parts.makeWebhookSecret()
      await onBehalf(db, claims, (query) =>
        query('select portal.begin_move($1, $2, $3)', [instanceName, kind, hash]),
      )
      // First deletes what an earlier move left on this gateway. Otherwise it would be deleted later, while in use.
      if (!(await orphaned.clear(instanceName)))
        throw new PortalError(
          'move.not-yet',
          'A conexão anterior ainda está sendo removida. Tente de novo em instantes.',
          { status: 503 },
        )
      const webhook = { url: `${parts.webhookBase()}/webhook/${instanceName}/${secret}` }
      if (await target.findInstance(instanceName)) await target.setWebhook(instanceName, webhook)
      else await makeInstance({ gateway: target, clock }, instanceName, webhook)
    })
  }

  return {
    view: async (instanceName: string): Promise<MoveView> => ({
      gateway: (await gateway?.choice?.kindOf(instanceName)) ?? null,
      target: await targetIn(instanceName),
      kinds: gateway?.choice?.kinds ?? [],
    }),
    /** Begins or continues a move. Returns a code to scan until the new link is open. */
    step: (claims: Claims, wanted: Wanted): Promise<MoveOffer> =>
      forPerson(log, async () => {
        const { instanceName, kind } = wanted
        const target = targetOf(kind)
        if ((await targetIn(instanceName)) === kind && (await target.findInstance(instanceName)))
          return offer(wanted)
        try {
          await begin(claims, wanted)
        } catch (error) {
          // The broker has scanned the code, or the watch has seen the open link first.
          if (error instanceof SqlError && error.hint === 'move.same') return { kind: 'moved' }
          throw error
        }
        return offer(wanted)
      }),
    /** Cancels a move; does nothing if there is none. */
    end: async (claims: Claims, instanceName: string): Promise<void> => {
      await onBehalf(db, claims, (query) => query('select portal.end_move($1)', [instanceName]))
    },
    start: () => watchMoves(parts, look),
    continued: continuedBy(steps, log),
  }
}

/** Lets a broker, who cannot begin a move, continue the one that an administrator began. */
const continuedBy = ({ targetIn, offer, look }: Steps, log: Log): ContinuedMoves => ({
  async look(instanceName) {
    const kind = await targetIn(instanceName)
    if (kind !== null) await look(instanceName, kind).catch(noteUnseen(log, instanceName))
  },
  async continue(instanceName, number) {
    const kind = await targetIn(instanceName)
    if (kind === null) return null
    const offered = await offer({ instanceName, kind, number }).catch((error: unknown) => {
      if (error instanceof GatewayError && error.fault === 'unknown-instance') throw STOPPED
      throw error
    })
    if (offered.kind === 'other-phone') throw OTHER_PHONE
    return offered.kind === 'moved' ? { kind: 'open' } : offered
  },
})

const STOPPED = new PortalError(
  'move.stopped',
  'A mudança de serviço parou. Peça ao administrador que continue a mudança.',
  { status: 409 },
)
const OTHER_PHONE = new PortalError(
  'move.other-phone',
  'O código foi lido por outro número. Use o celular desta conexão.',
  { status: 409 },
)

const noteUnseen = (log: Log, instanceName: string) => (error: unknown) =>
  log.debug('link.move-not-seen', { instance: instanceName, ...errorFields(error) })

/** Finishes an instance's move to another gateway once its new link is open. The returned function stops this. */
function watchMoves(
  { db, clock, log }: MoveParts,
  lookAt: (instanceName: string, kind: GatewayKind) => Promise<void>,
): () => Promise<void> {
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const { rows } = await db.query<{ instanceName: string; gateway: GatewayKind }>(
      'select "instanceName", gateway from portal.instance_moves',
    )
    for (const { instanceName, gateway: kind } of rows)
      await lookAt(instanceName, kind).catch(noteUnseen(log, instanceName))
  }

  const stop = clock.every(LOOK_EVERY_MS, () => {
    looking = looking
      .then(look)
      .catch((error: unknown) => log.warn('link.moves-not-seen', errorFields(error)))
  })
  return async () => {
    stop()
    await looking
  }
}

async function forPerson<T>(log: Log, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    log.warn('link.failed', { fault: error.fault, status: error.status })
    throw new PortalError(`gateway.${error.fault}`, error.message, { status: 502, cause: error })
  }
}
