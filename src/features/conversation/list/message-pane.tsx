// The messages in every state: loading, none, failed, offline, the list itself, and the composer below.
import { CloudOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { attachFiles } from '../ground/attachments-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { useConversation } from '#data/messages/messages.ts'
import { ASSISTANT, type Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { lazily } from '#ui/lazily.ts'
import { LOADING } from '#ui/texts.ts'
import { Composer } from '../composer/composer.tsx'
import { DropTarget } from '../composer/drop-target.tsx'
import { useHandover } from '../handover/use-handover.tsx'
import { MessageDeeds } from '../message/message-deeds.tsx'
import type { OpenMessageMenu } from '../message/message-menu.tsx'
import { PhotoPlace } from '../message/photo-place.tsx'
import { Arrival } from './arrival.tsx'
import { MessageList } from './message-list.tsx'
import { ScheduledMessages } from '../later/scheduled-messages.tsx'
import { Assistant, Author, Phone, type Reader, UnderLine } from '../ground/reader.ts'
import { loadFailed, UNNAMED, YOU } from '../ground/texts.ts'
import { useReadMark } from '../ground/use-read-mark.ts'
import './conversation.css'

const search = lazily(async () => (await import('./message-search.tsx')).MessageSearch)

type MessagePaneProps = {
  contactId: number
  /** Undefined while the lead is unknown; then nothing can be sent. */
  lead: Lead | undefined
  /** Set if the reader is not the lead's broker; then messages are not marked as read. */
  reader?: Reader | undefined
  isSearching?: boolean
  onSearchEnd?: () => void
}

export function MessagePane({
  contactId,
  lead,
  reader,
  isSearching = false,
  onSearchEnd = NOTHING,
}: MessagePaneProps) {
  const { conversation, read } = useConversation(contactId, lead)
  const failed = read.error && <FailedRead of={read} title={loadFailed(read.error.message)} isRow />
  const isOnline = useIsOnline()
  // The composer's suggestions consider messages only, not WhatsApp's grey notes between them.
  const said = useMemo(
    () => conversation?.messages.filter(({ direction }) => direction !== 'note') ?? NONE,
    [conversation],
  )
  const [menu, setMenu] = useState<OpenMessageMenu | null>(null)
  const [answered, setAnswered] = useState<Message | null>(null)
  const openMenu = useCallback((opened: OpenMessageMenu) => setMenu(opened), [])
  useReadMark(contactId, reader ? undefined : conversation?.messages, reader ? undefined : lead)
  const mayWrite = lead !== undefined && (reader?.mayWrite ?? true)
  const handover = useHandover(mayWrite ? contactId : null, said, {
    isSearching,
    isOwn: reader === undefined,
  })
  const attach = (files: readonly File[]) => void attachFiles(contactId, files)

  return (
    <Voices reader={reader} number={lead?.number ?? null}>
      <DropTarget isActive={mayWrite} onFiles={attach}>
        <div className="relative flex min-h-0 grow flex-col bg-chat-bg">
          {conversation ? (
            <>
              <PhotoPlace>
                <Lines
                  {...{ conversation, contactId, lead, isSearching, onSearchEnd, handover }}
                  name={lead?.name?.trim() || UNNAMED}
                  onMenu={openMenu}
                  onAnswer={mayWrite ? setAnswered : undefined}
                />
              </PhotoPlace>
              <Notices isOnline={isOnline}>{failed}</Notices>
            </>
          ) : failed ? (
            <div className="grow overflow-y-auto p-3.5">{failed}</div>
          ) : (
            <Loading />
          )}
          {lead && mayWrite && <ScheduledMessages lead={lead} />}
        </div>
        {lead && reader?.note}
        {lead && mayWrite && (
          <Composer
            lead={lead}
            messages={said}
            answered={answered}
            onAnswered={setAnswered}
            invites={reader?.invites}
          />
        )}
        <MessageDeeds
          contactId={contactId}
          lead={lead}
          menu={menu}
          onClose={() => setMenu(null)}
          onAnswer={mayWrite ? setAnswered : undefined}
          canForward={!reader}
        />
      </DropTarget>
    </Voices>
  )
}

/**
 * Provides labels for outgoing messages, the content below messages, and the number with which a missed call is
 * returned.
 */
const Voices = ({ reader, number, children }: VoicesProps) => (
  <Author value={reader?.author ?? YOU}>
    <Assistant value={reader?.assistant ?? ASSISTANT}>
      <Phone value={number}>
        <UnderLine value={reader?.under}>{children}</UnderLine>
      </Phone>
    </Assistant>
  </Author>
)

type VoicesProps = { reader: Reader | undefined; number: string | null; children: ReactNode }

const NOTHING = () => undefined
const NONE: readonly Message[] = []

type LinesProps = Omit<ComponentProps<typeof MessageList>, 'foundId'> & {
  lead: Lead | undefined
  isSearching: boolean
  onSearchEnd: () => void
}

/** The message list, below the search bar. */
function Lines({ isSearching, onSearchEnd, lead, ...list }: LinesProps) {
  const { conversation, contactId } = list
  const [found, setFound] = useState<Message | null>(null)
  return (
    <>
      <Suspense>
        {isSearching && (
          <search.Component {...{ conversation, contactId }} onFound={setFound} onClose={onSearchEnd} />
        )}
      </Suspense>
      {conversation.messages.length > 0 ? (
        <MessageList {...list} foundId={isSearching ? (found?.id ?? null) : null} />
      ) : (
        <Arrival lead={lead} />
      )}
    </>
  )
}

function Notices({ isOnline, children }: { isOnline: boolean; children: ReactNode }) {
  return (
    <div className="flex flex-col not-empty:px-3.5 not-empty:pb-3">
      {isOnline ? (
        children
      ) : (
        <Banner tone="dark" icon={CloudOff}>
          Sem conexão. Mensagens novas aparecem quando a internet voltar.
        </Banner>
      )}
    </div>
  )
}

const SHAPES = ['w-3/5', 'w-2/3 self-end', 'w-1/2', 'w-3/5 self-end']

function Loading() {
  return (
    <div aria-busy className="flex grow animate-late flex-col justify-end gap-3 p-3.5">
      <output className="sr-only">{LOADING}</output>
      {SHAPES.map((shape) => (
        <Skeleton key={shape} className={`h-16 rounded-card! ${shape}`} />
      ))}
    </div>
  )
}
