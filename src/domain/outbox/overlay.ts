// Applies pending changes to the board from the server.
import { type Command, type Entry, isChange, isOfPrivacy, isShown, needsDecision } from './command.ts'
import type { Lead, Refusal } from '../lead/lead.ts'
import { afterDeed, beginning, unseen } from '../next-action/next-action.ts'
import { afterLater } from '../next-action/later.ts'
import { afterPlan } from './plan-overlay.ts'
import { DEFAULT_STAGE_SLUG } from '../stage.ts'

/**
 * Adds the leads that this device added and the board lacks. Once the server has assigned an id, the lead has that id,
 * because the board may be read much later.
 */
export function withAdditions(
  leads: ReadonlyMap<number, Lead>,
  entries: readonly Entry[],
  instanceName: string,
): ReadonlyMap<number, Lead> {
  const added = entries.flatMap((entry) => {
    const { command, leadId = command.lead.id } = entry
    const isHere = command.kind === 'lead.add' && command.lead.instanceName === instanceName
    return isHere && !leads.has(leadId) ? [{ ...toLead(command, entry.createdAtMs), id: leadId }] : []
  })
  return added.length === 0 ? leads : new Map([...leads, ...added.map((lead) => [lead.id, lead] as const)])
}

function toLead(
  { lead, note, source, development }: Extract<Command, { kind: 'lead.add' }>,
  createdAtMs: number,
): Lead {
  return {
    ...lead,
    instanceName: lead.instanceName ?? '',
    notes: note || null,
    stageSlug: DEFAULT_STAGE_SLUG,
    pictureUrl: null,
    unreadCount: 0,
    lastMessage: null,
    createdAtMs,
    waitingSinceMs: null,
    next: [],
    source,
    development,
    remarketingSentAtMs: null,
    isOptedOut: false,
    waiting: null,
  }
}

/** `changed`: leads with pending changes applied. `hidden`: leads that pending commands remove from the board. */
export type Overlay = { changed: ReadonlyMap<number, Lead>; hidden: ReadonlySet<number> }

type OverlayOptions = { calmSinceMs: number; closedSlugs?: ReadonlySet<string> }

/**
 * Computes what pending commands change. Changes younger than `calmSinceMs` are not marked as pending, because most are
 * sent within that time. Private leads are hidden. `closedSlugs` are the stages of won and lost leads: a lead moved to
 * one no longer waits.
 */
export function overlayOf(
  leads: ReadonlyMap<number, Lead>,
  entries: readonly Entry[],
  { calmSinceMs, closedSlugs = NO_SLUGS }: OverlayOptions,
): Overlay {
  const changed = new Map<number, Lead>()
  const hidden = new Set<number>()
  for (const entry of entries) {
    const { id } = entry.command.lead
    if (isOfPrivacy(entry.command.kind) && !needsDecision(entry)) {
      if (entry.command.kind === 'lead.private') hidden.add(id)
      else hidden.delete(id)
      continue
    }
    const lead = changed.get(id) ?? leads.get(id)
    if (lead) changed.set(id, layOverLead(lead, entry, { calmSinceMs, closedSlugs }))
  }
  return { changed, hidden }
}

/** Unchanged leads stay the same objects. */
export function withOverlay(
  leads: ReadonlyMap<number, Lead>,
  { changed, hidden }: Overlay,
): ReadonlyMap<number, Lead> {
  if (changed.size === 0 && hidden.size === 0) return leads
  const laid = new Map(leads)
  for (const [id, lead] of changed) laid.set(id, lead)
  for (const id of hidden) laid.delete(id)
  return laid
}

/** The leads with pending changes applied. */
export function layOverLeads(
  leads: ReadonlyMap<number, Lead>,
  entries: readonly Entry[],
  options: OverlayOptions,
): ReadonlyMap<number, Lead> {
  return withOverlay(leads, overlayOf(leads, entries, options))
}

/** True if two overlays change and hide the same leads in the same way, so that nothing must be rendered again. */
export function areAlike(one: Overlay, other: Overlay): boolean {
  return (
    one.changed.size === other.changed.size &&
    one.hidden.size === other.hidden.size &&
    [...one.hidden].every((id) => other.hidden.has(id)) &&
    [...one.changed].every(([id, lead]) => hasSameValues(lead, other.changed.get(id)))
  )
}

function hasSameValues(one: Lead, other: Lead | undefined): boolean {
  return other !== undefined && Object.entries(one).every(([key, value]) => value === Reflect.get(other, key))
}

const NO_SLUGS: ReadonlySet<string> = new Set()

type Around = { calmSinceMs: number; closedSlugs: ReadonlySet<string> }

function layOverLead(lead: Lead, entry: Entry, { calmSinceMs, closedSlugs }: Around): Lead {
  // The board may include a text whose own answer was lost.
  if (isOnCard(lead, entry)) return lead
  const waiting = moreUrgent(lead.waiting, waitingOf(entry, calmSinceMs))
  return { ...lead, ...doneTo(lead, entry, closedSlugs), waiting }
}

