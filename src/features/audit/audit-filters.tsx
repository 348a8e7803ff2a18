// What of the audit log is looked for: by whom, in which area, from day to day.
import { useQuery } from '@tanstack/react-query'
import { type AuditFilter, auditActorsQuery } from '#data/audit.ts'
import { AUDIT_AREAS, auditRole } from '#domain/audit.ts'
import { DateField, SelectField } from '#ui/choice-fields.tsx'
import { ANYONE, ANYTHING, FROM, STRANGERS, SYSTEM, TO, WHAT, WHO } from './texts.ts'

const AREAS = [
  { value: '', label: ANYTHING },
  ...AUDIT_AREAS.map(({ area, label }) => ({ value: area, label })),
]
const NOT_PERSONS = [
  { value: 'system', label: SYSTEM },
  { value: 'stranger', label: STRANGERS },
]

type AuditFiltersProps = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  const { data: actors = [] } = useQuery(auditActorsQuery())
  const set = (change: AuditFilter) => onFilter({ ...filter, ...change })
  const people = [
    { value: '', label: ANYONE },
    ...actors.map(({ id, name, role }) => ({ value: id, label: `${name} (${auditRole(role)})` })),
    ...NOT_PERSONS,
  ]
  return (
    <search className="grid grid-cols-2 gap-3 pb-5 lg:grid-cols-[1.4fr_1.4fr_1fr_1fr]">
      <SelectField
        label={WHO}
        choices={people}
        value={filter.who ?? ''}
        onChange={(who) => set({ who: who || undefined })}
      />
      <SelectField
        label={WHAT}
        choices={AREAS}
        value={filter.what ?? ''}
        onChange={(what) => set({ what: what || undefined })}
      />
      <DateField
        label={FROM}
        value={filter.from ?? ''}
        max={filter.to}
        onChange={(from) => set({ from: from || undefined })}
      />
      <DateField
        label={TO}
        value={filter.to ?? ''}
        min={filter.from}
        onChange={(to) => set({ to: to || undefined })}
      />
    </search>
  )
}
