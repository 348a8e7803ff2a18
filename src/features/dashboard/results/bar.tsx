// The bar above the results: the tabs of Relatórios, the team, the period, filters, comparison, export and print.
import { CalendarDays, Check, Download, Printer } from 'lucide-react'
import { teamName } from '#domain/dashboard/results/lines.ts'
import { spanTitle } from '#domain/dashboard/results/table.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { type Section, SectionTabs } from '../sections.tsx'
import type { Results } from './data.ts'
import type { ResultsState } from './state.ts'

type ResultsBarProps = {
  state: ResultsState
  results: Results | undefined
  today: string
  onSection: (section: Section) => void
  isOfTeam: boolean
  onState: (next: Partial<ResultsState>) => void
  onFilter: () => void
  onSave: () => void
}

const BOX = 'inline-flex size-11 bg-surface text-text-2 shadow-line hover:bg-surface-2 lg:size-10'

export function ResultsBar(props: ResultsBarProps) {
  const { state, results, today, onSection, isOfTeam, onState, onFilter, onSave } = props
  const { question, isCompared } = state
  return (
    <div className="flex flex-wrap items-center gap-2.5 pb-3.5 print:hidden">
      <SectionTabs value="results" isOfTeam={isOfTeam} onChoose={onSection} />
      <span className="grow" />
      {results && results.teamNames.length > 0 && (
        <TeamChoice
          teams={results.teamNames}
          value={question.team}
          onChoose={(team) => onState({ question: { ...question, team }, figure: null })}
        />
      )}
      <Button variant="line" icon={CalendarDays} onClick={onFilter}>
        {spanTitle(question.span, today)}
        <Chosen question={question} />
      </Button>
      <CompareButton
        isOn={isCompared}
        text={results?.before ? spanTitle(results.before, today) : ''}
        onPress={() => onState({ isCompared: !isCompared })}
      />
      <span className="flex gap-1.5">
        <IconButton icon={Download} label="Baixar CSV" look={BOX} disabled={!results} onClick={onSave} />
        <IconButton
          icon={Printer}
          label="Imprimir"
          look={BOX}
          disabled={!results}
          onClick={() => window.print()}
        />
      </span>
    </div>
  )
}

function Chosen({ question: { developments, sources } }: Pick<ResultsState, 'question'>) {
  const count = developments.length + sources.length
  return (
    count > 0 && (
      <span className="rounded-full bg-primary-soft px-2 text-12 text-on-primary-soft">{count}</span>
    )
  )
}

type TeamChoiceProps = {
  teams: readonly { id: string; name: string }[]
  value: string | null
  onChoose: (team: string | null) => void
}

function TeamChoice({ teams, value, onChoose }: TeamChoiceProps) {
  return (
    <select
      aria-label="Equipe"
      value={value ?? ''}
      onChange={({ target }) => onChoose(target.value || null)}
      className="min-h-11 max-w-full rounded-ctl bg-surface px-3 text-16 font-semibold shadow-line outline-none focus-visible:shadow-input-focus lg:min-h-10 lg:text-14"
    >
      <option value="">Por equipe</option>
      {teams.map((team) => (
        <option key={team.id} value={team.id}>
          {teamName(team)}
        </option>
      ))}
    </select>
  )
}

function CompareButton({ isOn, text, onPress }: { isOn: boolean; text: string; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className="inline-flex min-h-11 items-center gap-2 rounded-ctl bg-surface px-3.5 text-14 font-semibold text-text shadow-line hover:bg-surface-2 aria-pressed:bg-primary-soft aria-pressed:text-on-primary-soft aria-pressed:shadow-chosen lg:min-h-10"
    >
      {isOn && <Check aria-hidden size={18} />}
      {isOn && text ? `Comparar: ${text}` : 'Comparar'}
    </button>
  )
}
