// Rules for writing a campaign: who gets it, whether it may start, when it ends.
import type { Pacing } from '../campaigns-data.ts'
import { capOfDay, type Exclusion, forecastEnd, nextOpening, wallClock } from '#domain/campaign.ts'
import { type Lead, spokenAtMs } from '#domain/lead/lead.ts'
import { MAX_CAPTION, MAX_TEXT } from '#domain/message/outgoing.ts'
import { fillName } from '#domain/message/placeholder.ts'

export type LeftOut = { lead: Lead; exclusion: Exclusion }
/** A stage's leads, the latest message first: `may` can get a campaign, `leftOut` cannot. */
export type Audience = { may: readonly Lead[]; leftOut: readonly LeftOut[] }

/**
 * Divides a stage's leads into those who may get a campaign and those who may not. `exclusions` are the server's
 * reasons by contact. For a lead without an entry (a new lead, or before they are loaded) its card decides.
 * `development` restricts the leads to those interested in it; '' does not restrict them.
 */
export function audienceOf(
  leads: Iterable<Lead>,
  { stageSlug, development = '' }: { stageSlug: string; development?: string },
  exclusions: ReadonlyMap<number, Exclusion | null> | undefined,
): Audience {
  const may: Lead[] = []
  const leftOut: LeftOut[] = []
  const inStage = [...leads].filter(
    (lead) =>
      lead.stageSlug === stageSlug && (development === '' || developmentsOf(lead).includes(development)),
  )
  for (const lead of inStage.toSorted((a, b) => spokenAtMs(b) - spokenAtMs(a) || b.id - a.id)) {
    const exclusion = exclusionOf(lead, exclusions?.get(lead.id) ?? null)
    if (exclusion === null) may.push(lead)
    else leftOut.push({ lead, exclusion })
  }
  return { may, leftOut }
}

/** Returns the development that the lead counts for in figures, and then the lead's other interests. */
const developmentsOf = ({ development, interests }: Lead): string[] =>
  [development, ...(interests ?? [])].filter((name) => name !== null)

/** Returns the names of the developments that a stage's leads are interested in, in alphabetical order. */
export function developmentsIn(leads: Iterable<Lead>, stageSlug: string): string[] {
  const names = new Set(
    [...leads].flatMap((lead) => (lead.stageSlug === stageSlug ? developmentsOf(lead) : [])),
  )
  return [...names].toSorted((one, other) => one.localeCompare(other, 'pt-BR'))
}

function exclusionOf(lead: Lead, reported: Exclusion | null): Exclusion | null {
  if (lead.isOptedOut) return 'opted-out'
  return reported ?? (lead.number === null ? 'no-number' : null)
}

export const mostLetters = (hasFile: boolean) => (hasFile ? MAX_CAPTION : MAX_TEXT)

/** Tells how long the text is for the recipient with the longest name. */
export function longestText(message: string, leads: readonly Lead[]): number {
  return leads.reduce(
    (longest, { name }) => Math.max(longest, fillName(message, name).length),
    message.trim().length,
  )
}

export type StartState = {
  isOnline: boolean
  stageSlug: string
  isLoading: boolean
  contactCount: number
  message: string
  textLength: number
  hasFile: boolean
  isPreparing: boolean
  isFileLost: boolean
  /** True if a lead's new name or stage has not reached the server yet. */
  hasUnsent: boolean
  /** When the campaign starts. Null means now; NaN means that the user has chosen no time yet. */
  startsAtMs: number | null
  nowMs: number
}

export type StartProblem =
  | 'offline'
  | 'no-stage'
  | 'loading'
  | 'no-contacts'
  | 'empty'
  | 'too-long'
  | 'preparing'
  | 'file-lost'
  | 'unsent'
  | 'no-time'
  | 'past'

/** Returns the first thing that prevents the start, in the order of the page. Null if the campaign may start. */
export function startProblem(state: StartState): StartProblem | null {
  const { startsAtMs, nowMs } = state
  if (!state.isOnline) return 'offline'
  if (state.stageSlug === '') return 'no-stage'
  if (state.message.trim() === '') return 'empty'
  if (state.textLength > mostLetters(state.hasFile)) return 'too-long'
  if (state.isPreparing) return 'preparing'
  if (state.isFileLost) return 'file-lost'
  if (state.isLoading) return 'loading'
  if (state.contactCount === 0) return 'no-contacts'
  if (state.hasUnsent) return 'unsent'
  if (startsAtMs === null) return null
  if (Number.isNaN(startsAtMs)) return 'no-time'
  return startsAtMs <= nowMs ? 'past' : null
}

export type Forecast = {
  beginsAtMs: number
  endsAtMs: number
  /** How many of the messages go out today. Null if all of them do, or if the campaign starts on a later day. */
  todayCount: number | null
}

/** Computes when the first and the last of `count` messages go out, if nothing delays the campaign. */
export function forecastOf(
  pacing: Pacing,
  count: number,
  { atMs, nowMs }: { atMs: number; nowMs: number },
): Forecast {
  const { zone, stepMs, sentToday, earlierDays } = pacing
  const isToday = wallClock(atMs, zone).slice(0, 10) === wallClock(nowMs, zone).slice(0, 10)
  const used = isToday
    ? { sentToday, earlierDays }
    : { sentToday: 0, earlierDays: earlierDays + (sentToday > 0 ? 1 : 0) }
  const end = (messages: number) =>
    forecastEnd({ count: messages, atMs, stepMs, policy: pacing, zone, ...used })
  const [beginsAtMs, endsAtMs] = [Math.max(end(1), nextOpening(pacing, atMs, zone)), end(count)]
  const dayOf = (ms: number) => wallClock(ms, zone).slice(0, 10)
  const isLong = dayOf(beginsAtMs) === dayOf(nowMs) && dayOf(endsAtMs) !== dayOf(nowMs)
  const left = capOfDay(pacing, earlierDays + 1) - sentToday
  return { beginsAtMs, endsAtMs, todayCount: isLong ? Math.min(left, count) : null }
}
