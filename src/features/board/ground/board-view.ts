// The board as columns of sorted leads.
import type { Board } from '#data/board/rows.ts'
import {
  ASSISTANT,
  freshWords,
  type Lead,
  leadTitle,
  shownNote,
  spokenAtMs,
  WAITING,
} from '#domain/lead/lead.ts'
import { countOf } from '#domain/count.ts'
import { formatRelative } from '#domain/format.ts'
import { OPTED_OUT } from '#domain/opt-out-texts.ts'
import { DELIVERY_LABEL } from '#domain/message/message.ts'
import { DEFAULT_STAGE_SLUG, type Stage } from '#domain/stage.ts'

const unread = (count: number) => countOf(count, 'nova', 'novas')

export type Column = {
  stage: Stage
  /** The leads in memory. Right after the app's start these are only the first screen's. */
  leads: readonly Lead[]
  /** How many leads the stage has, in memory or only on the device. */
  total: number
  /** A search or filter hides some of the leads. */
  isFiltered?: boolean
  /** Shown if a filter leaves the column empty. */
  noneWords?: string
  /** The number of unread leads; undefined until the board has counted them. */
  unread?: number | undefined
}

/**
 * Sorts a board's leads into one column per stage, latest message first. A lead whose stage is unknown goes to the
 * default stage, so that no lead is hidden.
 */
export function toColumns(board: Board): Column[] {
  const columnOf = columnsOf(board.stages)
  const bySlug = new Map<string, Lead[]>(board.stages.map((stage) => [stage.slug, []]))
  for (const lead of board.leads.values()) bySlug.get(columnOf(lead.stageSlug))?.push(lead)
  const missing = missingBy(board, columnOf)
  return board.stages.map((stage) => {
    const own = bySlug.get(stage.slug) ?? []
    return { stage, leads: own.toSorted(byLatestTalk), total: own.length + missing(stage.slug) }
  })
}

/** Counts unread leads before the first paint, because a later count would move the phone's tabs. */
export function withUnread(column: Column): Column {
  return { ...column, unread: column.leads.filter(({ unreadCount }) => unreadCount > 0).length }
}

/** With more changes at once, sorting all columns again is cheaper. */
const MAX_CHANGES = 200

/**
 * Returns a function that updates columns from one board to the next. It removes and inserts only changed leads,
 * because a board may have ten thousand. Unchanged columns stay the same objects.
 */
export function createBoardView(): (board: Board) => readonly Column[] {
  let last: { board: Board; columns: readonly Column[] } | undefined
  return (board) => {
    const changes = last && changesBetween(last.board, board)
    const columns = last && changes ? keepUp(last.columns, board, changes) : toColumns(board)
    last = { board, columns }
    return columns
  }
}

type Changes = { gone: Lead[]; come: Lead[] }

/** Returns what changed between two boards; null if so much changed that sorting all columns again is cheaper. */
function changesBetween(before: Board, after: Board): Changes | null {
  if (!haveSameStages(before.stages, after.stages)) return null
  const gone: Lead[] = []
  const come: Lead[] = []
  for (const lead of after.leads.values()) {
    const known = before.leads.get(lead.id)
    if (known === lead) continue
    if (known) gone.push(known)
    if (come.push(lead) > MAX_CHANGES) return null
  }
  if (after.leads.size !== before.leads.size + come.length - gone.length) {
    for (const lead of before.leads.values()) if (!after.leads.has(lead.id)) gone.push(lead)
  }
  return gone.length > MAX_CHANGES ? null : { gone, come }
}

function haveSameStages(before: readonly Stage[], after: readonly Stage[]): boolean {
  const isSame = (one: Stage, other: Stage | undefined) =>
    one.slug === other?.slug && one.name === other.name && one.kind === other.kind
  return before.length === after.length && before.every((stage, index) => isSame(stage, after[index]))
}

function keepUp(columns: readonly Column[], board: Board, { gone, come }: Changes): readonly Column[] {
  const columnOf = columnsOf(board.stages)
  const missing = missingBy(board, columnOf)
  return columns.map((column) => {
    const { slug } = column.stage
    const isHere = ({ stageSlug }: Lead) => columnOf(stageSlug) === slug
    const leads = withChanges(column.leads, gone.filter(isHere), come.filter(isHere))
    const total = leads.length + missing(slug)
    return leads === column.leads && total === column.total ? column : { ...column, leads, total }
  })
}

