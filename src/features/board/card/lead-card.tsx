// One lead on the board.
import { type KeyboardEvent, memo, type MouseEvent, type Ref, use } from 'react'
import { displayName } from '#domain/broker.ts'
import { formatDateTime, formatRelative } from '#domain/format.ts'
import { ASSISTANT, freshWords, type LastMessage, type Lead, shownNote } from '#domain/lead/lead.ts'
import { OPTED_OUT } from '#domain/opt-out-texts.ts'
import type { Stage } from '#domain/stage.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { hueOf } from '#ui/primitives/hue.ts'
import { describeLead } from '../ground/board-view.ts'
import type { CardActions, Density } from '../ground/card-actions.ts'
import { CardAuthor } from './card-author.ts'
import { CardFoot } from './card-foot.tsx'
import { CardHead } from './card-head.tsx'
import { UnreadPill } from './unread-pill.tsx'

const remarketed = (when: string) => `Remarketing · ${when}`

/** Each card has few elements, because the page holds many cards at once. */
const VARIANTS = {
  roomy: {
    face: 44,
    card: 'rounded-card px-3.5 pt-3.25 pb-1',
    message: 'col-start-2 mt-0.75 text-15 leading-message',
    alone: 'col-span-2',
    beside: '',
    note: 'col-span-2 col-start-2 mt-2.25 mb-0.5',
    chip: 'col-span-2 col-start-2 mt-2',
  },
  compact: {
    face: 32,
    card: 'rounded-tab px-3 pt-3 pb-1.5',
    message: 'mt-2 text-13',
    alone: 'col-span-3',
    beside: 'col-span-2',
    note: 'col-span-3 mt-1.5',
    chip: 'col-span-3 mt-2',
  },
} as const satisfies Record<Density, Record<string, string | number>>

/** Presses on these elements of a card do not open the card. */
const OWN_PRESS = 'button:not([data-opens]), input'

export type LeadCardProps = CardActions & {
  lead: Lead
  density: Density
  nowMs: number
  /** Position among all leads of the list, for screen readers; the page holds only some of the cards. */
  position: number
  total: number
  /** True for the one card that Tab reaches; arrow keys move to the others. */
  isTabStop: boolean
  /** The card is being dragged, so the list shows only its shadow. */
  isDragged?: boolean
  /** The lead's stage, which cards show in lists of several stages. */
  stage?: Stage | undefined
  ref?: Ref<HTMLElement>
}

export const LeadCard = memo(function LeadCard({
  lead,
  density,
  nowMs,
  position,
  total,
  isTabStop,
  isDragged,
  stage,
  ref,
  ...actions
}: LeadCardProps) {
  const author = use(CardAuthor)(lead)
  const fresh = freshWords(lead, nowMs)
  const openByPress = ({ target }: MouseEvent) => {
    if (target instanceof Element && !target.closest(OWN_PRESS)) actions.onOpen(lead.id)
  }
  const actByKey = (event: KeyboardEvent) => {
    const isOurs = event.target === event.currentTarget && !hasModifier(event) && !event.defaultPrevented
    const act = isOurs && actionOf(event.key, actions)
    if (!act) return
    event.preventDefault()
    act(lead.id)
  }
  return (
    // The ARIA feed pattern: its articles take the focus, and keys act on the focused one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      ref={ref}
      data-index={position - 1}
      data-lead={lead.id}
      data-held={isDragged || undefined}
      data-fresh={fresh === 'incoming' || undefined}
      data-own={fresh === 'outgoing' || undefined}
      data-unread={lead.unreadCount > 0 || undefined}
      aria-label={describeLead(lead, nowMs, author)}
      aria-posinset={position}
      aria-setsize={total}
      // One article of the list is the tab stop.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isTabStop ? 0 : -1}
      onClick={openByPress}
      onKeyDown={actByKey}
      // 'contain-content' limits layout and paint to the card, so that neighbours' changes do not affect it.
      className={classNames(
        'group grid shrink-0 cursor-pointer contain-content grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 bg-surface shadow-card data-fresh:bg-sun-soft data-fresh:shadow-card-fresh data-own:shadow-card-own data-held:opacity-35 [&>:first-child]:row-span-2',
        VARIANTS[density].card,
      )}
    >
      <Inside lead={lead} density={density} nowMs={nowMs} stage={stage} {...actions} />
    </article>
  )
}, looksTheSame)

