// The start of a conversation without messages: how the lead came, with the text from its form.
import { formatDay, formatHour } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { useNow } from '#ui/now.ts'

export function Arrival({ lead }: { lead: Lead | undefined }) {
  const nowMs = useNow()
  const left = lead?.lastMessage
  if (left?.direction !== 'incoming')
    return <p className="grow px-6 py-12 text-center text-text-2">Nenhuma mensagem encontrada</p>
  const leftAtMs = left.sentAtSeconds * 1000
  const how = [
    `Chegou por ${sourceLabel(lead?.source ?? '')}`,
    lead?.development,
    `${formatDay(leftAtMs, nowMs).toLowerCase()}, ${formatHour(leftAtMs)}`,
  ]
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto p-3.5">
      <section
        aria-label="Como o lead chegou"
        className="mt-auto w-fit max-w-[81%] rounded-card bg-surface px-3 pt-2 pb-2.5 text-15 leading-message text-text shadow-line"
      >
        <p className="pb-1 text-13 text-text-3">{how.filter(Boolean).join(' · ')}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{left.body}</p>
      </section>
    </div>
  )
}
