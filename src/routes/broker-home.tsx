// '/broker': the broker's board, and the conversation named in the address.
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { useSession } from '#data/session.ts'
import { BrokerBoard } from '#features/board/broker-board.tsx'
import { askToMark } from '#features/private/opening.ts'
import { openQueue } from '#features/outbox/queue-opening.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { useStepBack } from '#ui/primitives/overlay/use-step-back.ts'
import { useBrokerActs } from './parts/broker-acts.tsx'
import { conversation, openConversation } from './parts/conversation-loader.ts'

const route = getRouteApi('/broker/')
const nextStep = lazily(async () => (await import('./parts/next-step.tsx')).NextStepPlace)
const prepare = async () => {
  await conversation.load()
  return (await import('#features/conversation/conversation-dialog.tsx')).prepareConversations()
}
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
  // Once opened, the conversation stays mounted while closed, so that focus returns to the card.
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
      openConversation(id, () => {
        // If a conversation is open beside the board, the new one replaces its history entry.
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
  const acts = useBrokerActs(close, openNext)
  // Replaces the history entry that the sheet added, or that the lead had under its local id. The sheet may close only
  // once the conversation is open, because its step back would close the conversation.
  const replaceLead = (id: number) =>
    openConversation(id, () => {
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
        // Replaces the history entry, so that Back does not go through all visited stages.
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
            {...{ instanceName, acts, docks: true }}
            contactId={lead}
            onClose={close}
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
