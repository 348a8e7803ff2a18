// The filters above the list of developments: state, expired prices, district, archived ones.
import { CalendarClock } from 'lucide-react'
import { STATE_LABEL, STATES, type DevelopmentState } from '#domain/development/development.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FilterChips, type FilterChoice } from '#ui/primitives/chips.tsx'
import { summarize, type ListFilter, type Shown } from './list-filter.ts'

const EXPIRED = 'vencido'
const ALL = 'todos'
type ListFiltersProps = { rows: readonly Shown[]; filter: ListFilter; onFilter: (filter: ListFilter) => void }
type Choice = DevelopmentState | typeof ALL | typeof EXPIRED

export function ListFilters({ rows, filter, onFilter }: ListFiltersProps) {
  const { byState, expired, archived, districts, active } = summarize(rows)
  const choices: FilterChoice<Choice>[] = [
    { value: ALL, label: 'Todos', count: filter.arquivados ? archived : active },
    ...STATES.map((state) => ({ value: state, label: STATE_LABEL[state], count: byState.get(state) })),
  ]
  if (expired > 0 || filter.preco)
    choices.push({ value: EXPIRED, label: 'Preço vencido', count: expired, warning: CalendarClock })
  return (
    <>
      <FilterChips<Choice>
        label="Estado"
        choices={choices}
        chosen={filter.preco ?? filter.estado ?? ALL}
        onChoose={(value) =>
          onFilter({
            ...filter,
            preco: value === EXPIRED ? EXPIRED : undefined,
            estado: value === EXPIRED || value === ALL ? undefined : value,
          })
        }
      />
      <span className="ml-auto flex gap-2">
        {districts.length > 1 && (
          <select
            aria-label="Bairro"
            value={filter.bairro ?? ''}
            onChange={({ target }) => onFilter({ ...filter, bairro: target.value || undefined })}
            className="min-h-9 rounded-ctl bg-surface-2 px-3 text-14 font-medium pointer-coarse:min-h-11 pointer-coarse:text-16"
          >
            <option value="">Bairro</option>
            {districts.map((district) => (
              <option key={district}>{district}</option>
            ))}
          </select>
        )}
        {(archived > 0 || filter.arquivados) && (
          <Button
            variant="line"
            size="small"
            aria-pressed={filter.arquivados === true}
            onClick={() => onFilter({ ...filter, arquivados: filter.arquivados ? undefined : true })}
          >
            {`Arquivados ${archived}`}
          </Button>
        )}
      </span>
    </>
  )
}
