// 'Configurações - <agent>': its prompts in two columns, and forgetting a chat.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarCheck, Hand, List, Route, Scale, SearchX } from 'lucide-react'
import { useId, useState } from 'react'
import { agentsQuery } from '#data/agents.ts'
import { promptsQuery } from './prompts/prompts-data.ts'
import type { PromptField } from '#domain/agent/agent.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Tabs } from '#ui/primitives/tabs.tsx'
import { AgentHead } from './agent-head.tsx'
import { DeletionForm, DeletionResult, useDeletion } from './chat/delete-history.tsx'
import { LockedCard, PromptCard } from './prompts/prompt-card.tsx'
import { Workings } from './workings/workings.tsx'
import { WorkBadge } from './state-badge.tsx'
import { BACK_TO_LIST, DETAILS_FAILED } from './texts.ts'

const draftWaits = (count: number) =>
  count === 1 ? '1 texto é rascunho e ainda não vale.' : `${count} textos são rascunho e ainda não valem.`

const settingsTitle = (name: string) => `Configurações - ${name}`

const COLUMNS: readonly {
  title: string
  prompts: readonly { field: PromptField; title: string; icon: typeof Hand }[]
  locked: { title: string; icon: typeof Hand }
}[] = [
  {
    title: 'Atendimento',
    prompts: [
      { field: 'introducao_atendimento', title: 'Introdução', icon: Hand },
      { field: 'regras_atendimento', title: 'Regras', icon: Scale },
      { field: 'atendimento_atendimento', title: 'Atendimento', icon: Route },
    ],
    locked: { title: 'Listar Horários', icon: List },
  },
  {
    title: 'Agendamento',
    prompts: [
      { field: 'introducao_agendamento', title: 'Introdução', icon: Hand },
      { field: 'regras_agendamento', title: 'Regras', icon: Scale },
      { field: 'atendimento_agendamento', title: 'Atendimento', icon: Route },
    ],
    locked: { title: 'Agendamento', icon: CalendarCheck },
  },
]

const VIEWS = [
  { value: 'texts', label: 'Textos' },
  { value: 'workings', label: 'Funcionamento e testes' },
]

export function AgentSettings({ agentId }: { agentId: number }) {
  const read = useQuery(promptsQuery(agentId))
  const { data: agent } = read
  const { data: agents } = useQuery(agentsQuery())
  const listed = agents?.find(({ id }) => id === agentId)
  const deletion = useDeletion(agentId)
  const panelId = useId()
  const [view, setView] = useState('texts')
  if (agent === null)
    return (
      <State kind="empty" icon={SearchX} title="Agente não encontrado">
        <Link to="/prompts" className="font-semibold text-primary">
          {BACK_TO_LIST}
        </Link>
      </State>
    )
  return (
    <>
      <AgentHead title={settingsTitle(agent?.name ?? '…')} badge={listed && <WorkBadge agent={listed} />}>
        <DeletionForm deletion={deletion} />
      </AgentHead>
      <DeletionResult deletion={deletion} />
      <div className="flex pb-5">
        <Tabs
          label="Configurações do agente"
          items={VIEWS}
          value={view}
          onChoose={setView}
          panelId={panelId}
        />
      </div>
      <div role="tabpanel" id={panelId} aria-label={VIEWS.find(({ value }) => value === view)?.label}>
        {view === 'workings' ? (
          <Workings agentId={agentId} />
        ) : !agent && read.error ? (
          <FailedRead of={read} title={DETAILS_FAILED} />
        ) : (
          <>
            {agent && agent.drafted.length > 0 && (
              <p className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-info-soft py-1 pr-1 pl-4 text-14 text-on-info-soft">
                <span className="grow py-2">{draftWaits(agent.drafted.length)}</span>
                <Button variant="soft" onClick={() => setView('workings')}>
                  Testar e publicar
                </Button>
              </p>
            )}
            <div className="grid gap-x-7 gap-y-6 md:grid-cols-2">
              {COLUMNS.map(({ title, prompts, locked }) => (
                <section key={title} aria-label={title} className="flex min-w-0 flex-col gap-3">
                  <h2 className="pb-1 text-17 font-semibold">{title}</h2>
                  {prompts.map((prompt) =>
                    agent ? (
                      <PromptCard
                        key={prompt.field}
                        {...prompt}
                        agentId={agentId}
                        text={agent.texts[prompt.field]}
                        isDraft={agent.drafted.includes(prompt.field)}
                      />
                    ) : (
                      <Skeleton key={prompt.field} className="h-31 rounded-lg!" />
                    ),
                  )}
                  {agent ? <LockedCard {...locked} /> : <Skeleton className="h-17 rounded-lg!" />}
                </section>
              ))}
            </div>
          </>
        )}
      </div>
    </>
  )
}
