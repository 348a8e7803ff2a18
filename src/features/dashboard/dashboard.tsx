// The dashboard at /reports: its sections, its filter, and the list of leads behind a figure. The address stores all of
// it.
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, SlidersHorizontal } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { filteredQuery, type LeadFilter, overviewQuery } from './data.ts'
import type { LeadRow } from '#domain/dashboard/dashboard.ts'
import { dayAt, spanOf } from '#domain/dashboard/period.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useNow } from '#ui/now.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { AppliedFilter } from './filter/applied-filter.tsx'
import { FigureDialog } from './figure-dialog.tsx'
import { FilterDialog } from './filter/filter-dialog.tsx'
import {
  DEFAULT_FILTER,
  type DashboardState,
  type Filter,
  readState,
  writeState,
} from './filter/filter-state.ts'
import type { PassedLead } from './now/risk.tsx'
import { NowSection } from './now/section.tsx'
import { Overview, OverviewSkeleton } from './overview.tsx'
import { RotationSection } from './rotation-section.tsx'
import { isReport, PANEL, type Report, SECTION_NAME, SectionTabs } from './sections.tsx'
import { LOADING_DATA } from './texts.ts'
import { UpdatedAt } from './updated-at.tsx'

const NO_SECTION = 'Selecione uma seção'

const FILTER = 'Filtro personalizado'

const TITLE = 'Relatórios'

const PANEL_NAME = { ...SECTION_NAME, filter: FILTER }
const OPENING: DashboardState = { section: 'overview', filter: null, figure: null }

type DashboardProps = {
  /** The address's search parameters. */
  search: Record<string, unknown>
  /** Changes the address. If `isReplacing`, the browser's history gets no new entry. */
  onSearch: (search: Record<string, unknown>, isReplacing: boolean) => void
  /** Goes back to the page before a list was opened. If the app has no such page, it shows these search parameters. */
  onBack: (search: Record<string, unknown>) => void
  /** Goes to a section with an address of its own. */
  onReport: (report: Report) => void
  /** Opens the conversation of a lead behind a figure. */
  onLead: (lead: Pick<LeadRow, 'id' | 'instanceName'>) => void
  /** Transfers a waiting lead to another broker. */
  onPass: (lead: PassedLead) => void
  /** Buttons for the filtered leads, such as the export. */
  more: ComponentType<{ of: LeadFilter }>
}

export function DashboardScreen(props: DashboardProps) {
  const { search, onSearch, onBack, onReport, onLead, onPass, more: More } = props
  usePageTitle(TITLE)
  const today = dayAt(useNow())
  const state = readState(search)
  const { section, filter } = state
  const [isChoosing, setChoosing] = useState(false)
  const current = filter ?? DEFAULT_FILTER
  const isOfLeads = section === 'overview' || section === 'filter'
  const span = spanOf(current.period, today)
  const { developments, brokers } = current
  const query = useDashboard(section, { span, developments, brokers })
  const go = (next: DashboardState, isReplacing = false) => onSearch(writeState(next), isReplacing)
  const apply = (applied: Filter) => {
    setChoosing(false)
    // The dialog has a history entry; the result replaces it, so that 'back' does not open the dialog again.
    go({ section: 'filter', filter: applied, figure: null }, true)
  }
  // In the overview, the response tells which days the whole period has.
  const shownSpan = section === 'overview' ? query.data?.span : span
  return (
    <>
      <h1 className="sr-only">{TITLE}</h1>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 pb-4">
        <SectionTabs
          value={section === 'filter' ? null : section}
          onChoose={(chosen) => (isReport(chosen) ? onReport(chosen) : go({ ...OPENING, section: chosen }))}
        />
        <div className="min-h-5 grow text-13 text-text-3 max-sm:basis-full">
          {query.data && section !== 'roleta' && section !== 'now' && <UpdatedAt query={query} />}
          {query.isLoading && <output>{LOADING_DATA}</output>}
        </div>
        {shownSpan && isOfLeads && <More of={{ span: shownSpan, developments, brokers }} />}
        <FilterButton isActive={section === 'filter'} onPress={() => setChoosing(true)} />
      </div>
      <div id={PANEL} role="tabpanel" aria-label={section ? PANEL_NAME[section] : NO_SECTION}>
        {section === null && <NothingChosen />}
        {section === 'filter' && (
          <div className="pb-3 lg:pb-4">
            <AppliedFilter
              filter={{ span, developments, brokers }}
              onEdit={() => setChoosing(true)}
              onClose={() => go(OPENING)}
            />
          </div>
        )}
        {isOfLeads && (
          <Figures
            query={query}
            filter={shownSpan ? { span: shownSpan, developments, brokers } : null}
            state={state}
            onOpen={(figure) => go({ ...state, figure })}
            onClose={() => onBack(writeState({ ...state, figure: null }))}
            onLead={onLead}
          />
        )}
        {section === 'now' && <NowSection onLead={onLead} onPass={onPass} />}
        {section === 'roleta' && (
          <RotationSection
            filter={current}
            span={span}
            onFilter={(next) => go({ ...state, filter: next }, true)}
          />
        )}
      </div>
      <FilterDialog
        isOpen={isChoosing}
        filter={current}
        span={span}
        onApply={apply}
        onClose={() => setChoosing(false)}
      />
    </>
  )
}

const NothingChosen = () => (
  <State
    kind="empty"
    icon={ChartColumn}
    title={NO_SECTION}
    hint="Escolha uma das opções acima para visualizar os dados."
  />
)

function FilterButton({ isActive, onPress }: { isActive: boolean; onPress: () => void }) {
  return (
    <Button variant="line" icon={SlidersHorizontal} onClick={onPress}>
      {FILTER}
      {isActive && <Badge tone="primary">Ativo</Badge>}
    </Button>
  )
}

function useDashboard(section: DashboardState['section'], filter: LeadFilter) {
  const options = section === 'filter' ? filteredQuery(filter) : overviewQuery()
  return useQuery({ ...options, enabled: section === 'overview' || section === 'filter' })
}

type FiguresProps = {
  query: ReturnType<typeof useDashboard>
  /** Null until the response has told the period's days. */
  filter: LeadFilter | null
  state: DashboardState
  onOpen: (figure: NonNullable<DashboardState['figure']>) => void
  onClose: () => void
  onLead: DashboardProps['onLead']
}

function Figures({ query, filter, state: { section, figure }, onOpen, onClose, onLead }: FiguresProps) {
  const isFiltered = section === 'filter'
  if (!query.data || !filter) return query.error ? <FailedRead of={query} /> : <OverviewSkeleton />
  return (
    <>
      <Overview
        // A new key closes an open list when the filter changes, because the list belongs to the former filter.
        key={JSON.stringify(filter)}
        dashboard={query.data}
        filter={filter}
        isFiltered={isFiltered}
        onOpen={onOpen}
      />
      <FigureDialog
        figure={figure}
        filter={filter}
        isFiltered={isFiltered}
        onClose={onClose}
        onLead={onLead}
      />
    </>
  )
}
