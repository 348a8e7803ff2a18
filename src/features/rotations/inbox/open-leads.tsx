// Lists the leads without a broker: each one's state and age, its history on a press. One or several can be passed to a
// broker.
import { useQuery } from '@tanstack/react-query'
import { Inbox, ListChecks } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type OpenRoutingCase, openRoutingCasesQuery } from '#data/board/lead-history.ts'
import { displayName, NO_BROKER } from '#domain/broker.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { formatDateTime, formatRelative, formatHour } from '#domain/format.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useNow } from '#ui/now.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { CompleteLead } from './complete-lead.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { OPEN_LEADS } from '../texts.ts'

const PASS = 'Passar para...'

/** What the transfer of a lead has to know about it. */
export type PassedLead = { id: number; name: string | null; number: string | null; instanceName: string }

/** A lead without a phone number cannot be transferred, because no broker could write to it. */
const isPassable = ({ number }: OpenRoutingCase) => number !== null

const toPassed = ({ contactId, name, number, owner }: OpenRoutingCase): PassedLead => ({
  id: contactId,
  name,
  number,
  instanceName: owner ?? NO_BROKER,
})

const historyLabel = (name: string) => `Ver o caminho de ${name}`

const STATE: Record<OpenRoutingCase['state'], string> = {
  waiting: 'Aguardando corretor',
  offered: 'Oferecido',
  pool: 'No bolsão',
  inbox: 'Com o administrador',
}

const TONE = { waiting: 'warning', offered: 'info', pool: 'primary', inbox: 'neutral' } as const

/** Lifts a button above the row's own press area. */
const ABOVE = 'relative z-1'

type Choice = { chosen: ReadonlySet<number>; onToggle: (id: number) => void }

const leadColumn = ({ chosen, onToggle }: Choice): Column<OpenRoutingCase> => ({
  title: 'Lead',
  place: 'head',
  cell: (lead) => (
    <span className="flex items-center gap-1 font-medium">
      {isPassable(lead) && (
        <label
          className={`${ABOVE} -my-1 -ml-3 flex size-11 shrink-0 cursor-pointer items-center justify-center`}
        >
          <span className="sr-only">{`Selecionar ${leadTitle(lead)}`}</span>
          <input
            type="checkbox"
            checked={chosen.has(lead.id)}
            onChange={() => onToggle(lead.id)}
            className="size-5 accent-primary"
          />
        </label>
      )}
      <span className="block min-w-0 py-1.5 wrap-anywhere max-[40rem]:py-0">
        {leadTitle(lead)}
        {lead.number === null && lead.email !== null && (
          <span className="block text-13 font-normal text-text-3">Só e-mail</span>
        )}
      </span>
    </span>
  ),
})

const passColumn = (isOnline: boolean, onPass: OpenLeadsProps['onPass']): Column<OpenRoutingCase> => ({
  title: 'O que fazer',
  isPlain: true,
  isNumber: true,
  cell: (lead) =>
    isPassable(lead) && (
      <span className={`${ABOVE} inline-flex`}>
        <Button
          variant="soft"
          size="small"
          disabled={!isOnline}
          title={isOnline ? undefined : ONLINE_ONLY}
          aria-label={`${PASS}: ${leadTitle(lead)}`}
          onClick={() => onPass(toPassed(lead))}
        >
          {PASS}
        </Button>
      </span>
    ),
})

const COLUMNS: readonly Column<OpenRoutingCase>[] = [
  {
    title: 'Onde está',
    place: 'mark',
    cell: ({ state }) => <Badge tone={TONE[state]}>{STATE[state]}</Badge>,
  },
  {
    title: 'Corretor',
    isPlain: true,
    cell: ({ state, holder, nextAtMs }) =>
      state === 'offered' && holder !== null ? (
        <>
          {displayName(holder)}
          {nextAtMs !== null && (
            <span className="text-text-3 tabular-nums"> {`até ${formatHour(nextAtMs)}`}</span>
          )}
        </>
      ) : (
        <span className="text-text-3 max-[40rem]:hidden">–</span>
      ),
  },
  {
    title: 'Empreendimento',
    isPlain: true,
    cell: ({ development }) => development ?? <span className="text-text-3">Sem empreendimento</span>,
  },
  { title: 'Chegou', isPlain: true, cell: ({ arrivedAtMs }) => <Arrived atMs={arrivedAtMs} /> },
]

