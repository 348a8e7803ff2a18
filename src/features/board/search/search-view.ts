// The search's results: the columns with matching leads only, or one list over all stages.
import type { Lead } from '#domain/lead/lead.ts'
import { type Query, rankOf, RANKS } from '#domain/search.ts'
import { byLatestTalk, type Column } from '../ground/board-view.ts'

/** Every stage stays in place, so that cards can be moved while searching. */
export function filterColumns(columns: readonly Column[], query: Query): Column[] {
  return columns.map((column) => {
    const leads = column.leads.filter((lead) => rankOf(lead, query) !== null)
    return { ...column, leads, total: leads.length, isFiltered: true }
  })
}

/** The matching leads, best matches first, equal ones by latest message. */
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
