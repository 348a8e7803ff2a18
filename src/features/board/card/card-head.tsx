// The head of a card: the lead's name, and the time of the last message.
import { formatDateTime, formatRelative } from '#domain/format.ts'
import { type LastMessage, type Lead, leadTitle } from '#domain/lead/lead.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import type { Density } from '../ground/card-actions.ts'

const NAME = 'line-clamp-2 text-left leading-name font-semibold wrap-anywhere'

type CardHeadProps = { lead: Lead; density: Density; nowMs: number }

export function CardHead({ lead, density, nowMs }: CardHeadProps) {
  const { lastMessage } = lead
  const time = lastMessage && <SentAt message={lastMessage} density={density} nowMs={nowMs} />
  if (density === 'roomy') {
    return (
      // With large text the time wraps below the name.
      <div className="col-span-2 flex flex-wrap items-start justify-between gap-x-3">
        <h2 className="flex-[1_1_6.5rem]">
          <Name lead={lead} className="text-16 tracking-name" />
        </h2>
        {time}
      </div>
    )
  }
  return (
    <>
      {/* In columns the card's heading is one level lower, below the column's heading. */}
      <h3 className="col-span-2 leading-name">
        <Name lead={lead} className="text-14" />
      </h3>
      {time}
    </>
  )
}

/** The whole card opens on a press; this button is for screen readers. */
function Name({ lead, className }: { lead: Lead; className: string }) {
  const title = leadTitle(lead)
  return (
    <button
      type="button"
      data-opens
      tabIndex={-1}
      aria-label={`Abrir conversa com ${title}`}
      className={classNames(NAME, className)}
    >
      {title}
    </button>
  )
}

type SentAtProps = { message: LastMessage; density: Density; nowMs: number }

const SUN =
  'group-data-fresh:before:mr-1.5 group-data-fresh:before:inline-block group-data-fresh:before:size-2 ' +
  'group-data-fresh:before:rounded-full group-data-fresh:before:bg-sun group-data-fresh:before:shadow-sun'

function SentAt({ message, density, nowMs }: SentAtProps) {
  const sentAtMs = message.sentAtSeconds * 1000
  return (
    <time
      dateTime={new Date(sentAtMs).toISOString()}
      title={formatDateTime(sentAtMs)}
      className={classNames(
        'leading-snug whitespace-nowrap text-text-3 tabular-nums group-data-fresh:font-semibold group-data-fresh:text-on-sun-soft',
        density === 'roomy' ? `pt-px text-13 ${SUN}` : 'col-start-2 text-12',
      )}
    >
      {formatRelative(sentAtMs, nowMs)}
    </time>
  )
}
