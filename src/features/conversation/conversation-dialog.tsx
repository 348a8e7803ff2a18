// The popup of one contact's conversation, over the board. Spec 2.10; INTERACTIONS 8; design/png/phone-06, phone-15.
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useMayLoseFiles } from '#data/attached.ts'
import { useBoard } from '#data/leads.ts'
import { useBusy } from '#ui/busy.ts'
import { useKeyboardRoom } from '#ui/keyboard-room.ts'
import { Modal } from '#ui/modal.tsx'
import { ConversationHeader } from './conversation-header.tsx'
import { MessagePane } from './message-pane.tsx'
import type { Onlooker } from './onlooker.ts'
import { NOT_ON_BOARD } from './texts.ts'

type ConversationDialogProps = {
  instanceName: string
  /** Whose; undefined: closed. */
  contactId: number | undefined
  onClose: () => void
  /** Given where whoever reads is not the broker whose lead it is. */
  onlooker?: Onlooker
  /** What can be done beyond the conversation. */
  more?: ReactNode
}

/** The page's address opens and closes it. */
export function ConversationDialog({
  instanceName,
  contactId,
  onClose,
  onlooker,
  more,
}: ConversationDialogProps) {
  const titleId = useId()
  const { board } = useBoard(instanceName)
  const lead = contactId === undefined ? undefined : board?.leads.get(contactId)
  // A board that is still filling from the device may have her yet.
  const isGone = board !== undefined && board.missing.size === 0 && !lead
  // It stays so until it is closed: whatever shrank under a finger would be missed by it.
  const [writtenTo, setWrittenTo] = useState<number>()
  if (contactId === undefined && writtenTo !== undefined) setWrittenTo(undefined)
  const isGrown = contactId !== undefined && writtenTo === contactId
  useKeyboardRoom(contactId !== undefined)
  useFilesKept()
  return (
    <Modal isOpen={contactId !== undefined} onClose={onClose} labelledBy={titleId} height="tall" hasAddress>
      <div data-grown={isGrown || undefined} className="flex h-full flex-col">
        <ConversationHeader
          titleId={titleId}
          lead={lead}
          stages={board?.stages ?? []}
          isLoading={!lead && !isGone}
          more={more}
          onClose={onClose}
        />
        {contactId !== undefined && isGone ? (
          <p className="grow bg-chat-bg px-6 py-12 text-center text-text-2">{NOT_ON_BOARD}</p>
        ) : (
          contactId !== undefined && (
            <MessagePane
              key={contactId}
              contactId={contactId}
              lead={lead}
              onWriting={() => setWrittenTo(contactId)}
              onlooker={onlooker}
            />
          )
        )}
      </div>
    </Modal>
  )
}

/** Files on their way, or not kept by the device: no new version takes them away, and leaving the page asks. */
function useFilesKept() {
  const mayLose = useMayLoseFiles()
  useBusy(mayLose)
  useEffect(() => {
    if (!mayLose) return undefined
    const askFirst = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', askFirst)
    return () => removeEventListener('beforeunload', askFirst)
  }, [mayLose])
}
