// Whose a lead was before, folded away until it is asked for.
import { useQuery } from '@tanstack/react-query'
import { leadOwnersQuery } from '#data/hand-over.ts'
import { ownerChange, OWNERS } from './texts.ts'

export function LeadOwners({ leadId }: { leadId: number }) {
  const { data: changes = [] } = useQuery(leadOwnersQuery(leadId))
  if (changes.length === 0) return null
  return (
    <details className="text-13 text-text-2">
      <summary className="min-h-9 cursor-pointer py-2 font-medium">
        {OWNERS} ({changes.length})
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
