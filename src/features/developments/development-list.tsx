// 'Empreendimentos': lists the developments with price, leads, rotation and agent. A press opens one.
import { useQuery } from '@tanstack/react-query'
import { Building2, Plus, Rss } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { filesQuery } from '#data/development-files.ts'
import { MODE_LABEL } from '#domain/agent/agent.ts'
import { countOf } from '#domain/count.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import { STATE_LABEL } from '#domain/development/development.ts'
import { shortReais } from '#domain/development/price-words.ts'
import { formatDateTime } from '#domain/format.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Table, type Column } from '#ui/primitives/table.tsx'
import { developmentsQuery } from './data.ts'
import { filterRows, summarize, withPrice, type ListFilter, type Shown } from './list-filter.ts'
import { NewDevelopmentDialog } from './new-development-dialog.tsx'
import { ListFilters } from './list-filters.tsx'
import { Picture } from './picture.tsx'
import { NEW, NO_PRICE, priceDay, SAVE_ONLINE } from './texts.ts'
import { UnboundTexts } from './unbound-texts.tsx'

const TITLE = 'Empreendimentos'
const SKELETONS = 6
const STATE_TONE = { lancamento: 'info', em_obras: 'neutral', pronto: 'success' } as const

type DevelopmentListProps = {
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  onOpen: (id: number) => void
  onFeed: () => void
}

export function DevelopmentList({ filter, onFilter, onOpen, onFeed }: DevelopmentListProps) {
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
        <div className="mr-auto">
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
          Feed
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
          <List rows={rows} filter={filter} onFilter={onFilter} onOpen={onOpen} />
        </>
      )}
      <UnboundTexts developments={read.data ?? []} />
      <NewDevelopmentDialog isOpen={isAdding} onClose={() => setAdding(false)} onAdded={onOpen} />
    </>
  )
}

type ListProps = Omit<DevelopmentListProps, 'onFeed'> & { rows: readonly Shown[] }

function List({ rows, filter, onFilter, onOpen }: ListProps) {
  const [words, setWords] = useState('')
  const shown = filterRows(rows, filter, words)
  const covers = shown.flatMap(({ media }) => media.find(({ kind }) => kind === 'foto')?.id ?? [])
  const { data: urls = {} } = useQuery(filesQuery(covers, true))
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
            columns={columnsOf(urls)}
            rows={shown}
            keyOf={({ id }) => id}
            open={{ run: ({ id }) => onOpen(id), name: ({ name }) => `Abrir ${name}` }}
          />
        </div>
      )}
    </>
  )
}

const NONE = <span className="text-text-3">–</span>

const columnsOf = (urls: Readonly<Record<string, string>>): readonly Column<Shown>[] => [
  {
    title: 'Empreendimento',
    place: 'head',
    cell: ({ name, district, media }) => (
      <span className="flex min-h-16 items-center gap-3.5">
        <Picture url={urls[media.find(({ kind }) => kind === 'foto')?.id ?? '']} className="h-12 w-16" />
        <span className="min-w-0">
          <span className="block text-15 font-semibold">{name}</span>
          {district !== null && <span className="block text-13 text-text-3">{district}</span>}
        </span>
      </span>
    ),
  },
  {
    title: 'Estado',
    place: 'mark',
    cell: ({ state }) =>
      state === null ? NONE : <Badge tone={STATE_TONE[state]}>{STATE_LABEL[state]}</Badge>,
  },
  {
    title: 'A partir de',
    isNumber: true,
    cell: ({ price }) => (
      <>
        <span className="block font-semibold">{price === null ? '–' : shortReais(price.cents)}</span>
        <span className={`block text-13 ${price?.isExpired ? 'text-warning' : 'text-text-3'}`}>
          {price === null ? NO_PRICE : priceDay(price)}
        </span>
      </>
    ),
  },
  { title: 'Plantas', isNumber: true, cell: ({ plans }) => plans.length },
  { title: 'Leads abertos', isNumber: true, cell: ({ openLeads }) => openLeads.toLocaleString('pt-BR') },
  { title: 'Roleta', cell: ({ rotation }) => rotation ?? NONE },
  {
    title: 'Agente',
    cell: ({ agentMode }) =>
      agentMode === null ? (
        NONE
      ) : (
        <Badge tone={agentMode === 'off' ? 'neutral' : 'primary'}>{MODE_LABEL[agentMode]}</Badge>
      ),
  },
]
