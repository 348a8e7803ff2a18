// A lead's former brokers, fetched when the section is opened.
import { formatDateTime } from '#domain/format.ts'
import { NO_BROKER } from '#domain/broker.ts'
import { useQuery } from '@tanstack/react-query'
import { leadOwnersQuery } from './transfer-data.ts'
import { brokerName } from './texts.ts'

/** One change of broker, for example '21/11/2026 09:41 · admin passou de Camila para Juliana'. */
const ownerChange = (change: {
  changedAtMs: number
  changedBy: string
  from: string | null
  to: string | null
}) =>
  `${formatDateTime(change.changedAtMs)} · ${change.changedBy} passou de ${brokerName(change.from ?? NO_BROKER)} para ${brokerName(change.to ?? NO_BROKER)}`

export function LeadOwners({ leadId }: { leadId: number }) {
  const { data: changes = [] } = useQuery(leadOwnersQuery(leadId))
  if (changes.length === 0) return null
  return (
    <details className="text-13 text-text-2">
      <summary className="min-h-9 cursor-pointer py-2 font-medium">
        {'Quem já atendeu'} ({changes.length})
      </summary>
      <ol className="flex max-h-32 flex-col gap-1 overflow-y-auto pb-1">
        {changes.map((change) => (
          <li key={`${change.changedAtMs} ${change.from} ${change.to}`} className="leading-snug">
            {ownerChange(change)}
          </li>
        ))}
      </ol>
    </details>
  )
}
