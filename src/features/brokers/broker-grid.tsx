// 'Gerenciar Corretores': all brokers live, with a search by name; add, reset and remove.
import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, Users } from 'lucide-react'
import { useState } from 'react'
import {
  type AnswersToday,
  answersTodayQuery,
  brokersQuery,
  brokerTotalsQuery,
  type Invitation,
} from '#data/brokers.ts'
import { useIsOnline } from '#data/connectivity.ts'
import type { Broker } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { AddBrokerDialog } from './add-broker-dialog.tsx'
import { BrokerCard, type CardActions } from './broker-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveBrokerDialog } from './remove-broker-dialog.tsx'
import { ADD, cardName } from './texts.ts'

const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`

const summaryOf = (brokers: readonly Broker[]) =>
  `${countOf(brokers.length, 'corretor', 'corretores')} · ${countOf(
    brokers.filter(({ state }) => state === 'open').length,
    'conectado',
    'conectados',
  )}`

const TITLE = 'Gerenciar Corretores'

/** All cards have the same height, whatever their text. */
const GRID = 'grid auto-rows-fr grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4'
const SKELETONS = 8

type BrokerGridProps = {
  onConnect: (broker: Broker) => void
  /** True if the page itself tells that there is no broker, so only the dialogs are rendered. */
  isBare: boolean
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
}

export function BrokerGrid({ onConnect, isBare, isAdding, onAdding: setAdding }: BrokerGridProps) {
  usePageTitle(TITLE)
  const read = useQuery(brokersQuery())
  const { data: brokers } = read
  const isOnline = useIsOnline()
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<Broker | null>(null)
  // Each link is shown only once, so a new invitation waits until the shown one is closed.
  const [[invitation = null], setInvitations] = useState<readonly Invitation[]>([])
  const show = (made: Invitation) => setInvitations((waiting) => [...waiting, made])
  const { data: totals } = useQuery(brokerTotalsQuery())
  const { data: today } = useQuery(answersTodayQuery())
  return (
    <>
      {!isBare && (
        <>
          <header className="flex flex-wrap items-center gap-3 pb-5">
            <div className="mr-auto">
              <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
              <p className="min-h-5 text-14 text-text-3">{brokers && summaryOf(brokers)}</p>
            </div>
            <div className="flex min-w-0 grow basis-60 md:max-w-60">
              <SearchBox label="Buscar corretor..." text={text} onText={setText} />
            </div>
            <span className="flex grow *:grow md:grow-0">
              <Button
                icon={Plus}
                disabled={!isOnline}
                title={isOnline ? undefined : ONLINE_ONLY}
                onClick={() => setAdding(true)}
              >
                {ADD}
              </Button>
            </span>
          </header>
          {brokers && (
            <div className="pb-4 empty:hidden">
              <FailedRead of={read} shownFrom={formatDateTime(read.dataUpdatedAt)} />
            </div>
          )}
          {brokers ? (
            <Cards
              brokers={brokers}
              text={text}
              totals={totals}
              today={today}
              isOnline={isOnline}
              onConnect={onConnect}
              onInvited={show}
              onRemove={setRemoved}
            />
          ) : read.error ? (
            <FailedRead of={read} />
          ) : (
            <div className={GRID}>
              {Array.from({ length: SKELETONS }, (_, index) => (
                <Skeleton key={index} className="h-46 rounded-lg!" />
              ))}
            </div>
          )}
        </>
      )}
      <AddBrokerDialog
        isOpen={isAdding}
        brokers={brokers ?? []}
        onClose={() => setAdding(false)}
        onAdded={(made) => {
          setAdding(false)
          show(made)
        }}
      />
      <RemoveBrokerDialog
        broker={removed}
        total={removed ? totals?.[removed.instanceName] : undefined}
        brokers={brokers ?? []}
        onClose={(closed) => setRemoved((asked) => (asked === closed ? null : asked))}
      />
      <InviteDialog invitation={invitation} onClose={() => setInvitations((waiting) => waiting.slice(1))} />
    </>
  )
}

type CardsProps = CardActions & {
  brokers: readonly Broker[]
  text: string
  totals: Readonly<Record<string, number>> | undefined
  today: Readonly<Record<string, AnswersToday>> | undefined
  isOnline: boolean
}

function Cards({ brokers, text, totals, today, ...card }: CardsProps) {
  const wanted = text.trim().toLowerCase()
  const found = brokers.filter((broker) => cardName(broker).toLowerCase().includes(wanted))
  if (brokers.length === 0)
    return (
      <State
        kind="empty"
        icon={Users}
        title="Nenhum corretor ainda."
        hint="Adicione o primeiro e mande a ele o link de acesso."
      />
    )
  if (found.length === 0) return <State kind="empty" icon={SearchX} title={nobodyFound(text.trim())} />
  return (
    <div className={GRID}>
      {found.map((broker) => (
        <BrokerCard
          key={broker.id}
          {...card}
          broker={broker}
          total={totals?.[broker.instanceName]}
          today={today && (today[broker.instanceName] ?? null)}
        />
      ))}
    </div>
  )
}
