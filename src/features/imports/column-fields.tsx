// Of each thing that a lead may tell, the column of the file in which it stands.
import { FIELD_LABEL, LIST_FIELDS, type ListField } from '#domain/lead/list/row.ts'
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import type { ListHead } from './list-protocol.ts'

const columnOption = (title: string, sample: string) => (sample === '' ? title : `${title} (${sample})`)

type ColumnFieldsProps = {
  head: ListHead
  map: ColumnMap
  isDisabled: boolean
  onChange: (map: ColumnMap) => void
}

export function ColumnFields({ head, map, isDisabled, onChange }: ColumnFieldsProps) {
  const change = (field: ListField, chosen: string) => {
    const next = { ...map }
    delete next[field]
    onChange(chosen === '' ? next : { ...next, [field]: Number(chosen) })
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-2 text-15 font-semibold">O que é cada coluna</legend>
      <div className="grid gap-3 md:grid-cols-2">
        {LIST_FIELDS.map((field) => (
          <SelectField
            key={field}
            label={FIELD_LABEL[field]}
            value={map[field] ?? ''}
            disabled={isDisabled}
            onChange={({ target }) => change(field, target.value)}
          >
            <option value="">Nenhuma</option>
            {head.titles.map((title, column) => (
              // Two columns may have one title.
              <option key={column} value={column}>
                {columnOption(title, head.samples[column] ?? '')}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </fieldset>
  )
}
