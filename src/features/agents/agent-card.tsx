// One agent in the list: its live state, and links to its settings, details and conversations.
import { Link } from '@tanstack/react-router'
import { Bot, Info, MessagesSquare, Settings, Unplug } from 'lucide-react'
import { type Agent, agentState } from '#domain/agent/agent.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { INFO } from './texts.ts'
import { StateBadge } from './state-badge.tsx'

type AgentCardProps = { agent: Agent; onInfo: (agent: Agent) => void }

const LINK =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-ctl px-4 text-14 font-semibold transition-colors hover:bg-surface-2'

export function AgentCard({ agent, onInfo }: AgentCardProps) {
  const { id, name, instanceName } = agent
  const state = agentState(agent)
  return (
    <article aria-label={name} className="flex flex-col rounded-lg bg-surface shadow-card">
      <div className="flex grow items-start gap-3.5 px-4.5 pt-4.5 pb-4">
        <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-md bg-primary-soft text-on-primary-soft">
          <Icon of={Bot} size={24} />
        </span>
        <div className="min-w-0 grow">
          <h2 className="text-16 leading-snug font-semibold wrap-anywhere">{name}</h2>
          <p className="truncate pb-2 text-13 text-text-3">{instanceName ?? 'Sem WhatsApp central'}</p>
          <StateBadge state={state} />
        </div>
        <Link
          to="/prompts"
          search={{ agente: id }}
          aria-label={`Configurar ${name}`}
          className="-mt-1.5 -mr-1.5 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-surface-2"
        >
          <Icon of={Settings} />
        </Link>
      </div>
      {state === 'no-engine' && (
        <p className="px-4.5 pb-3 text-13 text-text-2">
          Ninguém responde aqui ainda: falta o programa que usa estes textos, com um token de serviço.
        </p>
      )}
      {state === 'offline' && (
        <div className="px-3 pb-3">
          <Button variant="soft" size="small" icon={Unplug} onClick={() => onInfo(agent)}>
            {instanceName === null ? 'Escolher o WhatsApp' : 'Conectar o WhatsApp'}
          </Button>
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-1 border-t border-border p-1.5">
        <Button
          variant="quiet"
          icon={Info}
          aria-label={`Informações de ${name}`}
          onClick={() => onInfo(agent)}
        >
          {INFO}
        </Button>
        <Link
          to="/prompts"
          search={{ agente: id, ver: 'chat' }}
          aria-label={`Chat de ${name}`}
          className={`${LINK} text-primary`}
        >
          <Icon of={MessagesSquare} size={18} />
          Chat
        </Link>
      </div>
    </article>
  )
}
