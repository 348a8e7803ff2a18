// Keeps a broker's push subscription registered and notifications correct: no pushes for the open conversation, none
// for read messages, and the number of waiting leads on the app's icon.
import { useEffect } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { useSeenConversation } from '#data/messages/seen-conversation.ts'
import { isStandalone } from '#live/install.ts'
import { clearNotifications, showBadge, usePush, watchConversation } from '#live/push.ts'
import { notePushOffer } from './push-offer.ts'
import { PushPrompt } from './push-prompt.tsx'
import { usePushMaintenance } from './use-push-maintenance.ts'

type PushUpdatesProps = {
  instanceName: string
  /** Opens an address of the app. */
  onOpen: (path: string) => void
}

export function PushUpdates({ instanceName, onOpen }: PushUpdatesProps) {
  const push = usePush()
  const seen = useSeenConversation()
  usePushMaintenance(onOpen)
  useEffect(() => {
    if (seen === null) return
    notePushOffer(() => ({ hasOpened: true }))
    void clearNotifications(seen)
  }, [seen])
  useEffect(() => (push === 'on' && seen !== null ? watchConversation(seen) : undefined), [push, seen])
  return (
    <>
      {isStandalone() && <IconBadge instanceName={instanceName} />}
      {push === 'off' && <PushPrompt />}
    </>
  )
}

function IconBadge({ instanceName }: { instanceName: string }) {
  const { board } = useBoard(instanceName)
  const waiting =
    board && board.missing.size === 0
      ? [...board.leads.values()].filter(({ waitingSinceMs }) => waitingSinceMs !== null).length
      : null
  useEffect(() => {
    if (waiting === null) return undefined
    const show = () => showBadge(waiting)
    show()
    // Pushes that arrived in the background have set the icon's number to their own count. That may be too high,
    // because leads were answered on another device meanwhile.
    document.addEventListener('visibilitychange', show)
    return () => document.removeEventListener('visibilitychange', show)
  }, [waiting])
  return null
}
