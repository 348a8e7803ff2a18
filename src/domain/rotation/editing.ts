// A rotation as an administrator edits it: pending edits apart from what stands, and what of it they change.
import type { SeatRules, Shift } from './rotation.ts'

/** A row of the list. */
export type Rotation = {
  id: number
  name: string
  isActive: boolean
  seatCount: number
  createdAtMs: number
}

export type RotationSettings = {
  /** A broker has to accept a lead before it is theirs. */
  needsAcceptance: boolean
  /** How long an offer stands. */
  acceptMinutes: number
  /** Within how long the new owner has to write, else the lead goes on; null: it stays. */
  answerMinutes: number | null
  /** Within how long its leads are to be answered first; null: the agency's target. An app of before leaves it out. */
  targetMinutes?: number | null | undefined
  /** To how many brokers a lead goes before every broker of the rotation may take it. */
  maxHops: number
  /** Stands in the text of this development's WhatsApp links. */
  textCode: string | null
}

/** All that is saved at once. Seats stand in the order of their turns. */
export type RotationPlan = { name: string; settings: RotationSettings; seats: readonly SeatRules[] }

export type RotationDetails = RotationPlan & {
  id: number
  isActive: boolean
  /** Changes with whatever can be edited; saving goes by it. */
  version: string
  leadsReceived: Readonly<Record<string, number>>
}

/** As the table has them. */
export const MAX_ROTATION_NAME = 120
const TEXT_CODE = /^[A-Z0-9]{2,20}$/
const MAX_TEXT_CODE = 20
const DAY_MINUTES = 1_440

/** One who joins is active and has the weight of any other. */
export const newSeat = (instanceName: string): SeatRules => ({
  instanceName,
  weight: 1,
  shifts: null,
  dailyCap: null,
  isActive: true,
})

/** Days of work, at the hours of an office. */
export const NEW_SHIFT: Shift = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 }

/** The list with one of it at another place; as it is where there is no such one. */
export function movedTo<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const moved = list[from]
  if (moved === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, moved)
}

export type PlanChanges = {
  hasName: boolean
  /** Those who stay have other places among each other. */
  hasOrder: boolean
  /** How many joined, left, or have other rules. */
  seatCount: number
  hasSettings: boolean
}

/** Null: nothing is pending. */
export function changesOf(before: RotationPlan, after: RotationPlan): PlanChanges | null {
  const standing = new Map(before.seats.map((seat) => [seat.instanceName, seat]))
  const wanted = new Set(after.seats.map(({ instanceName }) => instanceName))
  const stay = before.seats.filter(({ instanceName }) => wanted.has(instanceName))
  const remaining = after.seats.filter(({ instanceName }) => standing.has(instanceName))
  const changed = after.seats.filter((seat) => !isSame(seat, standing.get(seat.instanceName)))
  const changes = {
    hasName: after.name.trim() !== before.name,
    hasOrder: remaining.some(({ instanceName }, index) => instanceName !== stay[index]?.instanceName),
    seatCount: changed.length + before.seats.length - stay.length,
    hasSettings: !isSame(before.settings, after.settings),
  }
  const { hasName, hasOrder, seatCount, hasSettings } = changes
  return hasName || hasOrder || hasSettings || seatCount > 0 ? changes : null
}

/** Of plain data, whatever the order of its keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return mine.length === theirs.size && mine.every(([key, value]) => isSame(value, theirs.get(key)))
}

/** What keeps a plan from being saved. */
export function planFault({ name, settings }: RotationPlan): 'name' | 'code' | null {
  if (name.trim() === '') return 'name'
  return settings.textCode === null || TEXT_CODE.test(settings.textCode) ? null : 'code'
}

/** As typed, with what no code has left out; null: none. */
export const readTextCode = (typed: string): string | null =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, MAX_TEXT_CODE) || null

/** What keeps shifts from being applied. */
export function shiftsFault(shifts: readonly Shift[] | null): 'none' | 'days' | 'hours' | null {
  if (shifts === null) return null
  if (shifts.length === 0) return 'none'
  if (shifts.some(({ days }) => days.length === 0)) return 'days'
  return shifts.some(({ from, to }) => from === to) ? 'hours' : null
}

/** '09:00'; the end of a day is '00:00'. */
export function toClock(minutes: number): string {
  const inDay = minutes % DAY_MINUTES
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

/** Minutes of a day from '09:00'; null where it is no time. An end at midnight is the end of its day. */
export function fromClock(text: string, end: 'from' | 'to'): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return null
  const inDay = Number(hours) * 60 + Number(minutes)
  return end === 'to' && inDay === 0 ? DAY_MINUTES : inDay
}
