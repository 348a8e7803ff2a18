// The popup of one contact's conversation, over the board. Spec 2.10; INTERACTIONS 8; design/png/phone-06, phone-15.
import { useId } from 'react'
import { useBoard } from '#data/leads.ts'
import { Modal } from '#ui/modal.tsx'
import { ConversationHeader } from './conversation-header.tsx'
import { MessagePane } from './message-pane.tsx'
import { NOT_ON_BOARD, UNNAMED } from './texts.ts'

type ConversationDialogProps = {
  instanceName: string
  /** Whose; undefined: closed. */
  contactId: number | undefined
  onClose: () => void
}

/** The page's address opens and closes it. */
export function ConversationDialog({ instanceName, contactId, onClose }: ConversationDialogProps) {
  const titleId = useId()
  const { board } = useBoard(instanceName)
  const lead = contactId === undefined ? undefined : board?.leads.get(contactId)
  return (
    <Modal isOpen={contactId !== undefined} onClose={onClose} labelledBy={titleId} height="tall" hasAddress>
      <div className="flex h-full flex-col">
        <ConversationHeader
          titleId={titleId}
          lead={lead}
          stages={board?.stages ?? []}
          isLoading={!board}
          onClose={onClose}
        />
        {contactId !== undefined && board && !lead ? (
          <p className="grow bg-chat-bg px-6 py-12 text-center text-text-2">{NOT_ON_BOARD}</p>
        ) : (
          contactId !== undefined && (
            <MessagePane key={contactId} contactId={contactId} name={lead?.name?.trim() || UNNAMED} />
          )
        )}
      </div>
    </Modal>
  )
}
