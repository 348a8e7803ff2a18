// Sends webhooks as the gateways do, in no fixed order and with several attempts. Also has the Evolution API's form.
import { createHmac } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Emit, Instance, Webhook } from './state.ts'

/** Sends one webhook and returns the receiver's status. */
export type Post = (url: string, init: { headers: Record<string, string>; body: string }) => Promise<number>

/**
 * What happens to the next webhooks of an instance. `reorder` holds `count` of them and sends them in
 * reverse.
 */
export type DeliveryPlan = {
  kind: 'lose' | 'delay' | 'duplicate' | 'reorder'
  count: number
  delayMs: number
}

/** Attempts, and the pause after each. */
export type Retries = { attempts: number; delayMs: (attempt: number) => number }
export type Delivery = { url: string; headers: Record<string, string>; body: string; retries?: Retries }
export type Happened = { instance: Instance; event: string; data: unknown }

/** How a gateway writes its webhooks, and how often it tries to deliver them. */
export type Form = {
  deliveriesOf: (happened: Happened) => Delivery[]
  /** Whether a status ends the attempts. */
  isFinal: (status: number) => boolean
  retries: (delivery: Delivery) => Retries
}

export type Deliveries = {
  emit: Emit
  plan(instanceName: string, plan: DeliveryPlan): void
}

const ATTEMPTS = 10
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 300_000
const NEVER_RETRIED = new Set([400, 401, 403, 404, 422])

type Parts = { clock: Clock; post: Post; signal: AbortSignal; form: Form }

export function createDeliveries(parts: Parts): Deliveries {
  const plans = new Map<string, DeliveryPlan[]>()
  const held = new Map<string, Delivery[]>()
  return {
    emit(instance, event, data) {
      for (const delivery of parts.form.deliveriesOf({ instance, event, data })) {
        const hold = held.get(instance.name) ?? []
        held.set(instance.name, hold)
        const plan = nextPlan(plans.get(instance.name))
        const delayMs = plan?.kind === 'delay' ? plan.delayMs : 0
        for (const due of planned(plan, delivery, hold)) void deliver(parts, due, delayMs)
      }
    },
    plan(instanceName, plan) {
      plans.set(instanceName, [...(plans.get(instanceName) ?? []), { ...plan }])
    },
  }
}

/** Uses up one webhook of the first plan. */
function nextPlan(plans: DeliveryPlan[] | undefined): DeliveryPlan | undefined {
  const plan = plans?.[0]
  if (plan === undefined) return undefined
  plan.count -= 1
  if (plan.count === 0) plans?.shift()
  return plan
}

function planned(plan: DeliveryPlan | undefined, delivery: Delivery, hold: Delivery[]): Delivery[] {
  if (plan?.kind === 'lose') return []
  if (plan?.kind === 'duplicate') return [delivery, delivery]
  if (plan?.kind !== 'reorder') return [delivery]
  hold.push(delivery)
  return plan.count === 0 ? hold.splice(0).toReversed() : []
}

async function deliver(
  { clock, post, signal, form }: Parts,
  delivery: Delivery,
  delayMs: number,
): Promise<void> {
  if (delayMs > 0) await clock.sleep(delayMs, signal)
  const { url, headers, body } = delivery
  const retries = form.retries(delivery)
  for (let attempt = 1; attempt <= retries.attempts && !signal.aborted; attempt++) {
    // No answer counts as a failure to retry.
    const status = await post(url, { headers, body }).catch(() => 0)
    const isOver = (status >= 200 && status < 300) || form.isFinal(status)
    if (isOver || attempt === retries.attempts) return
    await clock.sleep(retries.delayMs(attempt), signal)
  }
}

/** The Evolution API tries ten times. Five statuses end the attempts. */
export const evolutionForm = (given: {
  clock: Clock
  zoneMinutes: number
  serverUrl: () => string
}): Form => ({
  deliveriesOf: (happened) => {
    const delivery = deliveryOf(given, happened)
    return delivery === null ? [] : [delivery]
  },
  isFinal: (status) => NEVER_RETRIED.has(status),
  retries: () => ({ attempts: ATTEMPTS, delayMs: (attempt) => retryDelayMs(given.clock, attempt) }),
})

export function retryDelayMs(clock: Clock, attempt: number): number {
  const plainMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS)
  return Math.max(FIRST_RETRY_MS, Math.round((plainMs * clock.randomBetween(80, 120)) / 100))
}

function deliveryOf(
  { clock, zoneMinutes, serverUrl }: { clock: Clock; zoneMinutes: number; serverUrl: () => string },
  { instance, event, data }: Happened,
): Delivery | null {
  const { webhook } = instance
  if (webhook === null || !wants(webhook, event)) return null
  const destination = webhook.byEvents ? `${webhook.url}/${event.replaceAll('.', '-')}` : webhook.url
  const envelope = {
    event,
    instance: instance.name,
    data,
    destination: webhook.url,
    date_time: new Date(clock.now() + zoneMinutes * 60_000).toISOString(),
    sender: instance.owner?.jid,
    server_url: serverUrl(),
    apikey: instance.token,
  }
  return { url: destination, headers: headersOf(clock, webhook), body: JSON.stringify(envelope) }
}

/** An empty list of events means all. A URL that is not http is stored but never called. */
function wants(webhook: Webhook, event: string): boolean {
  if (!webhook.enabled || !/^https?:\/\//.test(webhook.url)) return false
  return webhook.events.length === 0 || webhook.events.includes(event.replaceAll('.', '_').toUpperCase())
}

function headersOf(clock: Clock, webhook: Webhook): Record<string, string> {
  const { jwt_key: jwtKey, ...headers } = webhook.headers ?? {}
  return {
    'content-type': 'application/json',
    ...headers,
    ...(jwtKey === undefined
      ? {}
      : { authorization: `Bearer ${token(jwtKey, Math.floor(clock.now() / 1000))}` }),
  }
}

function token(key: string, issuedAt: number): string {
  const claims = { iat: issuedAt, exp: issuedAt + 600, app: 'evolution', action: 'webhook' }
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
