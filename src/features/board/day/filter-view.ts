// Filters the board: the matching leads of each stage, the unread ones among them, and their drafts.
import type { Lead } from '#domain/lead/lead.ts'
import { isLate } from '#domain/next-action/words.ts'
import { type Column, withUnread } from '../ground/board-view.ts'

export type Filter = 'all' | 'unread' | 'waiting' | 'late'

/** The filters' names in the page's address. */
export const FILTER_WORDS = { unread: 'nao-lidas', waiting: 'sem-resposta', late: 'atrasadas' } as const

/** Returns the filter with this name in the address; 'all' if the name is unknown. */
export function filterNamed(word: string | undefined): Filter {
  return (['unread', 'waiting', 'late'] as const).find((filter) => FILTER_WORDS[filter] === word) ?? 'all'
}

const isMeant: Record<Filter, (lead: Lead, nowMs: number) => boolean> = {
  all: () => true,
  unread: ({ unreadCount }) => unreadCount > 0,
  waiting: ({ waitingSinceMs }) => waitingSinceMs !== null,
  late: ({ next }, nowMs) => next[0] !== undefined && isLate(next[0], nowMs),
}

type Counts = Record<Filter, number>

/** Caches the counts per list of leads; a move changes only two lists. */
const counted = new WeakMap<readonly Lead[], { nowMs: number; counts: Counts }>()

/** Tells how many leads each filter matches over all stages. Null until the device's leads are all in memory. */
export function countMeant(columns: readonly Column[], nowMs: number): Counts | null {
  if (columns.some(({ leads, total }) => total > leads.length)) return null
  const sums: Counts = { all: 0, unread: 0, waiting: 0, late: 0 }
  for (const { leads } of columns) {
    const known = counted.get(leads)
    const counts = known?.nowMs === nowMs ? known.counts : countIn(leads, nowMs)
    counted.set(leads, { nowMs, counts })
    for (const filter of ['all', 'unread', 'waiting', 'late'] as const) sums[filter] += counts[filter]
  }
  return sums
}

function countIn(leads: readonly Lead[], nowMs: number): Counts {
  const counts = { all: leads.length, unread: 0, waiting: 0, late: 0 }
  for (const lead of leads)
    for (const filter of ['unread', 'waiting', 'late'] as const)
      if (isMeant[filter](lead, nowMs)) counts[filter]++
  return counts
}

export const NONE_MEANT = { unread: 'Nada sem ler', waiting: 'Ninguém sem resposta', late: 'Nada atrasado' }

/** The unsent texts by the lead's id. */
export type Drafts = ReadonlyMap<number, string>
export type Around = { nowMs: number; drafts?: Drafts | undefined }

/**
 * Returns a function that filters columns. An unchanged column stays the same object, for late leads within the same
 * minute.
 */
export function createFilterView(): (
  columns: readonly Column[],
  filter: Filter,
  around: Around,
) => readonly Column[] {
  let asked = ''
  let known: Drafts | undefined
  let seen = new WeakMap<Column, Column>()
  return (columns, filter, { nowMs, drafts }) => {
    const key = filter === 'late' ? `late ${Math.floor(nowMs / 60_000)}` : filter
    if (key !== asked || drafts !== known) {
      asked = key
      known = drafts
      seen = new WeakMap()
    }
    return columns.map((column) => {
      const before = seen.get(column)
      if (before) return before
      const narrowed = narrow(withDrafts(column, drafts), filter, nowMs)
      seen.set(column, narrowed)
      return narrowed
    })
  }
}

/** Leads without a draft stay the same objects, so their cards do not render again. */
function withDrafts(column: Column, drafts: Drafts | undefined): Column {
  if (!drafts || !column.leads.some(({ id }) => drafts.has(id))) return column
  const leads = column.leads.map((lead) => {
    const draft = drafts.get(lead.id)
    return draft === undefined ? lead : { ...lead, draft }
  })
  return { ...column, leads }
}

function narrow(column: Column, filter: Filter, nowMs: number): Column {
  const counted = withUnread(column)
  if (filter === 'all') return counted
  const leads = column.leads.filter((lead) => isMeant[filter](lead, nowMs))
  return { ...counted, leads, total: leads.length, isFiltered: true, noneWords: NONE_MEANT[filter] }
}

/** Returns the nearest stage with a match, starting at the shown one; null if no stage has one. */
export function stageWith(columns: readonly Column[], shown: number): string | null {
  const found = columns
    .map(({ total, stage }, index) => ({ total, slug: stage.slug, distance: Math.abs(index - shown) }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => one.distance - other.distance)
  return found[0]?.slug ?? null
}
