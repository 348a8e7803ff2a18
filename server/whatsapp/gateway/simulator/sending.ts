// A message on its way out: read, resolved, typed, taken and acknowledged, or refused as the real one does.
import type { Body } from './contents.ts'
import { acknowledge, keep, shown } from './mailbox.ts'
import { WireError } from './wire-errors.ts'
import type { AckPlan, Instance, Json, Message, SendEffect, World } from './state.ts'

export type Outgoing = { number: string; delayMs: number; body: () => Body }

/** Answers the envelope of a 201. */
export async function send(
  world: World,
  instance: Instance,
  { number, delayMs, body }: Outgoing,
): Promise<Json> {
  const next = instance.nextSends.shift()
  const jid = resolve(world, instance, { number, effect: next?.effect })
  await world.clock.sleep(delayMs + (next?.delayMs ?? 0))
  if (next?.effect === 'timed-out-unsent') throw new WireError(400, ['Error: Timed Out'])
  if (next?.effect === 'closed-400' || !canReach(instance))
    throw new WireError(400, ['Error: Connection Closed'])
  const message = keep(world, instance, {
    ...body(),
    key: { remoteJid: jid, fromMe: true, id: world.ids.sent() },
    pushName: 'Você',
    source: 'web',
  })
  const envelope = shown({ instance, message }, 'PENDING')
  world.emit(instance, 'send.message', envelope)
  void passAcks(world, instance, message)
  if (next?.effect === 'timed-out-sent') throw new WireError(400, ['Error: Timed Out'])
  return envelope
}

const canReach = (instance: Instance) => instance.state === 'open' && !instance.isZombie

function resolve(
  { numbers }: World,
  instance: Instance,
  { number, effect }: { number: string; effect: SendEffect | undefined },
): string {
  if (instance.socket === 0)
    throw new WireError(500, "Cannot read properties of undefined (reading 'onWhatsApp')")
  if (effect === 'closed-500' || (!canReach(instance) && !numbers.isCached(number)))
    throw new WireError(500, 'Connection Closed')
  if (effect === 'failed-500') throw new WireError(500, "Cannot read properties of null (reading 'id')")
  const { jid, exists } = numbers.resolve(number)
  if (!exists || effect === 'not-on-whatsapp') throw new WireError(400, [{ jid, exists: false, number }])
  return jid
}

const ACKS: Record<AckPlan, readonly string[]> = {
  delivered: ['SERVER_ACK', 'DELIVERY_ACK'],
  read: ['SERVER_ACK', 'DELIVERY_ACK', 'READ'],
  'server-only': ['SERVER_ACK'],
  none: [],
  error: ['ERROR'],
  reversed: ['DELIVERY_ACK', 'SERVER_ACK'],
}

async function passAcks(world: World, instance: Instance, message: Message) {
  for (const status of ACKS[instance.ackPlan]) {
    await new Promise<void>((resolve) => world.later(world.clock.randomBetween(150, 500), resolve))
    acknowledge(world, { instance, message }, status)
  }
  for (const tell of world.onSent) tell(instance, message)
}
