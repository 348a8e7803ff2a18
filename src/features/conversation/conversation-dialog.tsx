// The dialog with one contact's conversation.
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useNamedLead } from '#data/adding.ts'
import { useMayLoseFiles } from '#data/messages/draft-attachments.ts'
import { useBoard } from '#data/board/leads.ts'
import { queryClient } from '#data/query-client.ts'
import type { Action } from '#ui/primitives/overlay/action-menu.tsx'
import { useBusy } from '#ui/busy.ts'
import { DOCKED, useMedia } from '#ui/media.ts'
import { useKeyboardRoom } from '#ui/forms/keyboard-room.ts'
import { Modal } from '#ui/primitives/overlay/modal.tsx'
import type { BrokerActs } from './broker-acts.ts'
import { ConversationHeader } from './conversation-header.tsx'
import { materialQuery } from './material/data.ts'
import { quickRepliesQuery } from './quick-replies/data.ts'
import { MessagePane } from './list/message-pane.tsx'
import { NextStepSlot } from './ground/next-step-slot.ts'
import type { Reader } from './ground/reader.ts'

type ConversationDialogProps = {
  instanceName: string
  /** The contact of the shown conversation; undefined while the dialog is closed. */
  contactId: number | undefined
  onClose: () => void
  /** True if the conversation is shown beside the board from a window width of 1,200 px on. */
  docks?: boolean
  /** Called when a lead that this device added gets its id from the server. */
  onNamed?: (contactId: number) => void
  /** Set if somebody other than the lead's broker reads the conversation. */
  reader?: Reader
  /** Text below the lead's name. */
  more?: ReactNode
  /** Further actions of the conversation's menu. */
  actions?: readonly Action[]
  /** Set if the reader is the lead's own broker. */
  acts?: BrokerActs
}

const NO_ACTIONS: readonly Action[] = []

/** The developments' index is fetched this late, so that it does not slow down the first screen. */
const INDEX_AFTER_MS = 10_000

/** Prefetches quick replies and the developments' index, so that a first conversation can be opened offline. */
export function prepareConversations() {
  void queryClient.prefetchQuery(quickRepliesQuery())
  setTimeout(() => void queryClient.prefetchQuery(materialQuery()), INDEX_AFTER_MS)
}

/** The dialog is open while the page's address names a contact. */
export function ConversationDialog({
  instanceName,
  contactId,
  onClose,
  onNamed,
  reader,
  more,
  actions = NO_ACTIONS,
  acts,
  docks = false,
}: ConversationDialogProps) {
  const titleId = useId()
  const [searchedId, setSearchedId] = useState<number>()
  const isSearching = contactId !== undefined && searchedId === contactId
  const endSearch = () => setSearchedId(undefined)
  // While the search is open, Back, Escape and the close button close only the search.
  const close = isSearching ? endSearch : onClose
  const { board } = useBoard(instanceName)
  const lead = contactId === undefined ? undefined : board?.leads.get(contactId)
  // A lead counts as gone only once the board is read completely from the device.
  const isGone = board !== undefined && board.missing.size === 0 && !lead
  const isDocked = useMedia(DOCKED) && docks
  useOpenMark(isDocked ? contactId : undefined)
  useKeyboardRoom(contactId !== undefined)
  useTabToBox(titleId, contactId !== undefined)
  useFilesKept()
  useNamedLead(contactId, board?.leads, onNamed)
  return (
    <Modal
      isOpen={contactId !== undefined}
      onClose={close}
      labelledBy={titleId}
      height="tall"
      hasAddress
      isDocked={isDocked}
    >
      <div className="flex h-full flex-col">
        <ConversationHeader
          titleId={titleId}
          lead={lead}
          stages={board?.stages ?? []}
          isLoading={!lead && !isGone}
          more={more}
          actions={actions}
          acts={acts}
          onSearch={() => setSearchedId(contactId)}
          onClose={close}
        />
        {lead && acts && (
          <div className="flex flex-col gap-2.5 bg-chat-bg has-[>section]:px-3.5 has-[>section]:pt-2.5">
            {acts.below(lead)}
          </div>
        )}
        {contactId !== undefined && isGone ? (
          <p className="grow bg-chat-bg px-6 py-12 text-center text-text-2">
            Este contato não está mais no seu quadro.
          </p>
        ) : (
          contactId !== undefined && (
            <NextStepSlot value={acts?.offerNextStep ?? null}>
              <MessagePane
                key={contactId}
                {...{ contactId, lead, reader }}
                isSearching={isSearching}
                onSearchEnd={endSearch}
              />
            </NextStepSlot>
          )
        )}
      </div>
    </Modal>
  )
}

/** Highlights the card of the open lead, also after the card is rendered again. */
function useOpenMark(contactId: number | undefined) {
  useEffect(() => {
    if (contactId === undefined) return undefined
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      `[data-lead="${contactId}"] { outline: 2px solid var(--color-primary); outline-offset: -1px; }`,
    )
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [contactId])
}

/** Moves the first Tab in a newly opened conversation to the message box; header buttons come after it. */
function useTabToBox(titleId: string, isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const { activeElement } = document
      if (event.key !== 'Tab' || event.shiftKey || !activeElement?.matches('dialog[open]')) return
      if (!activeElement.contains(document.getElementById(titleId))) return
      const box = activeElement.querySelector('textarea')
      if (!box) return
      event.preventDefault()
      box.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [titleId, isOpen])
}

/**
 * While files upload or are not yet stored on the device, the app does not update itself and leaving the page asks
 * first.
 */
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
