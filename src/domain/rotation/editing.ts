// Editing a rotation: compares unsaved changes with the saved state.
import type { SeatRules, Shift } from './rotation.ts'

/** A rotation in the list. */
export type Rotation = {
  id: number
  name: string
  isActive: boolean
  seatCount: number
  createdAtMs: number
}

export type RotationSettings = {
  /** True if a broker must accept a lead before becoming its owner. */
  needsAcceptance: boolean
  /** An offer expires after this many minutes. */
  acceptMinutes: number
  /** If the new owner has not written within this time, the lead goes to the next broker. Null if there is no limit. */
  answerMinutes: number | null
  /**
   * New leads should be answered within this time. Null if the agency's target applies. Rotations stored by older apps
   * lack it.
   */
  targetMinutes?: number | null | undefined
  /**
   * True if a listing's lead goes first to the broker who brought the listing. Rotations stored by older apps lack it.
   */
  listerFirst?: boolean | undefined
  /**
   * The team whose gerente may edit seats and rules; null if only administrators may. Rotations stored by older apps
   * lack it.
   */
  teamId?: string | null | undefined
  /** After this many brokers the lead goes to the bolsão, where any broker may take it. */
  maxHops: number
  /** The code in the text of the development's WhatsApp links; null if there is none. */
  textCode: string | null
}

/** What one save writes. The seats are in order. */
export type RotationPlan = { name: string; settings: RotationSettings; seats: readonly SeatRules[] }

export type RotationDetails = RotationPlan & {
  id: number
  isActive: boolean
  /** Changes with every edit; the server refuses to save over another version. */
  version: string
  leadsReceived: Readonly<Record<string, number>>
}

/** The limits of the database's columns. */
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

/** A new shift covers the working days at office hours. */
export const NEW_SHIFT: Shift = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 }

/** Moves an item of a list. The list stays as it is if the item does not exist. */
export function movedTo<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const moved = list[from]
  if (moved === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, moved)
}

export type PlanChanges = {
  hasName: boolean
  /** True if brokers who stay have another order. */
  hasOrder: boolean
  /** How many brokers joined, left, or got other rules. */
  seatCount: number
  hasSettings: boolean
}

/** Returns what the edits change; null if nothing. */
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

/** Compares plain data; the order of keys does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return mine.length === theirs.size && mine.every(([key, value]) => isSame(value, theirs.get(key)))
}

/** Tells which part of a plan prevents saving; null if it can be saved. */
export function planFault({ name, settings }: RotationPlan): 'name' | 'code' | null {
  if (name.trim() === '') return 'name'
  return settings.textCode === null || TEXT_CODE.test(settings.textCode) ? null : 'code'
}

/** Removes characters that a code may not have; null if none are left. */
export const readTextCode = (typed: string): string | null =>
  typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, MAX_TEXT_CODE) || null

/** Tells why shifts cannot be saved; null if they can. */
export function shiftsFault(shifts: readonly Shift[] | null): 'none' | 'days' | 'hours' | null {
  if (shifts === null) return null
  if (shifts.length === 0) return 'none'
  if (shifts.some(({ days }) => days.length === 0)) return 'days'
  return shifts.some(({ from, to }) => from === to) ? 'hours' : null
}

/** For example '09:00'. The end of a day is written as '00:00'. */
export function toClock(minutes: number): string {
  const inDay = minutes % DAY_MINUTES
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

/** Reads '09:00' as minutes of the day; null if invalid. An end at '00:00' is the end of the day. */
export function fromClock(text: string, end: 'from' | 'to'): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return null
  const inDay = Number(hours) * 60 + Number(minutes)
  return end === 'to' && inDay === 0 ? DAY_MINUTES : inDay
}
