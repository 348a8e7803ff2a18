// Editing a rotation: pending changes against the saved state.
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
  /** A broker has to accept a lead before becoming its owner. */
  needsAcceptance: boolean
  /** How long an offer is valid. */
  acceptMinutes: number
  /** Minutes within which the new owner has to write, or the lead goes to the next broker; null: no limit. */
  answerMinutes: number | null
  /** Minutes within which a new lead is to be answered; null: the agency's target. Absent in older apps. */
  targetMinutes?: number | null | undefined
  /** The lead of a listing goes first to the broker who brought it. Absent in older apps. */
  listerFirst?: boolean | undefined
  /** The team whose gerente keeps seats and rules; null: administrators alone. Absent in older apps. */
  teamId?: string | null | undefined
  /** After this many brokers the lead goes to the bolsão. */
  maxHops: number
  /** A code in the text of this development's WhatsApp links. */
  textCode: string | null
}

/** Everything that is saved together. Seats are in order. */
export type RotationPlan = { name: string; settings: RotationSettings; seats: readonly SeatRules[] }

export type RotationDetails = RotationPlan & {
  id: number
  isActive: boolean
  /** Changes with every edit; saving compares it. */
  version: string
  leadsReceived: Readonly<Record<string, number>>
}

/** Limits of the table. */
export const MAX_ROTATION_NAME = 120
const TEXT_CODE = /^[A-Z0-9]{2,20}$/
const MAX_TEXT_CODE = 20
const DAY_MINUTES = 1_440

/** A new seat is active with weight 1. */
export const newSeat = (instanceName: string): SeatRules => ({
  instanceName,
  weight: 1,
  shifts: null,
  dailyCap: null,
  isActive: true,
})

/** Working days at office hours. */
export const NEW_SHIFT: Shift = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 }

/** Moves an item of a list; unchanged if it does not exist. */
export function movedTo<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const moved = list[from]
  if (moved === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, moved)
}

export type PlanChanges = {
  hasName: boolean
  /** The remaining brokers changed their order. */
  hasOrder: boolean
  /** How many joined, left, or have other rules. */
  seatCount: number
  hasSettings: boolean
}

/** Null: no pending changes. */
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

/** Compares plain data, without regard to key order. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return mine.length === theirs.size && mine.every(([key, value]) => isSame(value, theirs.get(key)))
}

/** Why a plan cannot be saved. */
export function planFault({ name, settings }: RotationPlan): 'name' | 'code' | null {
  if (name.trim() === '') return 'name'
  return settings.textCode === null || TEXT_CODE.test(settings.textCode) ? null : 'code'
}

/** Removes characters that a code may not have; null: none left. */
export const readTextCode = (typed: string): string | null =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, MAX_TEXT_CODE) || null

/** Why shifts cannot be saved. */
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

/** Minutes of a day from '09:00'; null for an invalid time. An end at midnight is the end of the day. */
export function fromClock(text: string, end: 'from' | 'to'): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return null
  const inDay = Number(hours) * 60 + Number(minutes)
  return end === 'to' && inDay === 0 ? DAY_MINUTES : inDay
}
