// Leads taken out as a file.
import { mutationOptions } from '@tanstack/react-query'
import { portalFile } from '#api/client.ts'
import type { DaySpan } from '#domain/dashboard/period.ts'

export type LeadsToExport = {
  /** Instance names, that of nobody included; empty: all of them. */
  brokers: readonly string[]
  developments?: readonly string[]
  /** Without it: since ever. */
  span?: DaySpan
}

/** Audited with how many they are. Raises PortalError `export.too-long`. */
export const exportLeads = () =>
  mutationOptions({
    mutationFn: ({ span, ...filter }: LeadsToExport) =>
      portalFile('/api/exports/leads', { method: 'POST', body: { ...filter, ...span } }),
  })
