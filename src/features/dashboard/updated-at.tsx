// Tells when the figures were read, and whether a refetch failed.
import type { UseQueryResult } from '@tanstack/react-query'
import { formatDate, formatDateTime, formatHour } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { useDeviceNow } from '#ui/now.ts'

const updatedOn = (moment: string) => `Atualizado em ${moment}`

const updatedAt = (hour: string) => `Atualizado às ${hour}`

type UpdatedAtProps = {
  query: Pick<UseQueryResult, 'dataUpdatedAt' | 'error' | 'errorUpdateCount' | 'refetch'>
}

export function UpdatedAt({ query }: UpdatedAtProps) {
  const nowMs = useDeviceNow()
  const { dataUpdatedAt: atMs } = query
  const isToday = formatDate(atMs) === formatDate(nowMs)
  if (query.error)
    return <FailedRead of={query} shownFrom={isToday ? formatHour(atMs) : formatDateTime(atMs)} />
  return <output>{isToday ? updatedAt(formatHour(atMs)) : updatedOn(formatDateTime(atMs))}</output>
}
