// An outgoing message: validated, resolved, typed, accepted and acknowledged, or refused as the real gateway
// does.
import type { Body } from './media/contents.ts'
import { acknowledge, keep, shown, type Post } from './mailbox.ts'
import { WireError } from './wire/errors.ts'
import type { AckPlan, Instance, Json, SendEffect, SimulatedState } from './state.ts'

export type Outgoing = { number: string; delayMs: number; body: () => Body }

/** Returns the body of a 201. */
export async function send(
  simulated: SimulatedState,
  instance: Instance,
  { number, delayMs, body }: Outgoing,
): Promise<Json> {
  const next = instance.nextSends.shift()
  const jid = resolve(simulated, instance, { number, effect: next?.effect })
  await simulated.clock.sleep(delayMs + (next?.delayMs ?? 0))
  if (next?.effect === 'timed-out-unsent') throw new WireError(400, ['Error: Timed Out'])
  if (next?.effect === 'closed-400' || !canReach(instance))
    throw new WireError(400, ['Error: Connection Closed'])
  const message = keep(simulated, instance, {
    ...body(),
    key: { remoteJid: jid, fromMe: true, id: simulated.ids.sent() },
    pushName: 'Você',
    source: 'web',
  })
  const envelope = shown({ instance, message }, 'PENDING')
  simulated.emit(instance, 'send.message', envelope)
  void passAcks(simulated, { instance, message })
  if (next?.effect === 'timed-out-sent') throw new WireError(400, ['Error: Timed Out'])
  return envelope
}

/** Resolves when the time is over. A number without WhatsApp is refused, as for a message. */
export async function showTyping(
  simulated: SimulatedState,
  instance: Instance,
  { number, delayMs }: Pick<Outgoing, 'number' | 'delayMs'>,
): Promise<void> {
  resolve(simulated, instance, { number, effect: undefined })
  await simulated.clock.sleep(delayMs)
}

const canReach = (instance: Instance) => instance.state === 'open' && !instance.isZombie

function resolve(
  { numbers }: SimulatedState,
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

export async function passAcks(
  simulated: SimulatedState,
  { instance, message }: Post,
  plan: AckPlan = instance.ackPlan,
) {
  for (const status of ACKS[plan]) {
    await new Promise<void>((resolve) => simulated.later(simulated.clock.randomBetween(150, 500), resolve))
    acknowledge(simulated, { instance, message }, status)
  }
  for (const notify of simulated.onSent) notify(instance, message)
}
