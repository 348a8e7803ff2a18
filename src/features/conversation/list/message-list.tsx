// The windowed messages of a conversation: it opens at the end, loads older ones on scroll, and never jumps.
import { countOf } from '#domain/count.ts'
import { useMutation } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Conversation, olderMessages } from '#data/messages/messages.ts'
import { type Message, messageSummary } from '#domain/message/message.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { moveMenuFocus } from '#ui/primitives/overlay/menu-keys.ts'
import { useNow } from '#ui/now.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { RETRY } from '#ui/texts.ts'
import { hasActions } from '../message/message-actions.ts'
import type { HandoverInList } from '../handover/use-handover.tsx'
import type { OpenMessageMenu } from '../message/message-menu.tsx'
import { groupMessages, isOfLine, keyOf } from '../message/message-groups.ts'
import { AT_END, useGoneTo, useNewBelow, useOwnShown, useStickToEnd } from './list-end.ts'
import { MessageBubble } from '../message/message-bubble.tsx'
import { useQuoteJump } from './use-quote-jump.ts'
import { loadFailed } from '../ground/texts.ts'
import { VoicePlace } from '../voice/voice-place.tsx'

const heard = (name: string, words: string) => `${name}: ${words}`

const newBelow = (count: number) => countOf(count, 'nova', 'novas')

const USUAL_HEIGHT = 64
const MESSAGE_MENU = '[data-line-menu]'
/** The list fetches the previous page when the reader is this close to its start, in px. */
const NEAR_START = 800

type MessageListProps = {
  conversation: Conversation
  contactId: number
  name: string
  onMenu: (menu: OpenMessageMenu) => void
  /** The search result that the list scrolls to and highlights; null if none. */
  foundId: number | null
  onAnswer: ((message: Message) => void) | undefined
  handover: HandoverInList | null
}

export function MessageList({ conversation, foundId, handover, ...rest }: MessageListProps) {
  const { messages, grouped, keyAt } = useLines(conversation, handover?.folded)
  const { contactId, name } = rest
  const scroller = useRef<HTMLDivElement>(null)
  const older = useMutation(olderMessages(contactId))
  // oxlint-disable-next-line react/incompatible-library -- its methods are new with each render, and nothing here memoises them
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: grouped.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: keyAt,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    paddingStart: 12,
    paddingEnd: 12,
    overscan: 6,
    useFlushSync: false,
  })
  const toEnd = () => virtualizer.scrollToEnd()
  useLayoutEffect(() => virtualizer.scrollToEnd(), [virtualizer])
  useStickToEnd(scroller, toEnd)
  useOwnShown(messages.at(-1), toEnd)
  const { shownId, goTo } = useQuoteJump(conversation, contactId, foundId)
  const goal = { foundId: shownId, unfoldedId: handover?.unfoldedId ?? null }
  const foundAt = useGoneTo(grouped, goal, (index, align) => virtualizer.scrollToIndex(index, { align }))
  const menuStop = grouped.findLastIndex(({ message }) => hasActions(message))
  const newCount = useNewBelow(messages, virtualizer.isAtEnd(AT_END))

  const loadOlder = () => {
    if (conversation.hasOlder && !older.isPending) older.mutate()
  }
  const onScroll = () => {
    if ((scroller.current?.scrollTop ?? NEAR_START) < NEAR_START && !older.isError) loadOlder()
  }
  const items = virtualizer.getVirtualItems()
  return (
    <VoicePlace messages={messages}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the menus in it are walked by arrows */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Mensagens"
        aria-busy={older.isPending}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the list scrolls, so a keyboard must reach it
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={moveToMessage}
        className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain px-3.5 [overflow-anchor:none]"
      >
        <div className="mt-auto w-full shrink-0" style={{ height: virtualizer.getTotalSize() }}>
          <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ index, key }) => {
              const message = grouped[index]
              return (
                message && (
                  <div key={key} ref={virtualizer.measureElement} data-index={index} className="flow-root">
                    <MessageBubble
                      grouped={message}
                      {...rest}
                      isTabStop={index === menuStop}
                      isFound={index === foundAt}
                      onQuote={goTo}
                    />
                    {handover && isOfLine(message, handover.afterId) && handover.card}
                  </div>
                )
              )
            })}
          </div>
        </div>
      </div>
      <TopNotice isLoading={older.isPending} error={older.error} onRetry={loadOlder} />
      <NewBelow count={newCount} onPress={() => virtualizer.scrollToEnd({ behavior: 'smooth' })} />
      <Announcer messages={messages} name={name} />
    </VoicePlace>
  )
}

function NewBelow({ count, onPress }: { count: number; onPress: () => void }) {
  if (count === 0) return null
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute bottom-4 left-1/2 flex min-h-11 -translate-x-1/2 animate-rise items-center gap-1.5 rounded-full bg-banner px-4 text-14 font-semibold text-on-banner shadow-3"
    >
      <Icon of={ArrowDown} size={16} />
      {newBelow(count)}
    </button>
  )
}

/** Keeps the same objects between renders. New objects would make the list measure every position again. */
function useLines(conversation: Conversation, folded: HandoverInList['folded'] | undefined) {
  const nowMs = useNow()
  const messages = useMemo(() => unfolded(conversation, folded), [conversation, folded])
  const grouped = useMemo(() => groupMessages(messages, nowMs), [messages, nowMs])
  const keyAt = useCallback((at: number) => (grouped[at] ? keyOf(grouped[at].message) : at), [grouped])
  return { messages, grouped, keyAt }
}

const unfolded = ({ messages }: Conversation, folded: HandoverInList['folded'] | undefined) =>
  folded ? messages.filter(({ id }) => !folded.has(id)) : messages

/** Moves the focus with the arrow keys from one message's menu to the next. */
function moveToMessage(event: KeyboardEvent<HTMLElement>) {
  if (event.target instanceof HTMLElement && event.target.matches(MESSAGE_MENU))
    moveMenuFocus(event, MESSAGE_MENU)
}

type TopNoticeProps = { isLoading: boolean; error: Error | null; onRetry: () => void }

/** The notice overlays the list's start, so that messages do not move. */
function TopNotice({ isLoading, error, onRetry }: TopNoticeProps) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2 flex justify-center px-3.5">
      {isLoading && (
        <span className="rounded-full bg-surface p-2 text-text-2 shadow-card">
          <Spinner />
        </span>
      )}
      {error && !isLoading && (
        <button
          type="button"
          onClick={onRetry}
          className="pointer-events-auto min-h-11 rounded-full bg-danger-soft px-4 text-14 font-medium text-on-danger-soft shadow-card"
        >
          {loadFailed(error.message)} {RETRY}
        </button>
      )}
    </div>
  )
}

/** Announces new messages to screen readers. */
function Announcer({ messages, name }: { messages: readonly Message[]; name: string }) {
  const last = messages.at(-1)
  const [firstId] = useState(last?.id)
  const isNew = last && last.id !== firstId && last.direction === 'incoming'
  return (
    <output className="sr-only">
      {isNew && heard(name, messageSummary({ kind: last.content.kind, body: last.body }))}
    </output>
  )
}
