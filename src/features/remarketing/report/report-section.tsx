// A section of the report: its table, or that it is loading, empty or failed; and its export.
import type { UseQueryResult } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { EXPORTING, ONLINE_ONLY } from '#ui/texts.ts'
import { NO_CAMPAIGNS } from '../texts.ts'

const EXPORT = 'Exportar CSV'

const SKELETONS = 5

type ReportSectionProps = {
  title: string
  read: Pick<UseQueryResult, 'isPending' | 'error' | 'errorUpdateCount' | 'refetch' | 'dataUpdatedAt'>
  isEmpty: boolean
  onExport: () => void
  isExporting: boolean
  children: ReactNode
}

export function ReportSection({ title, read, isEmpty, children, ...does }: ReportSectionProps) {
  const isThere = read.dataUpdatedAt > 0
  const id = useId()
  const isOnline = useIsOnline()
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-lg bg-surface shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-x-3 py-2.5 pr-2 pl-5">
        <h2 id={id} className="text-16 font-semibold">
          {title}
        </h2>
        {isThere && !isEmpty && (
          <Button
            variant="ghost"
            size="small"
            icon={Download}
            disabled={!isOnline}
            title={isOnline ? undefined : ONLINE_ONLY}
            busy={does.isExporting && EXPORTING}
            onClick={does.onExport}
            aria-label={`${EXPORT}: ${title}`}
          >
            {EXPORT}
          </Button>
        )}
      </div>
      <div className="px-5 pb-2 empty:hidden">
        <FailedRead of={read} shownFrom={isThere && formatDateTime(read.dataUpdatedAt)} />
      </div>
      {read.isPending &&
        Array.from({ length: SKELETONS }, (_, index) => <Skeleton key={index} className="mx-5 mb-4 h-6" />)}
      {isThere && isEmpty && <p className="px-5 pt-4 pb-8 text-center text-15 text-text-2">{NO_CAMPAIGNS}</p>}
      {isThere && !isEmpty && children}
    </section>
  )
}
