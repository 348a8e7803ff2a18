// Delays between messages: quick exchanges, working hours, nights, the days until a visit.
import type { Gap, Speaker } from './beats.ts'
import { DAY, HOUR, MINUTE, type Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'

export type Visit = { at: number; otherHour: number }

export type Moment = {
  at: number
  by: Speaker
  after: Gap
  paceMinutes: number
  /** Set once a visit is agreed. */
  visit: Visit | null
}

const OPEN_HOURS: Record<Exclude<Speaker, 'agent'>, readonly [number, number]> = {
  broker: [8, 21.75],
  lead: [7, 23],
}
const SATURDAY = 6

/** When `by` speaks after the message at `at`. */
export function nextMoment(moment: Moment, calendar: Calendar, random: Random): number {
  const at = moment.at + Math.round(gapSeconds(moment, random))
  return moment.by === 'agent' ? at : awake(at, moment.by, { calendar, random })
}

function gapSeconds({ at, after, paceMinutes, visit }: Moment, random: Random): number {
  switch (after) {
    case 'arrival':
      return 0
    case 'machine':
      return random.between(4, 15)
    case 'chat':
      return limit(random.around(4 * MINUTE, 1.1), 15, 3 * HOUR)
    case 'response':
      return limit(random.around(paceMinutes * MINUTE, 1.25), 20, 3 * DAY)
    case 'hours':
      return random.between(45 * MINUTE, 7 * HOUR)
    case 'days':
      return random.between(DAY, 3 * DAY)
    case 'week':
      return random.between(4 * DAY, 8 * DAY)
    case 'visitMorning':
      return Math.max(10 * MINUTE, (visit?.at ?? at) - at - random.between(60, 170) * MINUTE)
    case 'afterVisit':
      return Math.max(HOUR, (visit?.at ?? at) - at + random.between(2 * HOUR, 5 * HOUR))
  }
}

/** Moves a time of the night to the next morning. */
function awake(
  at: number,
  by: keyof typeof OPEN_HOURS,
  { calendar, random }: { calendar: Calendar; random: Random },
) {
  const [opens, closes] = OPEN_HOURS[by]
  const hour = calendar.hourOf(at)
  if (hour >= opens && hour < closes) return at
  const morning = calendar.atHour(hour < opens ? at : at + DAY, opens)
  return morning + random.between(2 * MINUTE, 100 * MINUTE)
}

/** A visit some days ahead, preferably on a Saturday, on the hour or half past. */
export function chooseVisit(at: number, calendar: Calendar, random: Random): Visit {
  const untilSaturday = (SATURDAY - calendar.weekdayOf(at) + 7) % 7
  const isSaturday = untilSaturday >= 2 && random.chance(0.6)
  const day = at + (isSaturday ? untilSaturday : random.between(2, 6)) * DAY
  const hour = random.between(10, isSaturday ? 13 : 17) + random.pick([0, 0, 0.5])
  return { at: calendar.atHour(day, hour), otherHour: Math.floor(hour) + 2 }
}

const limit = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))
