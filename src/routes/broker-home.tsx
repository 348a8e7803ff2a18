// /broker: the broker's board, and the conversation that its address names. Spec 2.17, 2.9, 2.10; INTERACTIONS 1.2.
import { getRouteApi, useCanGoBack, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { useSession } from '#data/session.ts'
import { BrokerBoard } from '#features/kanban/broker-board.tsx'
import { openQueue } from '#features/queue/queue-opening.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { usePageTitle } from '#ui/page-title.ts'

const route = getRouteApi('/broker/')
const conversation = lazily(
  async () => (await import('#features/conversation/conversation-dialog.tsx')).ConversationDialog,
)

export function BrokerHomePage() {
  const { estagio, lead } = route.useSearch()
  const navigate = route.useNavigate()
  const session = useSession()
  const close = useClose(lead)
  // Once shown it stays, closed, so that the focus finds its way back to the card.
  const [hasOpened, setOpened] = useState(false)
  if (lead !== undefined && !hasOpened) setOpened(true)
  usePageTitle('Gerenciar Conversas')
  useIdlePreload(conversation.load)
  // One entry of history, so that Back closes the conversation.
  const open = useCallback(
    (id: number) => void navigate({ search: (search) => ({ ...search, lead: id }) }),
    [navigate],
  )
  if (session.status !== 'in' || session.user.role !== 'broker') return null
  const { instanceName } = session.user
  return (
    <>
      <BrokerBoard
        instanceName={instanceName}
        stageSlug={estagio}
        // Replaced, so that Back never walks through stages.
        onStage={(slug) => void navigate({ search: { estagio: slug }, replace: true })}
        onOpen={open}
        onPending={openQueue}
      />
      <Suspense>
        {hasOpened && <conversation.Component instanceName={instanceName} contactId={lead} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Steps back to the board; where the conversation was the way in, the address alone changes. */
function useClose(lead: number | undefined): () => void {
  const navigate = route.useNavigate()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** The step back takes a moment, and a second press must not take a second one. */
  const [closing, setClosing] = useState<number>()
  if (lead === undefined && closing !== undefined) setClosing(undefined)
  return () => {
    if (closing === lead) return
    setClosing(lead)
    if (canGoBack) router.history.back()
    else void navigate({ search: ({ estagio }) => ({ estagio }), replace: true })
  }
}
