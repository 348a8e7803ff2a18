// Takes one delivery in: private people left out, files kept apart, the rest read once and stored raw until it is applied.
import { cleanText } from '#domain/clean-text.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { errorFields, type Log } from '#server/log.ts'
import { keepMedia, type MediaStore } from '#server/storage/media-store.ts'
import type { Body } from './body.ts'
import { detachMedia } from './delivery-media.ts'
import type { Handover } from './handover.ts'
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
  handover: Handover
  /** Called when a delivery of this instance was stored. */
  wake: (instanceName: string) => void
}

/** The gateway that sent the delivery, known by its address. */
type Sender = { instanceName: string; kind: GatewayKind; reader: DeliveryReader }

export function createTaking({ db, log, clock, storage, gateway, handover, wake }: TakingParts) {
  const inbox = createInbox(db)

  async function fetchFile({ instanceName, kind }: Sender, address: string): Promise<Uint8Array | null> {
    try {
      return (await gateway?.fetchFile?.(instanceName, address, kind)) ?? null
    } catch (error) {
      log.warn('webhook.no-file', { instance: instanceName, ...errorFields(error) })
      return null
    }
  }

  async function refuse(
    { instanceName }: Sender,
    text: string,
    refusal: { receivedAtMs: number; reason: string },
  ) {
    log.warn('webhook.no-event', { instance: instanceName, length: text.length })
    await setAside(db.query, { instanceName, body: cleanText(text), ...refusal })
    return 'set-aside' as const
  }

  /** Resolves once the delivery is committed, or when nothing of it is to be stored. */
  return async (sender: Sender, { text, files: held }: Body): Promise<Taken> => {
    const { instanceName, kind, reader } = sender
    const receivedAtMs = clock.now()
    if (isDeeperThan(MAX_DEPTH, text)) return refuse(sender, text, { receivedAtMs, reason: 'too-deep' })
    const body = parse(text)
    const jids = await leavePrivateOut(db.query, reader, { instanceName, body })
    if (jids === null) return 'ignored'
    const files = await detachMedia(reader.filesOf(body), {
      held,
      fetchFile: (address) => fetchFile(sender, address),
    })
    const reading = reader.readDelivery(body, receivedAtMs)
    if (!reading.ok) return refuse(sender, text, { receivedAtMs, reason: reading.reason })
    if (reading.events.length === 0) return 'ignored'
    for (const bytes of files) await keepMedia(storage, bytes)
    const stored = JSON.stringify(body)
    const id = await inbox.store({ instanceName, kind, body: stored, receivedAtMs, jids })
    if (id !== null) handover.put(id, reading.events, stored.length)
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
