// The cell of a table that names a lead, its development and its origin.
import { leadTitle } from '#domain/lead/lead.ts'
import { sourceLabel } from '#domain/lead/source.ts'

type Named = Parameters<typeof leadTitle>[0] & { development: string | null; source: string }

export const LEAD_COLUMN = {
  title: 'Lead',
  place: 'head' as const,
  cell: (lead: Named) => (
    <span className="font-semibold">
      {leadTitle(lead)}
      <span className="block text-13 font-regular text-text-3">
        {[lead.development, sourceLabel(lead.source)].filter(Boolean).join(' · ')}
      </span>
    </span>
  ),
}