/** The props of the dialog with a lead's history, which is another feature's. */
export type HistoryProps = {
  /** The lead whose history is shown; null while the dialog is closed. */
  lead: { contactId: number; name: string; more: ReactNode } | null
  onClose: () => void
}

export type OpenLeadsProps = {
  history: ComponentType<HistoryProps>
  /** A link to the page that answers and transfers the lead. */
  wayOn: (lead: OpenRoutingCase) => ReactNode
  /** A link to further leads without a broker, which this list does not contain. */
  others: ReactNode
  onPass: (lead: PassedLead) => void
  /** A bar that transfers the chosen leads together. */
  bar: ComponentType<{ leads: readonly PassedLead[]; onClear: () => void }>
}

const NOBODY: ReadonlySet<number> = new Set()

export function OpenLeads({ history: LeadHistory, wayOn, others, onPass, bar: Bar }: OpenLeadsProps) {
  const read = useQuery(openRoutingCasesQuery())
  const { data: cases } = read
  const [opened, setOpened] = useState<HistoryProps['lead']>(null)
  const close = () => setOpened(null)
  const [chosen, setChosen] = useState(NOBODY)
  const toggle = (id: number) =>
    setChosen((before) =>
      before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
    )
  const isOnline = useIsOnline()
  if (!cases) return read.error ? <FailedRead of={read} /> : <Skeleton className="h-60 rounded-lg!" />
  const passable = cases.filter(isPassable)
  // Only chosen leads that still have no broker are transferred.
  const passed = passable.filter(({ id }) => chosen.has(id)).map(toPassed)
  return (
    <>
      <p className="max-w-3xl pb-3 text-14 leading-body text-text-2">
        {
          'Os que chegaram pela captação ou pelo número central e ainda não têm corretor. Os que ficaram de um corretor removido não estão aqui.'
        }{' '}
        {others}
      </p>
      {cases.length === 0 ? (
        <State
          kind="empty"
          icon={Inbox}
          title="Nenhum lead esperando."
          hint="Aparecem aqui os que estão sendo oferecidos, os do bolsão e os que nenhuma roleta recebe."
        />
      ) : (
        <div className="overflow-hidden rounded-lg bg-surface shadow-card">
          {passable.length > 1 && passed.length < passable.length && (
            <div className="px-2 pt-2">
              <Button
                variant="ghost"
                icon={ListChecks}
                onClick={() => setChosen(new Set(passable.map(({ id }) => id)))}
              >
                {`Selecionar todos (${passable.length})`}
              </Button>
            </div>
          )}
          <Table
            label={OPEN_LEADS}
            columns={[leadColumn({ chosen, onToggle: toggle }), ...COLUMNS, passColumn(isOnline, onPass)]}
            rows={cases}
            keyOf={({ id }) => id}
            open={{
              run: (lead) =>
                setOpened({
                  contactId: lead.contactId,
                  name: leadTitle(lead),
                  more: moreOf(lead, wayOn, close),
                }),
              name: (lead) => historyLabel(leadTitle(lead)),
            }}
          />
        </div>
      )}
      <LeadHistory lead={opened} onClose={close} />
      <Bar leads={passed} onClear={() => setChosen(NOBODY)} />
    </>
  )
}

/** Returns the buttons for a lead in the dialog with its history. */
function moreOf(lead: OpenRoutingCase, wayOn: OpenLeadsProps['wayOn'], onDone: () => void): ReactNode {
  const { contactId, number, email } = lead
  if (number !== null || email === null) return wayOn(lead)
  return <CompleteLead contactId={contactId} email={email} onDone={onDone} />
}

function Arrived({ atMs }: { atMs: number }) {
  const nowMs = useNow()
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatDateTime(atMs)} className="tabular-nums">
      {formatRelative(atMs, nowMs)}
    </time>
  )
}
