// 'Onde é usado': rotation, agent, sources and leads that name the development.
import { Bot, RadioTower, RefreshCw, Users, type LucideIcon } from 'lucide-react'
import { MODE_LABEL } from '#domain/agent/agent.ts'
import { countOf } from '#domain/count.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { DevelopmentDetails } from '../data.ts'
import { Card } from '#ui/primitives/card.tsx'

export function UsageCard({ usage }: { usage: DevelopmentDetails['usage'] }) {
  const { rotation, agent, sources, openLeads } = usage
  return (
    <Card title="Onde é usado">
      <ul>
        {rotation ? (
          <Use
            icon={RefreshCw}
            title={`Roleta ${rotation.name}`}
            note={`${countOf(rotation.brokers, 'corretor', 'corretores')} · ${rotation.isActive ? 'Ativa' : 'Desativada'}`}
          />
        ) : (
          <Use icon={RefreshCw} title="Sem roleta" note="Leads dele vão para a caixa de entrada" />
        )}
        {agent && (
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
        )}
        <Use icon={RadioTower} title={countOf(sources.length, 'fonte', 'fontes')} note={sources.join(', ')} />
        <Use icon={Users} title={countOf(openLeads, 'lead aberto', 'leads abertos')} note="" />
      </ul>
    </Card>
  )
}

type UseProps = { icon: LucideIcon; title: string; note: string; isWarning?: boolean }

const Use = ({ icon, title, note, isWarning = false }: UseProps) => (
  <li className="flex min-h-15 items-center gap-3.5 px-5 py-2 border-t border-border">
    <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2">
      <Icon of={icon} size={18} />
    </span>
    <span className="min-w-0">
      <span className="block text-15 leading-snug font-medium">{title}</span>
      {note && (
        <span className={`block text-13 leading-snug ${isWarning ? 'text-warning' : 'text-text-3'}`}>
          {note}
        </span>
      )}
    </span>
  </li>
)
