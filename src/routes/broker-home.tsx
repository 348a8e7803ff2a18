// '/broker': the broker's board, and the conversation named in the address.
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useCallback, useState } from 'react'
import { useSession } from '#data/session.ts'
import { BrokerBoard } from '#features/board/broker-board.tsx'
import { askToMark } from '#features/private/opening.ts'
import { askToBook } from '#features/visit/visit-opening.ts'
import { openQueue } from '#features/outbox/queue-opening.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { useStepBack } from '#ui/primitives/overlay/use-step-back.ts'

const route = getRouteApi('/broker/')
const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)
const nextStep = lazily(async () => (await import('./parts/next-step.tsx')).NextStepPlace)
const strip = lazily(async () => (await import('#features/next-step/next-step-strip.tsx')).NextStepStrip)
const offerNextStep: NonNullable<ComponentProps<typeof conversation.Component>['offerNextStep']> = (
  props,
) => <strip.Component {...props} onVisit={askToBook} />
const visitPlace = lazily(async () => (await import('#features/visit/visit-place.tsx')).VisitPlace)
const visitsOf: NonNullable<ComponentProps<typeof conversation.Component>['below']> = (one) => (
  <visitPlace.Component key={one.id} lead={one} />
)
const prepare = async () => {
  await conversation.load()
  return (await import('#features/conversation/conversation-dialog.tsx')).prepareConversations()
}

const quiet: NonNullable<ComponentProps<typeof conversation.Component>['quiet']> = (one) =>
  void import('#features/next-step/use-deeds.ts').then((deeds) => deeds.quiet(one))

const adding = lazily(async () => (await import('#features/adding/own-lead.tsx')).OwnLeadDialog)

export function BrokerHomePage() {
  const { estagio, filtro, lead } = route.useSearch()
  const navigate = route.useNavigate()
  const session = useSession()
  const close = useStepBack(
    lead,
    () =>
      void navigate({
        search: (search) => ({ estagio: search.estagio, filtro: search.filtro }),
        replace: true,
      }),
  )
  // After the first opening it stays mounted, closed, so that the focus returns to the card.
  const [hasOpened, setOpened] = useState(false)
  if (lead !== undefined && !hasOpened) setOpened(true)
  usePageTitle('Gerenciar Conversas')
  useIdlePreload(prepare)
  const [isAdding, setAdding] = useState<boolean>()
  useIdlePreload(adding.load)
  // Adds one history entry, so that Back closes the conversation.
  const router = useRouter()
  const open = useCallback(
    (id: number) =>
      conversation.open(() => {
        // Beside the board, a second conversation replaces the first.
        const replace = 'lead' in router.state.location.search
        void navigate({ search: (search) => ({ ...search, lead: id }), replace })
      }),
    [navigate, router],
  )
  const [next, setNext] = useState<number>()
  const [hasNext, setHasNext] = useState(false)
  if (next !== undefined && !hasNext) setHasNext(true)
  const openNext = useCallback((id?: number) => nextStep.open(() => setNext(id)), [])
  useIdlePreload(nextStep.load)
  // Replaces the history entry that the sheet added, or that the lead had under its local id. The sheet closes only
  // after the conversation is open; closed earlier, its step back would close the conversation.
  const replaceLead = (id: number) =>
    conversation.open(() => {
      void navigate({ search: (search) => ({ ...search, lead: id }), replace: true })
      if (isAdding === true) setAdding(false)
    })
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  const { instanceName } = session.user
  return (
    <div className="flex min-h-0 grow">
      <BrokerBoard
        instanceName={instanceName}
        stageSlug={estagio}
        // Replaced, so that Back does not walk through stages.
        onStage={(slug) => void navigate({ search: { estagio: slug, filtro }, replace: true })}
        filter={filtro}
        onFilter={(chosen, slug = estagio) =>
          void navigate({ search: (search) => ({ ...search, estagio: slug, filtro: chosen }), replace: true })
        }
        onOpen={open}
        onPending={openQueue}
        onNext={openNext}
        onPrivate={askToMark}
        onAdd={() => adding.open(() => setAdding(true))}
      />
      <Suspense>
        {hasOpened && (
          <conversation.Component
            {...{ instanceName, offerNextStep, quiet, changeNext: openNext, onClose: close, docks: true }}
            contactId={lead}
            below={visitsOf}
            {...{ bookVisit: askToBook, notLead: (one) => askToMark(one, close) }}
            onNamed={replaceLead}
          />
        )}
        {hasNext && (
          <nextStep.Component {...{ instanceName, leadId: next, onOpen: open }} onClose={openNext} />
        )}
        {isAdding !== undefined && (
          <adding.Component
            isOpen={isAdding}
            instanceName={instanceName}
            onClose={() => setAdding(false)}
            onOpen={replaceLead}
          />
        )}
      </Suspense>
    </div>
  )
}
