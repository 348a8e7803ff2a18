// One message: a new day's heading, and its bubble with time, delivery mark, quote and reactions.
import { Bot, ChevronDown } from 'lucide-react'
import { memo, use } from 'react'
import { formatDateTime, formatHour } from '#domain/format.ts'
import { type Message, messageSummary, type Quote } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { Album } from './album.tsx'
import { DeliveryMark } from './delivery-mark.tsx'
import { DeliveryNote } from './delivery-note.tsx'
import { hasActions } from './message-actions.ts'
import type { OpenMessageMenu } from './message-menu.tsx'
import type { GroupedMessage } from './message-groups.ts'
import { MessageContent } from './message-content.tsx'
import { QuietLine } from './quiet-line.tsx'
import { Assistant, Author, UnderLine } from '../ground/reader.ts'
import { MESSAGE_OPTIONS } from '../ground/texts.ts'
import { useLongPress } from './use-long-press.ts'
import { useSwipeAnswer } from './use-swipe-answer.ts'

type MessageBubbleProps = {
  grouped: GroupedMessage
  name: string
  contactId: number
  /** True for the one message that Tab reaches; arrow keys move to the others. */
  isTabStop: boolean
  /** True for the message that the search has found and shows now. */
  isFound?: boolean
  onMenu: (menu: OpenMessageMenu) => void
  /** Undefined if the reader cannot write here. */
  onAnswer?: ((message: Message) => void) | undefined
  /** Scrolls to the quoted message, given its WhatsApp id. */
  onQuote: (whatsappId: string) => void
}

export function MessageBubble({
  grouped: { message, album, day, isSameSide },
  ...bubble
}: MessageBubbleProps) {
  return (
    <>
      {day !== null && (
        <p className="my-2.5 flex justify-center">
          <span className="rounded-full bg-surface px-2.5 py-0.75 text-12 shadow-line font-medium text-text-3">
            {day}
          </span>
        </p>
      )}
      {message.content.kind === 'note' || message.content.kind === 'call' ? (
        <QuietLine message={message} name={bubble.name} />
      ) : (
        <Bubble message={message} album={album} isSameSide={isSameSide} {...bubble} />
      )}
    </>
  )
}

const SIDE = {
  note: '',
  incoming: 'bg-bubble-in text-on-bubble-in rounded-bl-sm shadow-1',
  outgoing: 'ml-auto bg-bubble-out text-on-bubble-out rounded-br-sm',
}

type BubbleProps = Omit<MessageBubbleProps, 'grouped'> & {
  message: Message
  album: readonly Message[] | undefined
  isSameSide: boolean
}

const Bubble = memo(function Bubble({
  message,
  album,
  name,
  contactId,
  isSameSide,
  isFound = false,
  onAnswer,
  onQuote,
  ...menu
}: BubbleProps) {
  const { direction, content, quote, byAssistant } = message
  const reactions = [...message.reactions, message.ownReaction].filter(Boolean)
  const author = use(Author)
  const assistant = use(Assistant)
  const under = use(UnderLine)?.(message)
  const isPicture = content.kind === 'image' || content.kind === 'video' || content.kind === 'location'
  const press = useLongPress((spot) => menu.onMenu({ message, spot }))
  const swipe = useSwipeAnswer(onAnswer && isQuotable(message) ? () => onAnswer(message) : undefined)
  return (
    <div className={classNames(isSameSide ? 'pt-0.75' : 'pt-2.5', reactions.length > 0 && 'pb-4')}>
      <div
        {...(!album && hasActions(message) && press)}
        {...swipe}
        className={classNames(
          'bubble group relative w-fit max-w-[81%] rounded-card text-15 leading-message pointer-coarse:select-none',
          isPicture ? 'p-1' : 'px-3 pt-2 pb-1.5',
          message.delivery === 'queued' && 'motion-safe:animate-sent',
          isFound && 'bubble-found',
          SIDE[direction],
        )}
      >
        {direction === 'outgoing' && (
          <span className="sr-only">
            {byAssistant ? assistant : author}, {formatHour(message.sentAtSeconds * 1000)}:
          </span>
        )}
        {/* The content below a message already names the assistant. */}
        {byAssistant && !under && <AssistantMark>{assistant}</AssistantMark>}
        {quote && <QuotedMessage quote={quote} name={name} onQuote={onQuote} />}
        {album ? (
          <Album photos={album} onMenu={menu.onMenu}>
            {(last, isOver) => <Stamp message={last} isOver={isOver} />}
          </Album>
        ) : (
          <MessageContent
            message={message}
            stamp={<Stamp message={message} />}
            over={<Stamp message={message} isOver />}
          />
        )}
        {reactions.length > 0 && (
          <span className="absolute -bottom-3.5 left-2.5 rounded-full bg-surface px-1.5 py-0.5 text-13 shadow-card">
            <span className="sr-only">{'Reações: '}</span>
            {reactions.join(' ')}
          </span>
        )}
        {hasActions(message) && <MenuButton message={message} {...menu} />}
      </div>
      {direction === 'outgoing' && <DeliveryNote contactId={contactId} message={message} />}
      {under}
    </div>
  )
})