function doneTo(
  lead: Lead,
  { id, command, state, createdAtMs, messageId }: Entry,
  closedSlugs: ReadonlySet<string>,
): Partial<Lead> {
  // After a conflict or a refusal, the lead is shown as the server has it until a person decides. Edited notes and
  // names stay visible.
  if (needsDecision({ state }) && !/^lead\.(note|rename)/.test(command.kind)) return {}
  switch (command.kind) {
    case 'lead.move':
      return {
        stageSlug: command.toSlug,
        ...(closedSlugs.has(command.toSlug) && {
          waitingSinceMs: unseen(lead, new Date(createdAtMs).toISOString()),
        }),
      }
    case 'lead.note':
      return { notes: command.text.trim() || null }
    case 'lead.rename':
      return { name: command.text.trim() || null }
    // These changes are visible only on the lead's sheet or in the conversation.
    case 'lead.fields':
    case 'message.react':
    // The card keeps the text that WhatsApp has until WhatsApp has changed it.
    case 'message.edit':
    case 'message.delete':
    // These commands hide a lead or show it again elsewhere; on its card they change nothing.
    case 'lead.private':
    case 'lead.public':
      return {}
    case 'lead.read':
      return hasNewer(lead, command.upToSeconds) && !lead.isMarkedUnread
        ? {}
        : { unreadCount: 0, isMarkedUnread: false }
    case 'lead.unread':
      return lead.unreadCount > 0 || needsDecision({ state }) ? {} : { unreadCount: 1, isMarkedUnread: true }
    // A lead stays on the board until the colleague has accepted it.
    case 'lead.pass':
    case 'lead.take':
    case 'lead.add':
      return {}
    case 'interest.add':
    case 'interest.remove':
      return afterInterest(lead, command.name, command.kind === 'interest.add')
    case 'material.send':
    case 'message.send': {
      const sentAtSeconds = Math.floor(createdAtMs / 1000)
      const { lastMessage } = lead
      // A text that waited for the network counts as newer than what the lead wrote meanwhile.
      const isNewer =
        messageId !== null && lastMessage?.id
          ? messageId > lastMessage.id
          : sentAtSeconds >= (lastMessage?.sentAtSeconds ?? 0)
      if (needsDecision({ state }) || !isNewer) return {}
      const delivery = state === 'applied' ? null : 'queued'
      return {
        lastMessage: {
          body: wordsOf(command) || '',
          sentAtSeconds,
          direction: 'outgoing',
          delivery,
        },
        waitingSinceMs: null,
        ...(command.kind === 'material.send' && afterInterest(lead, command.development.name, true)),
      }
    }
    case 'message.schedule':
    case 'message.unschedule':
      return afterLater(lead, command, id)
    case 'plan.start':
    case 'plan.stop':
      return afterPlan(lead, command)
    default:
      return afterDeed(lead, command, id)
  }
}

function isOnCard({ lastMessage }: Lead, { id, command, state }: Entry): boolean {
  const sentBy = command.kind === 'material.send' ? (command.things.at(-1)?.operationId ?? id) : id
  return state === 'queued' && lastMessage?.operation === beginning(sentBy)
}

/** Returns the card's text for a pending message. */
function wordsOf(
  command: Extract<Command, { kind: 'material.send' | 'message.send' }>,
): string | null | undefined {
  if (command.kind === 'message.send') return command.text || command.file?.media.fileName
  const last = command.things.at(-1)
  return last?.text || last?.label
}

/** Adds or removes an interest. The lead's development, under which reports count it, is its first interest. */
function afterInterest({ interests, development }: Lead, name: string, isAdded: boolean): Partial<Lead> {
  const now = new Set(interests)
  now[isAdded ? 'add' : 'delete'](name)
  const names = [...now]
  if (isAdded ? !development : development === name)
    return { interests: names, development: names[0] ?? null }
  return { interests: names }
}

/** True if the lead wrote after the last read message. Outgoing messages cannot be unread. */
function hasNewer({ lastMessage }: Lead, readUpToSeconds: number): boolean {
  return lastMessage?.direction === 'incoming' && lastMessage.sentAtSeconds > readUpToSeconds
}

function waitingOf(entry: Entry, calmSinceMs: number): Lead['waiting'] {
  if (!isShown(entry)) return null
  if (entry.state === 'conflict') return 'conflict'
  if (needsDecision(entry)) return refusalOf(entry.command)
  return entry.failure !== null || entry.createdAtMs <= calmSinceMs ? 'queue' : null
}

function refusalOf({ kind }: Command): Refusal {
  if (/^(message|material)/.test(kind) && !isChange(kind)) return 'refused'
  return kind === 'visit.save' ? 'unbooked' : 'unsaved'
}

const URGENCY = { conflict: 3, refused: 2, unbooked: 2, unsaved: 2, queue: 1 }

function moreUrgent(a: Lead['waiting'], b: Lead['waiting']): Lead['waiting'] {
  return (a ? URGENCY[a] : 0) >= (b ? URGENCY[b] : 0) ? a : b
}
