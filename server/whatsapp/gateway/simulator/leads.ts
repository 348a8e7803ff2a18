// The people of the demo: they write, read and answer now and then, and a phone scans the codes that are shown.
import { errorFields, type Log } from '#server/log.ts'
import { digitsOf } from '#domain/phone.ts'
import { receive } from './incoming.ts'
import { ANSWERS, ANSWERS_TO_QUESTIONS, FOLLOW_UPS, OPENERS, PICTURE_CAPTIONS } from './lead-messages.ts'
import { scan } from './linking.ts'
import { acknowledge, type Post } from './mailbox.ts'
import type { Instance, World } from './state.ts'

/** `number` is digits with country code. */
export type DemoContact = { number: string; name: string }
type Span = { min: number; max: number }

export type LeadsOptions = {
  /** Who may write to an instance. */
  contactsOf: (instanceName: string) => Promise<readonly DemoContact[]>
  log: Log
  /** Between two people who write unasked, over all instances. */
  writeEveryMs: Span
  /** From a shown code to its scan; 8 to 12 s. */
  scanAfterMs?: Span
}

const READ_AFTER_MS: Span = { min: 2_000, max: 12_000 }
const ANSWER_AFTER_MS: Span = { min: 4_000, max: 20_000 }
const FOLLOW_UP_AFTER_MS: Span = { min: 1_500, max: 6_000 }

/** Runs until the signal aborts. */
export function startLeads(world: World, options: LeadsOptions, signal: AbortSignal) {
  const { writeEveryMs, scanAfterMs = { min: 8_000, max: 12_000 } } = options
  world.onQr.push((instance) => world.later(within(world, scanAfterMs), () => scanCode(world, instance)))
  world.onSent.push((instance, message) => readAndAnswer(world, { instance, message }))
  void write()

  async function write() {
    while (!signal.aborted) {
      await world.clock.sleep(within(world, writeEveryMs), signal)
      if (signal.aborted) return
      await someoneWrites(world, options.contactsOf).catch((error: unknown) =>
        options.log.warn('simulator.leads-failed', errorFields(error)),
      )
    }
  }
}

const within = ({ clock }: World, { min, max }: Span) => clock.randomBetween(min, max)
const isLucky = ({ clock }: World, percent: number) => clock.randomBetween(1, 100) <= percent
const oneOf = <T>({ clock }: World, all: readonly T[]): T | undefined =>
  all[clock.randomBetween(0, all.length - 1)]

function scanCode(world: World, instance: Instance) {
  const number =
    instance.pairingNumber ?? `5511955${String(world.clock.randomBetween(0, 999_999)).padStart(6, '0')}`
  scan(world, instance, { number, name: 'Celular de demonstração' })
}

async function someoneWrites(world: World, contactsOf: LeadsOptions['contactsOf']) {
  const instance = oneOf(
    world,
    [...world.instances.values()].filter(({ state }) => state === 'open'),
  )
  const contact = instance && oneOf(world, await contactsOf(instance.name))
  if (instance === undefined || contact === undefined || instance.state !== 'open') return
  const { number: from, name } = contact
  if (isLucky(world, 8)) {
    receive(world, instance, { from, name, kind: 'image', text: oneOf(world, PICTURE_CAPTIONS) ?? '' })
  } else if (isLucky(world, 6)) {
    receive(world, instance, { from, name, kind: 'voice' })
  } else {
    receive(world, instance, { from, name, text: oneOf(world, OPENERS) ?? '' })
  }
  if (isLucky(world, 25)) sayLater(world, instance, { contact, lines: FOLLOW_UPS, after: FOLLOW_UP_AFTER_MS })
}

function sayLater(
  world: World,
  instance: Instance,
  { contact, lines, after }: { contact: DemoContact; lines: readonly string[]; after: Span },
) {
  world.later(within(world, after), () => {
    if (instance.state !== 'open') return
    receive(world, instance, { from: contact.number, name: contact.name, text: oneOf(world, lines) ?? '' })
  })
}

/** Most read what they get, half of those answer. */
function readAndAnswer(world: World, post: Post) {
  if (!post.message.updates.includes('DELIVERY_ACK') || !isLucky(world, 85)) return
  world.later(within(world, READ_AFTER_MS), () => {
    acknowledge(world, post, 'READ')
    if (!isLucky(world, 50)) return
    const { instance, message } = post
    const contact = { number: digitsOf(message.key.remoteJid), name: knownName(post) }
    const lines = JSON.stringify(message.content).includes('?') ? ANSWERS_TO_QUESTIONS : ANSWERS
    sayLater(world, instance, { contact, lines, after: ANSWER_AFTER_MS })
  })
}

const knownName = ({ instance, message }: Post) =>
  instance.messages.findLast(({ key }) => key.remoteJid === message.key.remoteJid && !key.fromMe)?.pushName ??
  'Contato'
