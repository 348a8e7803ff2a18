// One who waits, with a running clock and how it stands to the target.
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { clockWords, targetWords, waitTone } from '#domain/next-action/words.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'

/** `targetMs`: the agency's. */
type WaitingRowProps = { lead: Lead; nowMs: number; targetMs: number; onOpen: (leadId: number) => void }

export function WaitingRow({ lead, nowMs, targetMs: agencyMs, onOpen }: WaitingRowProps) {
  const { targetMs = agencyMs } = lead
  const waitedMs = nowMs - (lead.waitingSinceMs ?? nowMs)
  return (
    <li>
      <button
        type="button"
        data-row
        onClick={() => onOpen(lead.id)}
        className="flex min-h-14 w-full items-center gap-3 px-3.5 py-1.5 text-left"
      >
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        <span className="min-w-0 grow">
          <span className="block truncate text-16 font-semibold">{leadTitle(lead)}</span>
          <span className="block truncate text-14 text-text-2">
            {lead.lastMessage?.delivery === 'failed' && <span className="line-late">Não saiu: </span>}
            {lead.lastMessage?.body ?? lead.development}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span className="clock" data-tone={waitTone(waitedMs, targetMs)}>
            {clockWords(waitedMs)}
          </span>
          <span className="text-13 text-text-2 tabular-nums">{targetWords(waitedMs, targetMs)}</span>
        </span>
      </button>
    </li>
  )
}
