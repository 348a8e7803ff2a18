// Exports leads as a file.
import { mutationOptions } from '@tanstack/react-query'
import { portalFile } from '#api/client.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'

export type LeadsToExport = {
  /** Instance names of the exported brokers. NO_BROKER adds leads without a broker. Empty: all leads. */
  brokers: readonly string[]
  developments?: readonly string[]
  /** Undefined exports the leads of all days. */
  span?: DaySpan
}

/**
 * Exports the leads as a file. The server writes each export and its number of leads to the audit log. Throws
 * PortalError `export.too-long`.
 */
export const exportLeads = () =>
  mutationOptions({
    mutationFn: ({ span, ...filter }: LeadsToExport) =>
      portalFile('/api/exports/leads', { method: 'POST', body: { ...filter, ...span } }),
  })
