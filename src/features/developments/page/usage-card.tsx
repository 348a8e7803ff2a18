// 'Onde é usado': shows the rotation, agent, sources, leads and visits that name the development. Each opens what it
// counts.
import { Link } from '@tanstack/react-router'
import {
  Bot,
  Calendar,
  ChevronRight,
  RadioTower,
  RefreshCw,
  Send,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { MODE_LABEL } from '#domain/agent/agent.ts'
import { countOf } from '#domain/count.ts'
import { Card } from '#ui/primitives/card.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import type { DevelopmentDetails, LeadList } from '../data.ts'
import { type OpenLead, UsageLeads } from './usage-leads.tsx'

type UsageCardProps = { id: number; usage: DevelopmentDetails['usage']; onLead: OpenLead }

export function UsageCard({ id, usage, onLead }: UsageCardProps) {
  const { rotation, agent, sources } = usage
  const [list, setList] = useState<LeadList | null>(null)
  const lists = listsOf(usage)
  return (
    <Card title="Onde é usado">
      <ul className="divide-y divide-border border-t border-border">
        <li>
          <Link to="/roleta" className={WAY}>
            {rotation ? (
              <Use
                icon={RefreshCw}
                title={`Roleta ${rotation.name}`}
                note={`${countOf(rotation.brokers, 'corretor', 'corretores')} · ${rotation.isActive ? 'Ativa' : 'Desativada'}`}
              />
            ) : (
              <Use icon={RefreshCw} title="Sem roleta" note="Leads dele vão para a caixa de entrada" />
            )}
          </Link>
        </li>
        {agent && (
          <li>
            <Link to="/prompts" search={{ agente: agent.id }} className={WAY}>
              <Use
                icon={Bot}
                title={`Agente, ${countOf(agent.facts, 'fato', 'fatos')}`}
                note={
                  agent.expired > 0
                    ? countOf(agent.expired, 'fato vencido', 'fatos vencidos')
                    : MODE_LABEL[agent.mode]
                }
                isWarning={agent.expired > 0}
              />
            </Link>
          </li>
        )}
        <li>
          <Link to="/roleta" search={{ vista: 'captacao' }} className={WAY}>
            <Use
              icon={RadioTower}
              title={countOf(sources.length, 'fonte', 'fontes')}
              note={sources.join(', ')}
            />
          </Link>
        </li>
        {lists.map(({ name, ...use }) => (
          <li key={name}>
            <button type="button" className={WAY} onClick={() => setList(name)}>
              <Use icon={use.icon} title={use.title} note={use.note} />
            </button>
          </li>
        ))}
      </ul>
      <UsageLeads
        id={id}
        list={list}
        count={lists.find(({ name }) => name === list)?.count ?? 0}
        onClose={() => setList(null)}
        onLead={onLead}
      />
    </Card>
  )
}

type Usage = DevelopmentDetails['usage']

const listsOf = ({ openLeads, waitingLeads, visits, sentLeads, sentThings, sentAnswered }: Usage) => [
  {
    name: 'open' as const,
    count: openLeads,
    icon: Users,
    title: countOf(openLeads, 'lead aberto', 'leads abertos'),
    note: waitingLeads === 0 ? '' : `${waitingLeads} esperando resposta`,
  },
  {
    name: 'visits' as const,
    count: visits,
    icon: Calendar,
    title: countOf(visits, 'visita nesta semana', 'visitas nesta semana'),
    note: '',
  },
  {
    name: 'sent' as const,
    count: sentLeads,
    icon: Send,
    title: countOf(sentThings, 'envio de material', 'envios de material'),
    note:
      sentLeads === 0
        ? 'em 30 dias'
        : `em 30 dias · ${sentAnswered} de ${countOf(sentLeads, 'lead respondeu', 'leads responderam')}`,
  },
]

const WAY =
  'flex min-h-15 w-full items-center gap-3.5 px-5 py-2 text-left hover:bg-surface-2 focus-visible:-outline-offset-2'

type UseProps = { icon: LucideIcon; title: string; note: string; isWarning?: boolean }

const Use = ({ icon, title, note, isWarning = false }: UseProps) => (
  <>
    <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2">
      <Icon of={icon} size={18} />
    </span>
    <span className="min-w-0 grow">
      <span className="block text-15 leading-snug font-medium">{title}</span>
      {note && (
        <span className={`block text-13 leading-snug ${isWarning ? 'text-warning' : 'text-text-3'}`}>
          {note}
        </span>
      )}
    </span>
    <Icon of={ChevronRight} size={18} />
  </>
)
