// Facts of a lead's card besides its next step: it waits for an answer, has scheduled texts, got a campaign, or opted
// out.
import { formatRelative } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { momentWords, waitWords } from '#domain/next-action/words.ts'
import { OPTED_OUT } from '#domain/opt-out-texts.ts'
import { Badge } from '#ui/primitives/badge.tsx'

type CardFactsProps = { lead: Lead; nowMs: number }

export function CardFacts({ lead, nowMs }: CardFactsProps) {
  const { waitingSinceMs, later = [], remarketingSentAtMs, isOptedOut } = lead
  const facts = [
    waitingSinceMs !== null && waitWords(waitingSinceMs, nowMs),
    ...later.map(({ dueAtMs, why }) =>
      why === null
        ? `Mensagem agendada · ${momentWords(dueAtMs ?? nowMs, nowMs)}`
        : 'Mensagem agendada não saiu',
    ),
    remarketingSentAtMs !== null && `Remarketing · ${formatRelative(remarketingSentAtMs, nowMs)}`,
    isOptedOut && OPTED_OUT,
  ].filter((fact) => fact !== false && fact !== null)
  if (facts.length === 0) return null
  return (
    <ul aria-label="Do cartão" className="flex flex-wrap gap-1.5">
      {facts.map((fact, at) => (
        // The index is the key, because two scheduled texts may have the same words.
        <li key={at}>
          <Badge tone="neutral">{fact}</Badge>
        </li>
      ))}
    </ul>
  )
}
