// Indexes the leads for the search while the app is idle, in slices, so that the first letter finds them indexed.
import { useEffect } from 'react'
import { foldLead } from '#domain/search.ts'
import type { Column } from '../ground/board-view.ts'

const SLICE = 500

export function useFoldAhead(columns: readonly Column[], isWanted: boolean) {
  useEffect(() => {
    if (!isWanted) return undefined
    const leads = columns.flatMap((column) => column.leads)
    let at = 0
    const foldSlice = () => {
      for (const lead of leads.slice(at, at + SLICE)) foldLead(lead)
      at += SLICE
      if (at < leads.length) timer = setTimeout(foldSlice)
    }
    let timer = setTimeout(foldSlice)
    return () => clearTimeout(timer)
  }, [columns, isWanted])
}
