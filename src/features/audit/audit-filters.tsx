// The audit log's filters: account, area, and days.
import { useQuery } from '@tanstack/react-query'
import { type AuditFilter, auditActorsQuery } from '#data/audit.ts'
import { AUDIT_AREAS } from '#domain/audit-deeds.ts'
import { auditRole } from '#domain/audit.ts'
import { FIRST_DAY, LAST_DAY } from '#domain/dashboard/period.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { filterFaults } from './filter-fault.ts'

type AuditFiltersProps = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

export function AuditFilters({ filter, onFilter }: AuditFiltersProps) {
  const { data: actors = [] } = useQuery(auditActorsQuery())
  const faults = filterFaults(filter)
  const set = (change: AuditFilter) => onFilter({ ...filter, ...change })
  return (
    <search className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3 pb-5 lg:grid-cols-[1.4fr_1.4fr_1fr_1fr]">
      <SelectField
        label="Quem"
        value={filter.who ?? ''}
        onChange={({ target }) => set({ who: target.value || undefined })}
      >
        <option value="">Todos</option>
        {actors.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {name} ({auditRole(role)})
          </option>
        ))}
        <option value="system">Sistema</option>
        <option value="stranger">Entradas recusadas</option>
      </SelectField>
      <SelectField
        label="O quê"
        value={filter.what ?? ''}
        onChange={({ target }) => set({ what: target.value || undefined })}
      >
        <option value="">Tudo</option>
        {AUDIT_AREAS.map(({ area, label }) => (
          <option key={area} value={area}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        type="date"
        label="De"
        value={filter.from ?? ''}
        min={FIRST_DAY}
        max={filter.to ?? LAST_DAY}
        error={faults.from}
        onChange={({ target }) => set({ from: target.value || undefined })}
      />
      <TextField
        type="date"
        label="Até"
        value={filter.to ?? ''}
        min={filter.from ?? FIRST_DAY}
        max={LAST_DAY}
        error={faults.to}
        onChange={({ target }) => set({ to: target.value || undefined })}
      />
    </search>
  )
}
