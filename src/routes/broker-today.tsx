// '/broker/hoje': the broker's day, and the conversation named in the address.
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#data/session.ts'
import { isToCome, isUnanswered } from '#domain/next-action/visit.ts'
import { snoozesAt } from '#domain/next-action/words.ts'
import { finish, putOff } from '#features/next-step/use-deeds.ts'
import { useSearchKey } from '#features/board/search/use-search-key.ts'
import { openQueue } from '#features/outbox/queue-opening.ts'
import { askOfVisits, isLeft, useLeftVisits, visitKey } from '#features/visit/left-visits.ts'
import { BoardOutcomes } from '#features/visit/outcome-card.tsx'
import { askForOutcome } from '#features/visit/visit-opening.ts'
import { TodayPage } from '#features/today/today-page.tsx'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { now } from '#ui/now.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { useStepBack } from '#ui/primitives/overlay/use-step-back.ts'
import { useBrokerActs } from './parts/broker-acts.tsx'
import { conversation, openConversation } from './parts/conversation-loader.ts'
import { NextStepPlace } from './parts/next-step.tsx'

const route = getRouteApi('/broker/hoje')
const adding = lazily(async () => (await import('#features/adding/own-lead.tsx')).OwnLeadDialog)
const search = lazily(async () => (await import('#features/board/search/lead-search.tsx')).LeadSearch)
const sheet = lazily(async () => (await import('#features/visit/visit-sheet.tsx')).VisitSheet)

type Actions = ComponentProps<typeof TodayPage>

type SearchedDayProps = Omit<Actions, 'onSearch' | 'searchPlace'>

/** The day's list with a search; while it is open, its results replace the list. */
function SearchedDay(props: SearchedDayProps) {
  const { instanceName, onOpen, onChange } = props
  const [isSearching, setSearching] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const open = () => search.open(() => setSearching(true))
  const close = () => {
    setSearching(false)
    // The search field vanishes together with the focus, so the button that opened it gets the focus.
    requestAnimationFrame(() => place.current?.querySelector('button')?.focus())
  }
  useSearchKey(() => !isSearching && open())
  useIdlePreload(search.load)
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div hidden={isSearching}>
        <TodayPage {...props} onSearch={open} searchPlace={place} />
      </div>
      <Suspense>
        {isSearching && (
          <search.Component
            {...{ instanceName, onOpen, onNext: onChange, onPending: openQueue, onClose: close }}
          />
        )}
      </Suspense>
    </div>
  )
}

export function BrokerTodayPage() {
  const { lead, remarcar, visita } = route.useSearch()
  const navigate = route.useNavigate()
  const session = useSession()
  const close = useStepBack(lead, () => void navigate({ search: {}, replace: true }))
  const [hasOpened, setOpened] = useState(false)
  if (lead !== undefined && !hasOpened) setOpened(true)
  const [next, setNext] = useState<number>()
  const acts = useBrokerActs(close, setNext)
  // A tapped notification opens the sheet that moves its visit at once.
  const [moved, setMoved] = useState(remarcar)
  const [hasMoved, setHasMoved] = useState(false)
  if (moved !== undefined && !hasMoved) setHasMoved(true)
  const move = useCallback((id: number) => sheet.open(() => setMoved(id)), [])
  /** Finishes an action. For a past visit it asks for the outcome; for a future one it opens the sheet. */
  const onFinish: Actions['onFinish'] = ({ lead: of, action }) => {
    if (action.kind !== 'visit') finish(of, action)
    else if (isToCome(action, now())) setNext(of.id)
    else askForOutcome(of.id)
  }
  /** Postpones an action. A visit is moved in its own sheet, because the lead is told the new hour. */
  const onPutOff: Actions['onPutOff'] = ({ lead: of, action }) => {
    if (action.kind === 'visit') move(of.id)
    else putOff(of, action, snoozesAt(now()).hourMs)
  }
  useEffect(() => {
    if (visita !== undefined) askOfVisits(visita)
  }, [visita])
  const left = useLeftVisits()
  const isAsked: Actions['isAsked'] = ({ lead: { id }, action }) =>
    isUnanswered(action, now()) && !isLeft(left, visitKey(id, action), now())
  const [isAdding, setAdding] = useState<boolean>()
  useIdlePreload(adding.load)
  usePageTitle('Hoje')
  useIdlePreload(conversation.load)
  const open = useCallback(
    (id: number) => openConversation(id, () => void navigate({ search: { lead: id } })),
    [navigate],
  )
  // Replaces the history entry that the sheet added, or that the lead had under its local id.
  const replaceLead = (id: number) =>
    openConversation(id, () => {
      void navigate({ search: { lead: id }, replace: true })
      if (isAdding === true) setAdding(false)
    })
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  const { instanceName } = session.user
  return (
    <>
      <SearchedDay
        {...{ instanceName, isAsked, onFinish, onPutOff, onOpen: open, onChange: setNext }}
        onAdd={() => adding.open(() => setAdding(true))}
        above={<BoardOutcomes {...{ instanceName, onOpen: open, onMove: move }} />}
      />
      <NextStepPlace {...{ instanceName, leadId: next, onOpen: open }} onClose={() => setNext(undefined)} />
      <Suspense>
        {hasOpened && (
          <conversation.Component
            {...{ instanceName, acts }}
            contactId={lead}
            onClose={close}
            onNamed={replaceLead}
          />
        )}
        {isAdding !== undefined && (
          <adding.Component
            isOpen={isAdding}
            instanceName={instanceName}
            onClose={() => setAdding(false)}
            onOpen={replaceLead}
          />
        )}
        {hasMoved && (
          <sheet.Component
            {...{ instanceName, leadId: moved, isMoved: true }}
            onClose={() => setMoved(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