type InsideProps = CardActions & Pick<LeadCardProps, 'lead' | 'density' | 'nowMs' | 'stage'>

/** Memoised, so that a change of the card's position alone does not render its content again. */
const Inside = memo(function Inside({ lead, density, nowMs, stage, ...actions }: InsideProps) {
  const variant = VARIANTS[density]
  const { Face } = actions
  const author = use(CardAuthor)(lead)
  const note = shownNote(lead)
  return (
    <>
      {Face ? (
        <Face lead={lead} size={variant.face} />
      ) : (
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={variant.face} />
      )}
      <CardHead lead={lead} density={density} nowMs={nowMs} />
      {/* The broker's name, shown only on boards of several brokers. */}
      <span className="sr-only">{displayName(lead.instanceName)}</span>
      {(lead.lastMessage ?? lead.draft) && (
        <Words
          lead={lead}
          author={author}
          // The message gets two lines while the lead waits for an answer, otherwise one.
          className={classNames(
            variant.message,
            lead.unreadCount === 0 ? variant.alone : variant.beside,
            lead.waitingSinceMs === null ? 'truncate' : 'line-clamp-2 wrap-anywhere',
          )}
        />
      )}
      {lead.unreadCount > 0 && (
        <UnreadPill count={lead.isMarkedUnread ? null : lead.unreadCount} className="col-start-3 mt-1" />
      )}
      {note && (
        <p
          data-glyph="noted"
          className={classNames(
            'relative pl-5.75 text-13 leading-message text-text-2',
            variant.note,
            lead.waitingSinceMs === null ? 'truncate' : 'line-clamp-2 wrap-anywhere',
          )}
        >
          {note}
        </p>
      )}
      {(stage || lead.isOptedOut || lead.remarketingSentAtMs !== null) && (
        <p className={classNames('flex flex-wrap gap-1.5', variant.chip)}>
          {stage && <HueChip word={stage.slug}>{stage.name}</HueChip>}
          {lead.isOptedOut && <HueChip word="arquivado">{OPTED_OUT}</HueChip>}
          {lead.remarketingSentAtMs !== null && (
            <HueChip word="remarketing_sent" title={formatDateTime(lead.remarketingSentAtMs)}>
              {remarketed(formatRelative(lead.remarketingSentAtMs, nowMs))}
            </HueChip>
          )}
        </p>
      )}
      <CardFoot lead={lead} density={density} {...actions} />
    </>
  )
}, looksTheSame)

/** The clock ticks constantly, but a card renders again only when one of its texts changes. */
function looksTheSame(before: InsideProps, after: InsideProps): boolean {
  const { nowMs, ...rest } = after
  const isSame = Object.entries(rest).every(([key, value]) => value === Reflect.get(before, key))
  return isSame && (nowMs === before.nowMs || wordsOfTime(before) === wordsOfTime(after))
}

function wordsOfTime({ lead, nowMs }: InsideProps): string {
  const times = [lead.lastMessage && lead.lastMessage.sentAtSeconds * 1000, lead.remarketingSentAtMs]
  return `${freshWords(lead, nowMs)} ${times.map((ms) => ms !== null && formatRelative(ms, nowMs)).join()}`
}

function actionOf(key: string, { onOpen, onNotes, onMoveSheet, onNext }: CardActions) {
  return { Enter: onOpen, n: onNotes, m: onMoveSheet, p: onNext }[key.length === 1 ? key.toLowerCase() : key]
}

function hasModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey
}

function Words({
  lead: { draft, lastMessage },
  author,
  className,
}: {
  lead: Lead
  author: string
  className: string
}) {
  const { direction, delivery, body, byAssistant }: Partial<LastMessage> = draft ? {} : (lastMessage ?? {})
  return (
    <p
      data-glyph={delivery ?? undefined}
      className={classNames('lead-words text-text-2 group-data-fresh:text-text', className)}
    >
      {draft && <span className="font-semibold text-primary">Rascunho: </span>}
      {direction === 'outgoing' && (
        <span className="text-text-3 group-data-fresh:text-text-2">{byAssistant ? ASSISTANT : author}: </span>
      )}
      {draft ?? body}
    </p>
  )
}

function HueChip({ word, title, children }: { word: string; title?: string; children: string }) {
  return (
    <span
      data-hue={hueOf(word)}
      title={title}
      className="max-w-full truncate rounded-full bg-hue-bg px-2 py-0.5 text-12 font-medium text-hue-fg"
    >
      {children}
    </span>
  )
}
