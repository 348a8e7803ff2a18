// Proposes the next tries for a silent lead. Days and kinds come from the broker's own default, else from a template.
// Texts come only from a template, because a plan sends only what a person wrote.
import { nextOpening, type SendingHours } from '../campaign.ts'
import { calendarDay, TIME_ZONE } from '../format.ts'
import type { Lead } from '../lead/lead.ts'
import type { Message } from '../message/message.ts'
import { fillName } from '../message/placeholder.ts'
import { zonedMs } from '../zone.ts'
import type { LeadPlan, Try, TryKind } from './plan.ts'

/** `minute` counts from midnight; `day` counts from the plan's beginning. */
export type TemplateStep = { day: number; minute: number; kind: TryKind; text: string }
export type Templates = {
  own: readonly TemplateStep[] | null
  /** A `development` of null means the template of the whole agency. */
  shared: readonly { development: string | null; steps: readonly TemplateStep[] }[]
}

/** Proposed if there is no template. */
const USUAL: readonly TemplateStep[] = [
  { day: 1, minute: 600, kind: 'message', text: '' },
  { day: 4, minute: 900, kind: 'call', text: '' },
  { day: 7, minute: 540, kind: 'message', text: '' },
]

export const MAX_TRIES = 5

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

function templateFor({ shared }: Templates, development: string | null): readonly TemplateStep[] {
  const own = shared.find(({ development: name }) => name && development && fold(name) === fold(development))
  return (own ?? shared.find(({ development: name }) => name === null))?.steps ?? []
}

type Proposed = { templates: Templates; hours: SendingHours; nowMs: number; newId: () => string }

export function proposeTries(
  { name, development }: Pick<Lead, 'name' | 'development'>,
  { templates, hours, nowMs, newId }: Proposed,
): Try[] {
  const written = templateFor(templates, development)
  const steps = templates.own ?? (written.length > 0 ? written : USUAL)
  const texts = written.filter(({ kind }) => kind === 'message').map(({ text }) => text)
  let beforeMs = nowMs
  let messages = 0
  return steps.map(({ day, minute, kind }) => {
    const wantedMs = zonedMs(calendarDay(nowMs) + day, Math.floor(minute / 60), minute % 60)
    beforeMs = moveIntoHours(wantedMs, { hours, beforeMs })
    const text = kind === 'message' ? fillName(texts[messages++] ?? '', name) : ''
    return { operationId: newId(), kind, dueAtMs: beforeMs, text }
  })
}

/**
 * Moves a time into the allowed hours, as portal.plan_due does. A moved time must not fall on the day of the step
 * before.
 */
export function moveIntoHours(
  wantedMs: number,
  { hours, beforeMs }: { hours: SendingHours; beforeMs: number },
): number {
  const dueMs = nextOpening(hours, wantedMs, TIME_ZONE)
  const isMoved = dueMs !== wantedMs
  return isMoved && calendarDay(dueMs) === calendarDay(beforeMs)
    ? nextOpening(hours, zonedMs(calendarDay(dueMs) + 1, 0), TIME_ZONE)
    : dueMs
}

/** Proposes one more try, a day after the last one at the same hour. */
export function oneMore(tries: readonly Try[], { hours, nowMs, newId }: Omit<Proposed, 'templates'>): Try {
  const lastMs = Math.max(nowMs, ...tries.map(({ dueAtMs }) => dueAtMs))
  const dueAtMs = moveIntoHours(lastMs + DAY_MS, { hours, beforeMs: lastMs })
  return { operationId: newId(), kind: 'call', dueAtMs, text: '' }
}

const DAY_MS = 86_400_000
const SILENT_MS = 2 * DAY_MS

/**
 * Tells since when the lead has written nothing. Null if the newest message is the lead's, or the broker has written
 * none.
 */
export function silentSince(lead: Pick<Lead, 'createdAtMs'>, messages: readonly Message[]): number | null {
  if (messages.findLast(({ direction }) => direction !== 'note')?.direction !== 'outgoing') return null
  const last = messages.findLast(({ direction }) => direction === 'incoming')
  return last ? last.sentAtSeconds * 1000 : lead.createdAtMs
}

type Asked = {
  lead: Lead
  sinceMs: number | null
  plan: LeadPlan | null
  isOpenStage: boolean
  nowMs: number
}

/** True if the strip proposes a plan. It does so once, if the lead has been silent for two days. */
export function isPlanProposed({ lead, sinceMs, plan, isOpenStage, nowMs }: Asked): boolean {
  return (
    sinceMs !== null &&
    nowMs - sinceMs > SILENT_MS &&
    isOpenStage &&
    !lead.isOptedOut &&
    lead.next.length === 0 &&
    (lead.later ?? []).length === 0 &&
    (plan === null || (plan.state === 'ended' && plan.startedAtMs <= sinceMs))
  )
}
