// How old the figures are, and that newer ones could not be had. INTERACTIONS 9.
import { formatDate, formatDateTime, formatHour } from '#domain/format.ts'
import { Button } from '#ui/button.tsx'
import { useNow } from '#ui/now.ts'
import { RETRY } from '#ui/texts.ts'
import { REFRESH_FAILED, updatedAt, updatedOn } from './texts.ts'

type UpdatedAtProps = { query: { dataUpdatedAt: number; isError: boolean; refetch: () => Promise<unknown> } }

export function UpdatedAt({ query: { dataUpdatedAt, isError, refetch } }: UpdatedAtProps) {
  const nowMs = useNow()
  const isToday = formatDate(dataUpdatedAt) === formatDate(nowMs)
  return (
    <output className="flex flex-wrap items-center gap-x-2">
      {isError && <span>{REFRESH_FAILED}</span>}
      <span>{isToday ? updatedAt(formatHour(dataUpdatedAt)) : updatedOn(formatDateTime(dataUpdatedAt))}</span>
      {isError && (
        <Button variant="ghost" onClick={() => void refetch()}>
          {RETRY}
        </Button>
      )}
    </output>
  )
}
