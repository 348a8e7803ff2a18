// The messages in every state: loading, none, failed, without a network, and the lines themselves. Spec 2.10, 8; INTERACTIONS 9.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CloudOff } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { conversationQuery } from '#data/messages.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LOADING, RETRY } from '#ui/texts.ts'
import { MessageList } from './message-list.tsx'
import { loadFailed, NO_MESSAGES, OFFLINE } from './texts.ts'
import { useReadMark } from './use-read-mark.ts'

type MessagePaneProps = { contactId: number; name: string }

export function MessagePane({ contactId, name }: MessagePaneProps) {
  const { data: conversation, error, refetch } = useQuery(conversationQuery(contactId))
  const isOnline = useIsOnline()
  useReadMark(contactId, conversation?.messages)
  const retry = () => void refetch()

  if (!conversation) {
    if (!error) return <Loading />
    return (
      <div className="flex grow flex-col items-center gap-4 bg-chat-bg px-6 py-12 text-center">
        <p role="alert" className="text-danger">
          {loadFailed(error.message)}
        </p>
        <Button variant="line" onClick={retry}>
          {RETRY}
        </Button>
      </div>
    )
  }
  return (
    <div className="relative flex min-h-0 grow flex-col bg-chat-bg">
      {conversation.messages.length > 0 ? (
        <MessageList conversation={conversation} contactId={contactId} name={name} />
      ) : (
        <p className="grow px-6 py-12 text-center text-text-2">{NO_MESSAGES}</p>
      )}
      <div className="flex flex-col bg-chat-bg not-empty:px-3.5 not-empty:pb-[max(12px,var(--safe-bottom))]">
        {!isOnline && (
          <Banner tone="dark" icon={CloudOff}>
            {OFFLINE}
          </Banner>
        )}
        {isOnline && error && (
          <Banner tone="danger" icon={CircleAlert} action={{ label: RETRY, run: retry }}>
            {loadFailed(error.message)}
          </Banner>
        )}
      </div>
    </div>
  )
}

const SHAPES = ['w-3/5', 'w-2/3 self-end', 'w-1/2', 'w-3/5 self-end']

function Loading() {
  return (
    <div aria-busy className="flex grow animate-late flex-col justify-end gap-3 bg-chat-bg p-3.5">
      <output className="sr-only">{LOADING}</output>
      {SHAPES.map((shape) => (
        <Skeleton key={shape} className={`h-16 rounded-card! ${shape}`} />
      ))}
    </div>
  )
}
