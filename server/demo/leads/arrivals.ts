// When and from where leads arrive: more on weekdays, in waking hours and recently, most from advertisements.
import { DAY, HOUR, type Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'

export const DEMO_DAYS = 90

/** Sunday first. */
const WEEKDAY_WEIGHTS = [96, 214, 238, 226, 201, 187, 122]
const HOUR_WEIGHTS = [
  1, 0.5, 0.3, 0.2, 0.2, 0.5, 2, 4, 8, 11, 12, 11, 10, 9, 10, 11, 11, 11, 12, 13, 14, 12, 8, 4,
]
/** Leads of the newest day, relative to the oldest. */
const GROWTH = 1.5

const HOURS = HOUR_WEIGHTS.map((weight, hour) => [hour, weight] as const)

/** Draws arrival times between `oldest` and `newest`, at most DEMO_DAYS ago. */
export function createArrivals(calendar: Calendar, random: Random) {
  const midnight = calendar.atHour(calendar.now, 0)
  const days = Array.from({ length: DEMO_DAYS }, (_, daysAgo) => {
    const day = midnight - daysAgo * DAY
    const growth = GROWTH - ((GROWTH - 1) * daysAgo) / DEMO_DAYS
    return [day, (WEEKDAY_WEIGHTS[calendar.weekdayOf(day)] ?? 0) * growth] as const
  })
  return function draw(oldest: number, newest: number): number {
    const at = random.weigh(days) + random.weigh(HOURS) * HOUR + random.between(0, HOUR - 1)
    return at >= oldest && at <= newest ? at : draw(oldest, newest)
  }
}

const SOURCES: readonly (readonly [string, number])[] = [
  ['instagram', 322],
  ['facebook', 219],
  ['google', 161],
  ['site', 110],
  ['indicacao', 66],
  ['midia-fisica', 50],
  ['whatsapp', 30],
  ['form', 16],
  ['organico', 10],
  ['telefone', 6],
  ['email', 4],
  ['desconhecida', 6],
]
/** How often a source names its campaign, and how often a form comes instead of a message. */
const FROM_CAMPAIGN: Record<string, number> = {
  instagram: 0.86,
  facebook: 0.84,
  google: 0.7,
  site: 0.3,
  form: 0.6,
}
const BY_FORM: Record<string, number> = { form: 1, email: 1, telefone: 0.8, site: 0.45, facebook: 0.06 }

export function drawSource(random: Random) {
  const source = random.weigh(SOURCES)
  return {
    source,
    isFromCampaign: random.chance(FROM_CAMPAIGN[source] ?? 0.04),
    isForm: random.chance(BY_FORM[source] ?? 0),
  }
}
