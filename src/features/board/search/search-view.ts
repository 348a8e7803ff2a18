// Computes search results: the columns with matching leads only, or one list over all stages.
import type { Lead } from '#domain/lead/lead.ts'
import { type Query, rankOf, RANKS } from '#domain/search.ts'
import { byLatestTalk, type Column } from '../ground/board-view.ts'

/** Columns without a match stay, so that cards can be moved into any stage during a search. */
export function filterColumns(columns: readonly Column[], query: Query): Column[] {
  return columns.map((column) => {
    const leads = column.leads.filter((lead) => rankOf(lead, query) !== null)
    return { ...column, leads, total: leads.length, isFiltered: true }
  })
}

/** Returns the matching leads, best matches first, equal ones by latest message. */
export function searchLeads(columns: readonly Column[], query: Query): Lead[] {
  const ranked: Lead[][] = Array.from({ length: RANKS }, () => [])
  for (const { leads } of columns) {
    for (const lead of leads) {
      const rank = rankOf(lead, query)
      if (rank !== null) ranked[rank]?.push(lead)
    }
  }
  // The stages are sorted already, so the sort only merges them.
  return ranked.flatMap((leads) => leads.toSorted(byLatestTalk))
}
