// An agent's open conversation: its contact and holder, the messages with the agent's turns below them, and the list of
// turns.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, SearchX } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { type AgentConversation, agentConversationQuery } from './conversations-data.ts'
import { type AgentState, isPaused } from '#domain/agent/agent.ts'
import { PortalError } from '#domain/errors.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { NO_OWNER } from '#domain/lead/ownerless.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useMedia } from '#ui/media.ts'
import { useNow } from '#ui/now.ts'
import { useTurnMarks } from '../turns/turn-marks.tsx'
import { TurnsFold } from '../turns/turns-fold.tsx'
import { TurnsPanel } from '../turns/turns-panel.tsx'
import { holderOf, Takeover } from './takeover.tsx'

/**
 * The page passes this renderer of a conversation's messages. It also places what is below each message, above the list
 * and in the composer. Without `lead` it renders no composer.
 */
export type RenderThread = (
  thread: { contactId: number; lead: Lead | undefined; invites: string | undefined } & ReturnType<
    typeof useTurnMarks
  >,
) => ReactNode

/** From this window width on, the turns are shown beside the conversation instead of in a sheet. */
const BESIDE = '(min-width: 1200px)'

const WRITING_PAUSES = 'Escrever pausa o agente'

type AgentThreadProps = {
  agentId: number
  contactId: number
  state: AgentState | undefined
  listed: AgentConversation | undefined
  isListRead: boolean
  renderThread: RenderThread
  onPass: (lead: Lead) => void
}

export function AgentThread({ agentId, contactId, state, renderThread, onPass, ...list }: AgentThreadProps) {
  const { open, read } = useOpen(agentId, contactId, list)
  const isBeside = useMedia(BESIDE)
  const nowMs = useNow()
  const [inspected, setInspected] = useState<number | null>(null)
  const [isFolded, setFolded] = useState(true)
  const inspect = useCallback((turnId: number | null) => {
    setInspected(turnId)
    setFolded(false)
  }, [])
  const lines = useTurnMarks({ agentId, contactId, inspected, onInspect: inspect })
  const invites =
    open && holderOf(state, isPaused(open.pause, nowMs), open) === 'agent' ? WRITING_PAUSES : undefined
  const turns = { agentId, contactId, inspected, onInspect: setInspected }
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-col">
        <ThreadHead agentId={agentId} lead={open?.lead} />
        {open ? (
          <>
            <Takeover agentId={agentId} state={state} conversation={open} onPass={onPass} />
            {!isBeside && <TurnsFold {...turns} isOpen={!isFolded} onOpen={(isOpen) => setFolded(!isOpen)} />}
            {renderThread({ contactId, lead: open.canAnswer ? open.lead : undefined, invites, ...lines })}
            {!open.canAnswer && <p className="bg-surface px-4 py-3 text-14 text-text-2">{NO_OWNER}</p>}
          </>
        ) : read.error ? (
          <Unread read={read} />
        ) : (
          <div className="flex flex-col gap-3 p-4">
            <Skeleton className="h-11 rounded-md!" />
            <Skeleton className="h-40 rounded-md!" />
          </div>
        )}
      </div>
      {isBeside && (
        <div className="flex min-h-0 flex-col border-l border-border">
          <TurnsPanel {...turns} />
        </div>
      )}
    </>
  )
}

/**
 * Finds the open conversation in the list, or fetches it alone if the list does not contain it. The previous
 * conversation stays visible meanwhile.
 */
function useOpen(
  agentId: number,
  contactId: number,
  { listed, isListRead }: Pick<AgentThreadProps, 'listed' | 'isListRead'>,
) {
  const read = useQuery({
    ...agentConversationQuery(agentId, contactId),
    enabled: isListRead && !listed,
  })
  const latest = listed ?? read.data
  const [kept, setKept] = useState(latest)
  if (latest && latest !== kept) setKept(latest)
  return { open: latest ?? kept, read }
}

function Unread({ read }: Pick<ReturnType<typeof useOpen>, 'read'>) {
  if (read.error instanceof PortalError && read.error.status === 404)
    return <State kind="empty" icon={SearchX} title="Conversa não encontrada" />
  return <FailedRead of={read} title="Não foi possível carregar a conversa." />
}

function ThreadHead({ agentId, lead }: { agentId: number; lead: Lead | undefined }) {
  return (
    <header className="flex min-h-15 shrink-0 items-center gap-3 border-b border-border px-4 py-2.5 short:min-h-11 short:py-1">
      <Link
        to="/prompts"
        search={{ agente: agentId, ver: 'chat' }}
        replace
        aria-label="Voltar às conversas"
        className="-ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 md:hidden"
      >
        <Icon of={ArrowLeft} />
      </Link>
      {lead && (
        <>
          <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
          <div className="min-w-0">
            <h2 className="truncate text-16 leading-snug font-semibold">{leadTitle(lead)}</h2>
            {lead.name?.trim() && lead.number && (
              <p className="text-13 text-text-3 tabular-nums">{formatPhone(lead.number)}</p>
            )}
          </div>
        </>
      )}
    </header>
  )
}
