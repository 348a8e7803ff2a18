// One lead on the board. Spec 2.9, 9; design/png/phone-02, desk-05.
import { CircleUserRound, MessageCircle, StickyNote } from 'lucide-react'
import { type KeyboardEvent, memo, type Ref } from 'react'
import { brokerLabel } from '#domain/broker.ts'
import { formatDateTime, formatRelative } from '#domain/format.ts'
import { isFresh, type Lead, type LastMessage, leadTitle } from '#domain/lead.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { describeLead } from './board-view.ts'
import { OPEN_CONVERSATION, unread } from './texts.ts'

export type Density = 'roomy' | 'compact'

/** Few nodes a card: a board keeps many in the page. */
const LOOK = {
  roomy: {
    card: 'grid-cols-[auto_minmax(0,1fr)_auto] rounded-card px-3.5 pt-3.25 pb-1',
    name: 'text-16 tracking-name',
    time: 'pt-px text-13',
    message: 'col-span-2 col-start-2 mt-0.75 text-15 leading-message',
    note: 'col-span-2 col-start-2 mt-2.25 mb-0.5',
    foot: 'col-span-2 col-start-2 min-h-11 text-13',
  },
  compact: {
    card: 'grid-cols-[auto_minmax(0,1fr)] rounded-tab px-3 pt-3 pb-1.5',
    name: 'text-14',
    time: 'col-start-2 text-12',
    message: 'col-span-2 mt-2 text-13',
    note: 'col-span-2 mt-1.5',
    foot: 'col-span-2 mt-1 min-h-8.5 text-12',
  },
} satisfies Record<Density, Record<string, string>>

type LeadCardProps = {
  lead: Lead
  density: Density
  nowMs: number
  /** Place in the whole list, of which only a window is in the page. */
  position: number
  total: number
  /** The one card of its list that Tab reaches; arrows lead to the others. */
  isTabStop: boolean
  onOpen: (leadId: number) => void
  ref: Ref<HTMLElement>
}

export const LeadCard = memo(function LeadCard({
  lead,
  density,
  nowMs,
  position,
  total,
  isTabStop,
  onOpen,
  ref,
}: LeadCardProps) {
  const look = LOOK[density]
  const fresh = isFresh(lead, nowMs)
  // Columns have headings of their own between the page's and the card's.
  const Name = density === 'roomy' ? 'h2' : 'h3'
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(lead.id)
  }
  return (
    // The feed pattern: its articles take the focus, and Enter opens one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      ref={ref}
      data-index={position - 1}
      data-fresh={fresh || undefined}
      aria-label={describeLead(lead, nowMs)}
      aria-posinset={position}
      aria-setsize={total}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isTabStop ? 0 : -1}
      onKeyDown={openByKey}
      className={classNames(
        'group grid shrink-0 items-start gap-x-3 bg-surface shadow-card data-fresh:bg-sun-soft data-fresh:shadow-card-fresh',
        look.card,
      )}
    >
      <span className={density === 'roomy' ? 'row-span-2 flex' : 'row-span-2 -mr-0.5 flex'}>
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={density === 'roomy' ? 44 : 32} />
      </span>
      <Name className={classNames('line-clamp-2 leading-name font-semibold wrap-anywhere', look.name)}>
        {leadTitle(lead)}
      </Name>
      {lead.lastMessage && (
        <>
          <SentAt
            message={lead.lastMessage}
            nowMs={nowMs}
            className={look.time}
            withDot={fresh && density === 'roomy'}
          />
          <p
            className={classNames(
              'line-clamp-2 wrap-anywhere text-text-2 group-data-fresh:text-text',
              look.message,
            )}
          >
            {lead.lastMessage.direction === 'outgoing' && (
              <span className="text-text-3 group-data-fresh:text-text-2">Você: </span>
            )}
            {lead.lastMessage.body}
          </p>
        </>
      )}
      {lead.notes && (
        <p className={classNames('flex gap-1.75 text-13 leading-message text-text-2', look.note)}>
          <Icon of={StickyNote} size={16} className="mt-px text-text-3" />
          <span className="line-clamp-2 wrap-anywhere">{lead.notes}</span>
        </p>
      )}
      <Foot lead={lead} density={density} onOpen={onOpen} />
    </article>
  )
})

type SentAtProps = { message: LastMessage; nowMs: number; className: string; withDot: boolean }

function SentAt({ message, nowMs, className, withDot }: SentAtProps) {
  const sentAtMs = message.sentAtSeconds * 1000
  return (
    <time
      dateTime={new Date(sentAtMs).toISOString()}
      title={formatDateTime(sentAtMs)}
      className={classNames(
        'leading-snug whitespace-nowrap text-text-3 tabular-nums group-data-fresh:font-semibold group-data-fresh:text-on-sun-soft',
        className,
      )}
    >
      {withDot && <span className="mr-1.5 inline-block size-2 rounded-full bg-sun shadow-sun" />}
      {formatRelative(sentAtMs, nowMs)}
    </time>
  )
}

type FootProps = Pick<LeadCardProps, 'lead' | 'density' | 'onOpen'>

function Foot({ lead, density, onOpen }: FootProps) {
  return (
    <footer
      className={classNames(
        'flex items-center gap-1.25 text-text-3 group-data-fresh:text-text-2',
        LOOK[density].foot,
      )}
    >
      <BrokerSign label={brokerLabel(lead.instanceName)} density={density} />
      {lead.unreadCount > 0 && <Badge tone="primary">{unread(lead.unreadCount)}</Badge>}
      <IconButton
        icon={MessageCircle}
        label={OPEN_CONVERSATION}
        variant="tint"
        tabIndex={-1}
        onClick={() => onOpen(lead.id)}
      />
    </footer>
  )
}

function BrokerSign({ label, density }: { label: string; density: Density }) {
  return (
    <>
      {density === 'roomy' ? <Icon of={CircleUserRound} size={14} /> : <Avatar name={label} size={20} />}
      <span className="min-w-0 grow truncate">{label}</span>
    </>
  )
}
