// Exports leads as a file.
import { mutationOptions } from '@tanstack/react-query'
import { portalFile } from '#api/client.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'

export type LeadsToExport = {
  /** Instance names, including that of leads without a broker; empty: all. */
  brokers: readonly string[]
  developments?: readonly string[]
  /** Without it: all days. */
  span?: DaySpan
}

/** Written to the audit log with the number of leads. Throws PortalError `export.too-long`. */
export const exportLeads = () =>
  mutationOptions({
    mutationFn: ({ span, ...filter }: LeadsToExport) =>
      portalFile('/api/exports/leads', { method: 'POST', body: { ...filter, ...span } }),
  })
