// A campaign: who is left out of it, and when it may send. SPEC.md 2.18, 4, 9; PRODUCT.md 4.5; EVOLUTION.md 5.

/** Who is left out of a campaign, and who was passed while it ran; beside the codes of outgoing.ts. */
export const EXCLUSION = {
  'opted-out': 'Pediu para não receber',
  'no-number': 'Sem número de WhatsApp',
  recent: 'Recebeu uma campanha há pouco',
  'no-lead': 'O contato foi removido',
  'handed-over': 'Passou para outro corretor',
  stopped: 'A campanha foi parada antes',
} as const

export type Exclusion = keyof typeof EXCLUSION

/** When and how much campaigns send; hours of the day in the portal's zone. */
export type SendingPolicy = {
  opensAt: number
  closesAt: number
  sendsOnSundays: boolean
  dailyCap: number
  warmUpFrom: number
  warmUpDays: number
}

const SECOND_MS = 1_000
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** How many messages a number may get on its n-th day of sending, counted from 1: it warms up to the cap. */
export function capOfDay({ dailyCap, warmUpFrom, warmUpDays }: SendingPolicy, day: number): number {
  if (day >= warmUpDays || warmUpFrom >= dailyCap) return dailyCap
  return Math.round(warmUpFrom + ((dailyCap - warmUpFrom) * (day - 1)) / (warmUpDays - 1))
}

/** The first instant from `atMs` on at which a campaign may send. */
export function nextOpening(policy: SendingPolicy, atMs: number, zone: string): number {
  let ms = atMs
  for (;;) {
    const { isSunday, second } = localTime(ms, zone)
    if ((isSunday && !policy.sendsOnSundays) || second >= policy.closesAt * HOUR_SECONDS)
      ms = nextMidnight(ms, zone)
    else if (second < policy.opensAt * HOUR_SECONDS)
      ms = onSecond(ms) + (policy.opensAt * HOUR_SECONDS - second) * SECOND_MS
    else return ms
  }
}

/** The first instant of the next day in the zone. */
export function nextMidnight(ms: number, zone: string): number {
  return onSecond(ms) + (DAY_SECONDS - localTime(ms, zone).second) * SECOND_MS
}

export type Forecast = {
  /** Messages still to send. */
  count: number
  atMs: number
  /** From one message to the next, on average. */
  stepMs: number
  policy: SendingPolicy
  /** What the number sent today, and on how many earlier days it sent campaigns. */
  sentToday: number
  earlierDays: number
  zone: string
}

/** When the last message goes out, if nothing holds the campaign up. */
export function forecastEnd({ count, atMs, stepMs, policy, sentToday, earlierDays, zone }: Forecast): number {
  let left = count
  let sent = sentToday
  let day = earlierDays + 1
  let today = nextMidnight(atMs, zone)
  let ms = nextOpening(policy, atMs, zone)
  while (left > 0) {
    if (ms >= today) {
      if (sent > 0) day++
      sent = 0
      today = nextMidnight(ms, zone)
    }
    const open = policy.closesAt * HOUR_SECONDS * SECOND_MS - localTime(ms, zone).second * SECOND_MS
    const most = Math.max(0, Math.min(capOfDay(policy, day) - sent, Math.ceil(open / Math.max(1, stepMs))))
    if (left <= most) return ms + (left - 1) * stepMs
    left -= most
    sent += most
    ms = nextOpening(policy, today, zone)
  }
  return ms
}

const onSecond = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS

const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(ms: number, zone: string): { isSunday: boolean; second: number } {
  let format = formats.get(zone)
  if (!format) {
    const parts = { weekday: 'short', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts })
    formats.set(zone, format)
  }
  const found = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const [hour = 0, minute = 0, second = 0] = (['hour', 'minute', 'second'] as const).map((type) =>
    Number(found.get(type)),
  )
  return { isSunday: found.get('weekday') === 'Sun', second: hour * HOUR_SECONDS + minute * 60 + second }
}
