// The row of a waiting lead, with a running clock that is compared with the target.
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { type Counted, standingOf } from '#domain/next-action/counted.ts'
import { clockWords } from '#domain/next-action/words.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'

type WaitingRowProps = {
  lead: Lead
  nowMs: number
  /** How fast the agency wants leads to be answered. */
  targetMs: number
  counted: Counted | undefined
  onOpen: (leadId: number) => void
}

export function WaitingRow({ lead, onOpen, ...wait }: WaitingRowProps) {
  const { waitedMs, tone, words } = standingOf(lead, wait)
  return (
    <li>
      <button
        type="button"
        data-row
        onClick={() => onOpen(lead.id)}
        className="flex min-h-14 w-full items-center gap-3 px-3.5 py-1.5 text-left"
      >
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        {/* With large text the clock stands below the name, which would be cut to two letters beside it. */}
        <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
          <span className="waiting-name">
            <span className="block truncate text-16 font-semibold">{leadTitle(lead)}</span>
            <span className="block truncate text-14 text-text-2">
              {lead.lastMessage?.delivery === 'failed' && <span className="line-late">Não saiu: </span>}
              {lead.lastMessage?.body ?? lead.development}
            </span>
          </span>
          <span className="ml-auto flex max-w-full shrink-0 flex-col items-end gap-0.5">
            <span className="clock" data-tone={tone}>
              {clockWords(wait.nowMs - waitedMs, wait.nowMs)}
            </span>
            <span className="text-13 text-text-2 tabular-nums">{words}</span>
          </span>
        </span>
      </button>
    </li>
  )
}
