// Takes one delivery in: private people left out, files kept apart, the rest stored raw until it is applied.
import { cleanText } from '#domain/clean-text.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import type { Body } from './body.ts'
import { detachMedia } from './delivery-media.ts'
import { createInbox, setAside } from './inbox.ts'
import { isDeeperThan } from './nesting.ts'
import { leavePrivateOut } from './private-door.ts'

export type Taken = 'stored' | 'ignored' | 'set-aside'

/** No delivery of a gateway is nested half as deep; readers and writers of JSON call themselves for each level. */
const MAX_DEPTH = 200

type TakingParts = {
  db: Database
  log: Log
  clock: Clock
  storage: MediaStore
  gateway: Pick<Gateway, 'fetchFile'> | null
  /** A delivery of this instance was stored. */
  wake: (instanceName: string) => void
}

/** The gateway that sent the delivery, known by its address. */
type Sender = { instanceName: string; kind: GatewayKind; reader: DeliveryReader }

export function createTaking({ db, log, clock, storage, gateway, wake }: TakingParts) {
  const inbox = createInbox(db)

  async function fetchFile({ instanceName, kind }: Sender, address: string): Promise<Uint8Array | null> {
    try {
      return (await gateway?.fetchFile?.(instanceName, address, kind)) ?? null
    } catch (error) {
      log.warn('webhook.no-file', { instance: instanceName, ...errorFields(error) })
      return null
    }
  }

  /** Resolves once the delivery is committed, or when nothing of it is to be stored. */
  return async ({ instanceName, kind, reader }: Sender, { text, files }: Body): Promise<Taken> => {
    const receivedAtMs = clock.now()
    const isTooDeep = isDeeperThan(MAX_DEPTH, text)
    const body = isTooDeep ? null : parse(text)
    const reading = isTooDeep
      ? ({ ok: false, reason: 'too-deep' } as const)
      : reader.readDelivery(body, receivedAtMs)
    if (!reading.ok) {
      log.warn('webhook.no-event', { instance: instanceName, length: text.length })
      await setAside(db.query, { instanceName, body: cleanText(text), receivedAtMs, reason: reading.reason })
      return 'set-aside'
    }
    if (reading.events.length === 0) return 'ignored'
    const jids = await leavePrivateOut(db.query, reader, { instanceName, body })
    if (jids === null) return 'ignored'
    await detachMedia(reader.filesOf(body), {
      held: files,
      store: storage,
      fetchFile: (address) => fetchFile({ instanceName, kind, reader }, address),
    })
    await inbox.store({ instanceName, kind, body: JSON.stringify(body), receivedAtMs, jids })
    wake(instanceName)
    return 'stored'
  }
}

function parse(sent: string): unknown {
  try {
    return JSON.parse(sent)
  } catch {
    return null
  }
}