/** Hidden from screen readers, because the message's text for them names the assistant already. */
const AssistantMark = ({ children }: { children: string }) => (
  <span aria-hidden className="mb-px flex items-center gap-1.25 text-12 font-semibold text-on-primary-soft">
    <Icon of={Bot} size={14} />
    {children}
  </span>
)

type MenuButtonProps = Pick<BubbleProps, 'message' | 'isTabStop' | 'onMenu'>

/** The button appears on hover and keyboard focus. Screen readers find it at every message. */
function MenuButton({ message, isTabStop, onMenu }: MenuButtonProps) {
  return (
    <button
      type="button"
      data-line-menu
      tabIndex={isTabStop ? 0 : -1}
      aria-label={MESSAGE_OPTIONS}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => {
        const { right, bottom } = currentTarget.getBoundingClientRect()
        onMenu({ message, spot: { x: right, y: bottom } })
      }}
      className="pointer-events-none absolute top-1 right-1 inline-flex size-6 items-center justify-center rounded-full bg-surface text-text-2 opacity-0 shadow-1 focus-visible:opacity-100 pointer-fine:pointer-events-auto pointer-fine:group-hover:opacity-100"
    >
      <Icon of={ChevronDown} size={16} />
    </button>
  )
}

type QuotedMessageProps = Pick<BubbleProps, 'name' | 'onQuote'> & { quote: Quote }

function QuotedMessage({ quote, name, onQuote }: QuotedMessageProps) {
  const author = use(Author)
  const { isOwn, whatsappId } = quote
  const words = (
    <>
      <span className="block font-semibold text-on-primary-soft">{isOwn ? author : name}</span>
      <span className="line-clamp-2 wrap-anywhere text-text-2">{messageSummary(quote)}</span>
    </>
  )
  return (
    <blockquote className="mb-1.5 rounded-sm border-l-3 border-primary bg-primary-soft text-13 *:px-2.5 *:py-1.5">
      {whatsappId === undefined ? (
        <div>{words}</div>
      ) : (
        <button type="button" onClick={() => onQuote(whatsappId)} className="block w-full text-left">
          <span className="sr-only">{'Ir à mensagem citada: '}</span>
          {words}
        </button>
      )}
    </blockquote>
  )
}

type StampProps = { message: Message; isOver?: boolean }

/** The time and delivery mark, at the end of the last line or over a picture. */
function Stamp({ message, isOver = false }: StampProps) {
  const { sentAtSeconds, isEdited, direction } = message
  const sentAtMs = sentAtSeconds * 1000
  const isVoice = message.content.kind === 'audio' && message.content.media.isVoice && message.body === ''
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 text-12 leading-4 whitespace-nowrap not-italic tabular-nums',
        isOver && 'media-note media-note-corner',
        !isOver && !isVoice && 'bubble-stamp',
        !isOver && (direction === 'outgoing' ? 'text-text-2' : 'text-text-3'),
      )}
    >
      {isEdited && <span>editada</span>}
      <time dateTime={new Date(sentAtMs).toISOString()} title={formatDateTime(sentAtMs)}>
        {formatHour(sentAtMs)}
      </time>
      <DeliveryMark message={message} />
    </span>
  )
}
