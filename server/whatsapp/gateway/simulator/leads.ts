// Simulates the demonstration's people, who write, read, answer and scan the shown QR codes.
import { errorFields, type Log } from '#server/log.ts'
import { digitsOf } from '#domain/phone/phone.ts'
import { receive, tellCall } from './incoming.ts'
import { ANSWERS, ANSWERS_TO_QUESTIONS, FOLLOW_UPS, OPENERS, PICTURE_CAPTIONS } from './lead-messages.ts'
import { scan } from './linking.ts'
import { acknowledge, type Post } from './mailbox.ts'
import type { Instance, SimulatedState } from './state.ts'

/** `number` is digits with country code. */
export type DemoContact = { number: string; name: string }
type Span = { min: number; max: number }

export type LeadsOptions = {
  /** Who may write to an instance. */
  contactsOf: (instanceName: string) => Promise<readonly DemoContact[]>
  /** The number of the phone that scans the codes of an instance. Null: any phone scans them. */
  numberOf?: (instanceName: string) => Promise<string | null>
  log: Log
  /** Time between two unprompted messages, over all instances. */
  writeEveryMs: Span
  /** Time from a shown code to its scan; 8 to 12 s by default. */
  scanAfterMs?: Span
}

const READ_AFTER_MS: Span = { min: 2_000, max: 12_000 }
const ANSWER_AFTER_MS: Span = { min: 4_000, max: 20_000 }
const RINGING_MS = 45_000
const MAX_PHOTOS = 6
const FOLLOW_UP_AFTER_MS: Span = { min: 1_500, max: 6_000 }

/** Runs until the signal aborts. */
export function startLeads(simulated: SimulatedState, options: LeadsOptions, signal: AbortSignal) {
  const { writeEveryMs, scanAfterMs = { min: 8_000, max: 12_000 } } = options
  const logFault = (error: unknown) => options.log.warn('simulator.leads-failed', errorFields(error))
  simulated.onQr.push((instance) =>
    simulated.later(within(simulated, scanAfterMs), () => {
      scanCode(simulated, instance, options.numberOf).catch(logFault)
    }),
  )
  simulated.onSent.push((instance, message) => readAndAnswer(simulated, { instance, message }))
  void write()

  async function write() {
    while (!signal.aborted) {
      await simulated.clock.sleep(within(simulated, writeEveryMs), signal)
      if (signal.aborted) return
      await someoneWrites(simulated, options.contactsOf).catch(logFault)
    }
  }
}

const within = ({ clock }: SimulatedState, { min, max }: Span) => clock.randomBetween(min, max)
const isLucky = ({ clock }: SimulatedState, percent: number) => clock.randomBetween(1, 100) <= percent
const oneOf = <T>({ clock }: SimulatedState, all: readonly T[]): T | undefined =>
  all[clock.randomBetween(0, all.length - 1)]

async function scanCode(simulated: SimulatedState, instance: Instance, numberOf: LeadsOptions['numberOf']) {
  const number =
    instance.pairingNumber ??
    (await numberOf?.(instance.name)) ??
    `5511955${String(simulated.clock.randomBetween(0, 999_999)).padStart(6, '0')}`
  scan(simulated, instance, { number, name: 'Celular de demonstração' })
}

async function someoneWrites(simulated: SimulatedState, contactsOf: LeadsOptions['contactsOf']) {
  const instance = oneOf(
    simulated,
    [...simulated.instances.values()].filter(({ state }) => state === 'open'),
  )
  const contact = instance && oneOf(simulated, await contactsOf(instance.name))
  if (instance === undefined || contact === undefined || instance.state !== 'open') return
  const { number: from, name } = contact
  if (isLucky(simulated, 8)) sendPhotos(simulated, instance, contact)
  else if (isLucky(simulated, 6)) receive(simulated, instance, { from, name, kind: 'voice' })
  else if (isLucky(simulated, 4)) return callInVain(simulated, instance, contact)
  else receive(simulated, instance, { from, name, text: oneOf(simulated, OPENERS) ?? '' })
  if (isLucky(simulated, 25))
    sayLater(simulated, instance, { contact, lines: FOLLOW_UPS, after: FOLLOW_UP_AFTER_MS })
}

/** One photo, or an album. */
function sendPhotos(simulated: SimulatedState, instance: Instance, { number: from, name }: DemoContact) {
  const text = oneOf(simulated, PICTURE_CAPTIONS) ?? ''
  const count = simulated.clock.randomBetween(1, MAX_PHOTOS)
  if (count === 1) {
    receive(simulated, instance, { from, name, kind: 'image', text })
    return
  }
  const id = receive(simulated, instance, { from, name, kind: 'album', text: String(count) })
  for (let photo = 0; photo < count; photo++)
    receive(simulated, instance, { from, name, kind: 'album-photo', text: '', target: { id } })
}

/** A call that rings until it ends by itself. */
function callInVain(simulated: SimulatedState, instance: Instance, { number: from }: DemoContact) {
  const call = { instance: instance.name, from, isVideo: isLucky(simulated, 25) }
  const id = tellCall(simulated, instance, { ...call, status: 'offer' })
  simulated.later(RINGING_MS, () => {
    if (instance.state === 'open') tellCall(simulated, instance, { ...call, id, status: 'timeout' })
  })
}

function sayLater(
  simulated: SimulatedState,
  instance: Instance,
  { contact, lines, after }: { contact: DemoContact; lines: readonly string[]; after: Span },
) {
  simulated.later(within(simulated, after), () => {
    if (instance.state !== 'open') return
    receive(simulated, instance, {
      from: contact.number,
      name: contact.name,
      text: oneOf(simulated, lines) ?? '',
    })
  })
}

/** Most people read a message, and half of those answer. */
function readAndAnswer(simulated: SimulatedState, post: Post) {
  if (!post.message.updates.includes('DELIVERY_ACK') || !isLucky(simulated, 85)) return
  simulated.later(within(simulated, READ_AFTER_MS), () => {
    acknowledge(simulated, post, 'READ')
    if (!isLucky(simulated, 50)) return
    const { instance, message } = post
    const contact = { number: digitsOf(message.key.remoteJid), name: knownName(post) }
    const lines = JSON.stringify(message.content).includes('?') ? ANSWERS_TO_QUESTIONS : ANSWERS
    sayLater(simulated, instance, { contact, lines, after: ANSWER_AFTER_MS })
  })
}

const knownName = ({ instance, message }: Post) =>
  instance.messages.findLast(({ key }) => key.remoteJid === message.key.remoteJid && !key.fromMe)?.pushName ??
  'Contato'
