// The simulated gateway for tests: time passes only while a test waits, randomness is seeded, and webhooks are
// collected.
import { systemClock, type Clock } from '#server/clock.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import {
  createSimulator,
  startSimulator,
  type Simulator,
} from '#server/whatsapp/gateway/simulator/simulator.ts'
import type { Post } from '#server/whatsapp/gateway/simulator/webhooks.ts'
import type { Version } from '#server/whatsapp/gateway/simulator/state.ts'
import { createWahaGateway } from '#server/whatsapp/gateway/waha/client.ts'
import { createLog, type Log } from '#server/log.ts'
import type { Gateway } from '#server/gateway.ts'
import { manualClock, type ManualClock } from './clock.ts'

/** `until` advances the clock from one sleeper to the next while the promise is pending. */
export type SteppingClock = ManualClock & { until: <T>(promise: Promise<T>) => Promise<T> }

const TURNS = 20
/** Maximum wait for work in other threads, which needs no clock. */
const IDLE_MS = 20_000

export function steppingClock(seed = 1): SteppingClock {
  const clock = manualClock(Date.UTC(2026, 10, 21, 12))
  return {
    ...clock,
    randomBetween: chance(seed),
    async until(promise) {
      const wait = { isOpen: true }
      const end = () => (wait.isOpen = false)
      promise.then(end, end)
      for (let lastMs = performance.now(); performance.now() - lastMs < IDLE_MS;) {
        await turns()
        if (!wait.isOpen) return promise
        const nextMs = clock.nextDueInMs()
        if (nextMs === null) continue
        clock.advance(nextMs)
        lastMs = performance.now()
      }
      throw new Error('nothing is left that could end the wait')
    },
  }
}

/** Waits until all work that needs no clock is done. */
export async function turns() {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Seeded random numbers by Mulberry32. */
function chance(seed: number): Clock['randomBetween'] {
  let state = seed
  return (min, max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return min + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (max - min + 1))
  }
}

/** Real time, two hundred times as fast, for a simulator behind a real socket. */
export const hurriedClock: Clock = {
  ...systemClock,
  sleep: (delayMs, signal) => systemClock.sleep(delayMs / 200, signal),
}

type Envelope = {
  event: string
  instance: string
  data: Readonly<Record<string, unknown>> | null
  sender?: string
  destination: string
}
export type Delivered = { url: string; headers: Record<string, string>; body: Envelope; atMs: number }

/** Receives webhooks; `answers` are the next statuses, then 200. */
export function receiver(clock: Clock) {
  const all: Delivered[] = []
  const answers: number[] = []
  const waiting: { isIt: (delivered: Delivered) => boolean; found: (delivered: Delivered) => void }[] = []
  const post: Post = (url, { headers, body }) => {
    const delivered: Delivered = { url, headers, body: JSON.parse(body), atMs: clock.now() }
    all.push(delivered)
    for (const { isIt, found } of waiting) if (isIt(delivered)) found(delivered)
    return Promise.resolve(answers.shift() ?? 200)
  }
  return {
    all,
    answers,
    post,
    events: () => all.map(({ body }) => body.event),
    /** The first delivery, past or coming, of an event for which `isIt` holds. */
    first: (event: string, isIt: (delivered: Delivered) => boolean = () => true): Promise<Delivered> => {
      const fits = (delivered: Delivered) => delivered.body.event === event && isIt(delivered)
      const past = all.find(fits)
      if (past !== undefined) return Promise.resolve(past)
      return new Promise((found) => waiting.push({ isIt: fits, found }))
    },
  }
}

export const WEBHOOK = { url: 'http://portal.test/webhook/ana/segredo' }
export const silentLog: Log = createLog('error', () => undefined)

/** Simulator and client in one process with one clock. */
export function inProcess({ version = '2.3.7', seed = 1 }: { version?: Version; seed?: number } = {}) {
  const clock = steppingClock(seed)
  const webhooks = receiver(clock)
  const simulator = createSimulator({ clock, version, post: webhooks.post })
  return { clock, webhooks, simulator, gateway: clientOf(simulator, clock) }
}

/** Simulator and client of WAHA in one process with one clock. */
export function wahaInProcess({ version = '2026.7.1' }: { version?: Version } = {}) {
  const clock = steppingClock()
  const webhooks = receiver(clock)
  const simulator = createSimulator({ clock, speaks: 'waha', version, post: webhooks.post })
  const { apiKey, fetch } = simulator
  const gateway = createWahaGateway({ baseUrl: 'http://waha.test', apiKey, clock, log: silentLog, fetch })
  return { clock, webhooks, simulator, gateway }
}

const clientOf = ({ apiKey, fetch }: Simulator, clock: Clock): Gateway =>
  createEvolutionGateway({ baseUrl: 'http://gateway.test', apiKey, clock, log: silentLog, fetch })

/** The client over a real socket to a sped-up simulator. */
export async function overLoopback(version: Version) {
  const webhooks = receiver(hurriedClock)
  const simulator = await startSimulator({ clock: hurriedClock, version, post: webhooks.post })
  const { url: baseUrl, apiKey } = simulator
  const gateway = createEvolutionGateway({ baseUrl, apiKey, clock: systemClock, log: silentLog })
  return { webhooks, simulator, gateway }
}
