// 'Empreendimentos': lists the developments with price, leads, rotation and agent. A press opens one.
import { useQuery } from '@tanstack/react-query'
import { Building2, Plus, Rss } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { filesQuery } from '#data/development-files.ts'
import { countOf } from '#domain/count.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import { formatDateTime } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Table } from '#ui/primitives/table.tsx'
import { developmentsQuery } from './data.ts'
import { columnsOf } from './list-columns.tsx'
import {
  filterRows,
  ordered,
  summarize,
  withPrice,
  type ListFilter,
  type Order,
  type Shown,
} from './list-filter.ts'
import { NewDevelopmentDialog } from './new-development-dialog.tsx'
import { ListFilters } from './list-filters.tsx'
import { type OpenLead, UsageLeads } from './page/usage-leads.tsx'
import { NEW, SAVE_ONLINE } from './texts.ts'
import { UnboundTexts } from './unbound-texts.tsx'

const TITLE = 'Empreendimentos'
const SKELETONS = 6

type DevelopmentListProps = {
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  onOpen: (id: number) => void
  onFeed: () => void
  onLead: OpenLead
}

export function DevelopmentList({ onFeed, ...list }: DevelopmentListProps) {
  usePageTitle(TITLE)
  const read = useQuery(developmentsQuery())
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const rows = withPrice(read.data ?? [], dayAt(useNow()))
  const { active, openLeads, expired } = summarize(rows)
  const add = (
    <Button
      icon={Plus}
      disabled={!isOnline}
      title={isOnline ? undefined : SAVE_ONLINE}
      onClick={() => setAdding(true)}
    >
      {NEW}
    </Button>
  )
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <div className="min-w-0 grow basis-60">
          <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
          <p className="min-h-5 text-14 text-text-3">
            {read.data &&
              [
                countOf(active, 'ativo', 'ativos'),
                countOf(openLeads, 'lead aberto', 'leads abertos'),
                expired > 0 && countOf(expired, 'preço pede conferência', 'preços pedem conferência'),
              ]
                .filter(Boolean)
                .join(' · ')}
          </p>
        </div>
        <Button variant="line" icon={Rss} onClick={onFeed}>
          Importar de um feed
        </Button>
        {rows.length > 0 && add}
      </header>
      {!read.data ? (
        read.error ? (
          <FailedRead of={read} title="Erro ao carregar os empreendimentos. Tente novamente." />
        ) : (
          <div className="flex flex-col gap-2.5">
            {Array.from({ length: SKELETONS }, (_, index) => (
              <Skeleton key={index} className="h-16 rounded-md!" />
            ))}
          </div>
        )
      ) : rows.length === 0 ? (
        <State
          kind="empty"
          icon={Building2}
          title="Cadastre o primeiro empreendimento"
          hint="Corretores mandam material em três toques e o agente fala só do que está aqui."
        >
          {add}
        </State>
      ) : (
        <>
          <div className="pb-4 empty:hidden">
            <FailedRead of={read} shownFrom={formatDateTime(read.dataUpdatedAt)} />
          </div>
          <List rows={rows} {...list} />
        </>
      )}
      <UnboundTexts developments={read.data ?? []} />
      <NewDevelopmentDialog isOpen={isAdding} onClose={() => setAdding(false)} onAdded={list.onOpen} />
    </>
  )
}

type ListProps = Omit<DevelopmentListProps, 'onFeed'> & { rows: readonly Shown[] }

function List({ rows, filter, onFilter, onOpen, onLead }: ListProps) {
  const [words, setWords] = useState('')
  // The development whose open leads are listed.
  const [leadsOf, setLeadsOf] = useState<Shown | null>(null)
  const shown = ordered(filterRows(rows, filter, words), filter.ordem)
  const hasUnits = rows.some(({ unitsAvailable }) => unitsAvailable !== null)
  const covers = shown.flatMap(({ media }) => media.find(({ kind }) => kind === 'foto')?.id ?? [])
  const { data: urls = {} } = useQuery(filesQuery(covers, true))
  const onOrder = (ordem: Order) => onFilter({ ...filter, ordem: ordem === filter.ordem ? undefined : ordem })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2.5 pb-4">
        <div className="flex basis-70">
          <SearchBox label="Nome, bairro ou roleta" text={words} onText={setWords} />
        </div>
        <ListFilters rows={rows} filter={filter} onFilter={onFilter} />
      </div>
      {shown.length === 0 ? (
        <State
          kind="empty"
          icon={Building2}
          title={`Nenhum empreendimento${words ? ` com “${words.trim()}”` : ''}`}
        >
          <Button
            variant="soft"
            onClick={() => {
              setWords('')
              onFilter({})
            }}
          >
            Limpar busca
          </Button>
        </State>
      ) : (
        <div className="overflow-hidden rounded-lg bg-surface shadow-card">
          <Table
            label={TITLE}
            columns={columnsOf({ hasUnits, urls, order: filter.ordem, onLeads: setLeadsOf, onOrder })}
            rows={shown}
            keyOf={({ id }) => id}
            open={{ run: ({ id }) => onOpen(id), name: ({ name }) => `Abrir ${name}` }}
          />
        </div>
      )}
      <UsageLeads
        id={leadsOf?.id ?? 0}
        list={leadsOf && 'open'}
        count={leadsOf?.openLeads ?? 0}
        onClose={() => setLeadsOf(null)}
        onLead={onLead}
      />
    </>
  )
}
