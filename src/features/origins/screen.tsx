// '/origens': what the leads of each origin and campaign cost in a month. Month, team and open list are in the URL.
import { useQuery } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { dayAt } from '#domain/dashboard/period.ts'
import { formatDateTime } from '#domain/format.ts'
import { monthName, monthsBefore, type OriginLine } from '#domain/origins/costs.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useNow } from '#ui/now.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { OriginsBar } from './bar.tsx'
import { ClicksCard } from './clicks-card.tsx'
import { type Origins, originsQuery } from './data.ts'
import { ForeignSpend } from './foreign.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { nameOf, OriginLines } from './lines.tsx'
import { OriginList } from './list.tsx'
import { MonthsCard } from './months-card.tsx'
import { type OriginsState, readOrigins, writeOrigins } from './state.ts'
import { OriginsSummary } from './summary.tsx'

type Search = Record<string, unknown>
type OriginsScreenProps = {
  /** The URL's search parameters. */
  search: Search
  /** Changes the URL. Replacing adds no history entry. */
  onSearch: (search: Search, isReplacing: boolean) => void
  /** Goes back in the history if a list was opened from here, else to these search parameters. */
  onBack: (search: Search) => void
  onLead: (lead: { id: number; instanceName: string | null }) => void
  /** The tabs of Relatórios. `panelId`: the id of the panel that they control. */
  tabs: ReactNode
  panelId: string
}

const TITLE = 'Origens'
const NOTE =
  'Leads: recebidos no mês. Respondidos, visitas feitas e fechados são desses mesmos leads, até hoje: o custo divide o gasto do mês por eles. Leads sem gasto informado ficam fora de todas as médias. Se a origem tem um gasto único, ele vale para todas as campanhas dela.'
const TEAM_NOTE = ' Com equipe, o gasto é a parte dela, pelos leads que estão com os seus corretores.'

export function OriginsScreen({ search, onSearch, onBack, onLead, tabs, panelId }: OriginsScreenProps) {
  usePageTitle(TITLE)
  const today = dayAt(useNow())
  const state = readOrigins(search, today)
  const { question, figure } = state
  const read = useQuery(originsQuery(question))
  const [isImporting, setImporting] = useState(false)
  const go = (next: Partial<OriginsState>, isReplacing = true) =>
    onSearch(writeOrigins({ ...state, ...next }, today), isReplacing)
  const origins = read.data
  return (
    <>
      <h1 className="sr-only">{TITLE}</h1>
      <OriginsBar
        question={question}
        teams={origins?.teamNames ?? []}
        today={today}
        tabs={tabs}
        onQuestion={(chosen) => go({ question: chosen, figure: null })}
        onImport={origins?.isAdmin ? () => setImporting(true) : undefined}
      />
      <div id={panelId} role="tabpanel" aria-label={TITLE} className="flex flex-col gap-3 lg:gap-3.5">
        {origins && read.error && <FailedRead of={read} shownFrom={formatDateTime(Date.parse(origins.at))} />}
        <Body read={read} state={state} today={today} onOpen={(opened) => go({ figure: opened }, false)} />
      </div>
      <ImportDialog isOpen={isImporting} today={today} onClose={() => setImporting(false)} />
      <OriginList
        figure={figure}
        question={question}
        today={today}
        nameOf={({ origin, campaign }) => (campaign === null ? '' : campaignName(origins, origin, campaign))}
        onClose={() => onBack(writeOrigins({ ...state, figure: null }, today))}
        onLead={onLead}
      />
    </>
  )
}

function campaignName(read: Origins | undefined, origin: string | null, campaign: string): string {
  const line = read?.origins
    .find((one) => one.origin === origin)
    ?.campaigns.find((one) => one.campaign === campaign)
  return line ? nameOf(line) : campaign
}

type BodyProps = {
  read: ReturnType<typeof useQuery<Origins>>
  state: OriginsState
  today: string
  onOpen: (figure: NonNullable<OriginsState['figure']>) => void
}

function Body({ read, state: { question }, today, onOpen }: BodyProps) {
  const [chosen, setChosen] = useState<OriginLine | null>(null)
  const { data } = read
  if (!data)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar as origens." />
    ) : (
      <>
        <Skeleton className="h-22 rounded-card!" />
        <Skeleton className="h-96 rounded-card!" />
      </>
    )
  const { origins, others, total, before, isAdmin } = data
  if (origins.length === 0)
    return (
      <State
        kind="empty"
        icon={Coins}
        title="Nenhum lead nem gasto neste mês."
        hint="Escolha outro mês, ou importe os gastos."
      />
    )
  const { month, team } = question
  const told = origins.filter(({ figures }) => figures.cents !== null).length
  return (
    <>
      <OriginsSummary
        total={total}
        before={before}
        origins={{ count: origins.length, told }}
        monthBefore={monthName(monthsBefore(month, 1), today).toLowerCase()}
        onOpen={onOpen}
      />
      <div className="flex flex-col gap-3 lg:gap-3.5 min-[88rem]:flex-row min-[88rem]:items-start">
        <section
          aria-label="Por origem"
          className="min-w-0 overflow-hidden rounded-card bg-surface shadow-card min-[88rem]:grow [--cell:12px]"
        >
          <OriginLines
            key={month}
            origins={origins}
            month={month}
            monthText={monthName(month, today).toLowerCase()}
            isFixed={!isAdmin || team !== null}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={onOpen}
          />
          <p className="border-t border-border px-5 py-2.5 text-13 text-text-3">
            {NOTE}
            {(team !== null || !isAdmin) && TEAM_NOTE}
          </p>
        </section>
        {isAdmin && (
          <div className="flex shrink-0 flex-col gap-3 lg:gap-3.5 min-[88rem]:w-80">
            {chosen && (
              <MonthsCard
                key={`${chosen.origin} ${chosen.campaign}`}
                line={chosen}
                month={month}
                today={today}
              />
            )}
            <ClicksCard month={month} />
          </div>
        )}
      </div>
      {others.length > 0 && <ForeignSpend lines={others} />}
    </>
  )
}
