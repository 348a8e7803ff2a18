// The bar above the costs: the tabs of Relatórios, team, month, and 'Importar gastos'.
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { monthName, monthsBefore } from '#domain/origins/costs.ts'
import { Button } from '#ui/primitives/button.tsx'
import type { Question } from './data.ts'

type BarProps = {
  question: Question
  teams: readonly { id: string; name: string }[]
  today: string
  /** The tabs of Relatórios. */
  tabs: ReactNode
  onQuestion: (question: Question) => void
  /** Undefined: the user is no administrator and may not import. */
  onImport: (() => void) | undefined
}

/** The number of months to choose from. */
const MONTHS = 24
const SELECT =
  'min-h-11 max-w-full rounded-ctl bg-surface px-3 text-16 font-semibold shadow-line outline-none focus-visible:shadow-input-focus lg:min-h-10 lg:text-14'

export function OriginsBar({ question, teams, today, tabs, onQuestion, onImport }: BarProps) {
  const { month, team } = question
  const listed = Array.from({ length: MONTHS }, (_, back) => monthsBefore(today.slice(0, 7), back))
  const months = listed.includes(month) ? listed : [month, ...listed].toSorted().toReversed()
  const isAdmin = onImport !== undefined
  return (
    <div className="flex flex-wrap items-center gap-2.5 pb-3.5">
      {tabs}
      <span className="grow" />
      {teams.length > (isAdmin ? 0 : 1) && (
        <select
          aria-label="Equipe"
          value={team ?? ''}
          onChange={({ target }) => onQuestion({ month, team: target.value || null })}
          className={SELECT}
        >
          <option value="">{isAdmin ? 'Todas as equipes' : 'Minhas equipes'}</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Mês"
        value={month}
        onChange={({ target }) => onQuestion({ month: target.value, team })}
        className={SELECT}
      >
        {months.map((one) => (
          <option key={one} value={one}>
            {monthName(one, today)}
          </option>
        ))}
      </select>
      {onImport && (
        <Button variant="line" icon={Upload} onClick={onImport}>
          Importar gastos (CSV)
        </Button>
      )}
    </div>
  )
}