function withChanges(leads: readonly Lead[], gone: readonly Lead[], come: readonly Lead[]): readonly Lead[] {
  if (gone.length + come.length === 0) return leads
  const next = [...leads]
  for (const lead of gone) {
    const at = placeIn(next, lead)
    next.splice(next[at] === lead ? at : next.indexOf(lead), 1)
  }
  for (const lead of come) next.splice(placeIn(next, lead), 0, lead)
  return next
}

/** Finds the lead's index by binary search, or the index where it belongs. */
function placeIn(leads: readonly Lead[], lead: Lead): number {
  let low = 0
  let high = leads.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = leads[middle]
    if (other && byLatestTalk(other, lead) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns a function that finds a lead's stage. */
export function stageFinder(columns: readonly Column[]): (lead: Lead) => Stage | undefined {
  const stages = columns.map(({ stage }) => stage)
  const columnOf = columnsOf(stages)
  const bySlug = new Map(stages.map((stage) => [stage.slug, stage]))
  return ({ stageSlug }) => bySlug.get(columnOf(stageSlug))
}

/** Returns a function that finds a stage's column; an unknown stage has the default stage's column. */
function columnsOf(stages: readonly Stage[]): (slug: string) => string {
  const slugs = new Set(stages.map(({ slug }) => slug))
  const fallback = slugs.has(DEFAULT_STAGE_SLUG) ? DEFAULT_STAGE_SLUG : (stages[0]?.slug ?? '')
  return (slug) => (slugs.has(slug) ? slug : fallback)
}

/** Returns a function that counts a column's leads that are on the device but not yet in memory. */
function missingBy({ missing }: Board, columnOf: (slug: string) => string): (slug: string) => number {
  const counts = new Map<string, number>()
  for (const [slug, count] of missing) counts.set(columnOf(slug), (counts.get(columnOf(slug)) ?? 0) + count)
  return (slug) => counts.get(slug) ?? 0
}

export function byLatestTalk(a: Lead, b: Lead): number {
  return spokenAtMs(b) - spokenAtMs(a) || b.id - a.id
}

/**
 * The index of the column to show when one fills the screen: the requested one, else the default stage, else the first.
 */
export function findColumn(columns: readonly Column[], slug: string | undefined): number {
  const at = (wanted: string | undefined) => columns.findIndex(({ stage }) => stage.slug === wanted)
  const asked = at(slug)
  return asked >= 0 ? asked : Math.max(0, at(DEFAULT_STAGE_SLUG))
}

/** Describes a card to screen readers. `author` is the name of whoever wrote the outgoing messages. */
export function describeLead(lead: Lead, nowMs: number, author: string): string {
  const { lastMessage, unreadCount, isMarkedUnread, draft, isOptedOut, waiting } = lead
  const parts = [leadTitle(lead)]
  if (lastMessage) {
    const { direction, delivery, byAssistant } = lastMessage
    parts.push(`, mensagem ${formatRelative(lastMessage.sentAtSeconds * 1000, nowMs, 'full')}`)
    if (freshWords(lead, nowMs)) parts.push(', recente')
    if (delivery) parts.push(`, ${DELIVERY_LABEL[delivery]}`)
    if (unreadCount > 0 && !isMarkedUnread) parts.push(`, ${unread(unreadCount)}`)
    parts.push(
      `: ${direction === 'outgoing' ? `${byAssistant ? ASSISTANT : author}: ` : ''}${lastMessage.body}`,
    )
  }
  if (isMarkedUnread) parts.push('. Marcada como não lida')
  const note = shownNote(lead)
  if (note) parts.push(`. Nota: ${note}`)
  if (draft) parts.push(`. Rascunho: ${draft}`)
  if (isOptedOut) parts.push(`. ${OPTED_OUT}`)
  if (waiting) parts.push(`. ${WAITING[waiting]}`)
  return parts.join('')
}

export function columnOf(columns: readonly Column[], leadId: number): Column | undefined {
  return columns.find(({ leads }) => leads.some(({ id }) => id === leadId))
}
