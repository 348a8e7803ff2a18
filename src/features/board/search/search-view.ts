// What the search leaves of the board: its columns with those meant alone, or one list over all stages.
import type { Lead } from '#domain/lead/lead.ts'
import { type Query, rankOf, RANKS } from '#domain/search.ts'
import { byLatestTalk, type Column } from '../board-view.ts'

/** Every stage stays where it is, so that cards can be moved while searching. */
export function filterColumns(columns: readonly Column[], query: Query): Column[] {
  return columns.map((column) => {
    const leads = column.leads.filter((lead) => rankOf(lead, query) !== null)
    return { ...column, leads, total: leads.length, isFiltered: true }
  })
}

/** Those meant, the best answers first, and among equal ones the latest talk. */
export function searchLeads(columns: readonly Column[], query: Query): Lead[] {
  const ranked: Lead[][] = Array.from({ length: RANKS }, () => [])
  for (const { leads } of columns) {
    for (const lead of leads) {
      const rank = rankOf(lead, query)
      if (rank !== null) ranked[rank]?.push(lead)
    }
  }
  // Stages come in their own order one after the other: runs that a sort only has to merge.
  return ranked.flatMap((leads) => leads.toSorted(byLatestTalk))
}
