// 'Gasto dos agentes': what the model cost in the period, by agent, for voice messages and for summaries; hidden if it
// was not used.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatCost, formatMicros } from '#domain/reais.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { type AgentCost, agentCostsQuery, type LeadFilter } from '../data.ts'

const TITLE = 'Gasto dos agentes'

export function CostCard({ filter }: { filter: LeadFilter }) {
  const id = useId()
  const read = useQuery(agentCostsQuery(filter))
  const { data } = read
  if (!data) return read.error && <FailedRead of={read} isRow />
  const { agents, voices, summaries } = data
  const hasSummaries = summaries !== null && summaries.count > 0
  if (agents.length === 0 && voices.count === 0 && !hasSummaries) return null
  const parts = [...agents, voices, ...(summaries ? [summaries] : [])]
  const total = parts.reduce((sum, { micros }) => sum + micros, 0)
  const isUnpriced = parts.some((part) => part.isUnpriced)
  return (
    <section aria-labelledby={id} className="rounded-lg bg-surface py-3 shadow-card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pb-1 lg:px-5">
        <h2 id={id} className="text-13 font-medium text-text-2">
          {TITLE}
        </h2>
        <p className="text-20 font-semibold tabular-nums">{formatCost(total, isUnpriced)}</p>
      </header>
      {agents.length > 0 && (
        <Table label={TITLE} columns={COLUMNS} rows={agents} keyOf={({ id: agentId }) => agentId} />
      )}
      {voices.count > 0 && (
        <p className="px-4 pt-2 text-13 text-text-2 lg:px-5">
          {`Transcrição de voz: ${formatNumber(voices.count)} ${voices.count === 1 ? 'áudio' : 'áudios'}, ${formatCost(voices.micros, voices.isUnpriced)}`}
        </p>
      )}
      {hasSummaries && (
        <p className="px-4 pt-2 text-13 text-text-2 lg:px-5">
          {`Resumos de conversas: ${countOf(summaries.count, 'pedido', 'pedidos')} ao modelo, ${formatNumber(summaries.inputTokens)} tokens lidos e ${formatNumber(summaries.outputTokens)} escritos, ${formatCost(summaries.micros, summaries.isUnpriced)}`}
        </p>
      )}
    </section>
  )
}

const COLUMNS: readonly Column<AgentCost>[] = [
  {
    title: 'Agente',
    place: 'head',
    cell: ({ name, isRemoved }) => (isRemoved ? `${name} (removido)` : name),
  },
  { title: 'Conversas', isNumber: true, cell: ({ conversations }) => formatNumber(conversations) },
  { title: 'Respostas', isNumber: true, cell: ({ answers }) => formatNumber(answers) },
  { title: 'Por conversa', isNumber: true, cell: perConversation },
  { title: 'Testes', isNumber: true, cell: testsCost },
  {
    title: 'Total',
    place: 'mark',
    isNumber: true,
    cell: ({ micros, isUnpriced }) => formatCost(micros, isUnpriced),
  },
]

/** The cost of an agent's tests is not included in the mean cost. */
function perConversation({ micros, benchMicros, conversations, isUnpriced }: AgentCost): string {
  return conversations === 0 || isUnpriced
    ? '–'
    : formatMicros(Math.round((micros - benchMicros) / conversations))
}

function testsCost({ benchMicros, isUnpriced }: AgentCost): string {
  return benchMicros === 0 && isUnpriced ? '–' : formatMicros(benchMicros)
}
