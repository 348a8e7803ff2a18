// 'Gerenciamento de Agentes': all agents with their live state, adding one, and one agent's details.
import { countOf } from '#domain/count.ts'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { agentsQuery } from '#data/agents.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { AgentCard } from './agent-card.tsx'
import { AgentInfoDrawer } from './agent-info.tsx'
import { NewAgentDialog } from './new-agent-dialog.tsx'
import { ADD } from './texts.ts'

const agentCount = (count: number) => countOf(count, 'agente', 'agentes')

const TITLE = 'Gerenciamento de Agentes'

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4'
const SKELETONS = 6

export function AgentList() {
  usePageTitle(TITLE)
  const read = useQuery(agentsQuery())
  const { data: agents, isFetching, refetch } = read
  const isOnline = useIsOnline()
  const [isAdding, setAdding] = useState(false)
  const [shownId, setShownId] = useState<number | null>(null)
  const refresh = () =>
    void refetch().then(
      ({ isError: hasFailed }) =>
        hasFailed && toast('Erro ao atualizar os agentes. Tente novamente.', 'error'),
    )
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-5">
        <div className="mr-auto">
          <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
          <p className="min-h-5 text-14 text-text-3">{agents && agentCount(agents.length)}</p>
        </div>
        <IconButton icon={RefreshCw} label="Atualizar lista" aria-busy={isFetching} onClick={refresh} />
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
      {agents ? (
        agents.length === 0 ? (
          <State
            kind="empty"
            icon={Bot}
            title="Nenhum agente encontrado"
            hint="Adicione um empreendimento para criar o agente que atende por ele."
          />
        ) : (
          <div className={GRID}>
            {agents.map((agent) => (
              <AgentCard key={agent.id} agent={agent} onInfo={({ id }) => setShownId(id)} />
            ))}
          </div>
        )
      ) : read.error ? (
        <FailedRead of={read} title="Erro ao carregar os agentes. Tente novamente." />
      ) : (
        <div className={GRID}>
          {Array.from({ length: SKELETONS }, (_, index) => (
            <Skeleton key={index} className="h-42 rounded-lg!" />
          ))}
        </div>
      )}
      <NewAgentDialog isOpen={isAdding} agents={agents ?? []} onClose={() => setAdding(false)} />
      <AgentInfoDrawer
        agent={agents?.find(({ id }) => id === shownId) ?? null}
        onClose={() => setShownId(null)}
      />
    </>
  )
}
