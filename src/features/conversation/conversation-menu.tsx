// What can be done beyond the conversation, behind one button of its header.
import { CalendarPlus, Clock3, Copy, EllipsisVertical, IdCard, Phone, Search, Waypoints } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { type Lead, leadTitle } from '#domain/lead.ts'
import { dialledDigits, formatPhone } from '#domain/phone.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/action-menu.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { askToSendLater } from './later/later-opening.ts'
import { SEND_LATER } from './later/texts.ts'
import { LEAD_DETAILS } from './lead/texts.ts'
import { SEE_HISTORY } from './history-texts.ts'
import {
  BOOK_VISIT,
  CALL,
  COPY_FAILED,
  COPY_NUMBER,
  NUMBER_COPIED,
  optionsOf,
  SEARCH_MESSAGES,
} from './texts.ts'

const leadHistory = lazily(async () => (await import('./history-dialog.tsx')).HistoryDialog)

type ConversationMenuProps = {
  lead: Lead
  /** Beside what stands here for everyone. */
  actions: readonly Action[]
  bookVisit: ((leadId: number) => void) | undefined
  onDetails: () => void
  onSearch: () => void
}

export function ConversationMenu({ lead, actions, bookVisit, onDetails, onSearch }: ConversationMenuProps) {
  const button = useRef<HTMLSpanElement>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  // Once shown it stays, closed, so that the focus finds its way back.
  const [hasOpened, setOpened] = useState(false)
  if (isHistoryOpen && !hasOpened) setOpened(true)
  const title = leadTitle(lead)
  const open = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom })
  }
  const seeHistory = () => leadHistory.open(() => setHistoryOpen(true))
  return (
    <>
      <span ref={button} className="flex">
        <IconButton icon={EllipsisVertical} label={optionsOf(title)} aria-haspopup="menu" onClick={open} />
      </span>
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title={optionsOf(title)}
        spot={spot ?? NO_SPOT}
        actions={[
          { label: LEAD_DETAILS, icon: IdCard, run: onDetails },
          ...numberActions(lead),
          ...(bookVisit ? [{ label: BOOK_VISIT, icon: CalendarPlus, run: () => bookVisit(lead.id) }] : []),
          { label: SEND_LATER, icon: Clock3, run: () => askToSendLater(lead.id) },
          { label: SEARCH_MESSAGES, icon: Search, run: onSearch },
          ...actions,
          { label: SEE_HISTORY, icon: Waypoints, run: seeHistory },
        ]}
      />
      <Suspense>
        {hasOpened && (
          <leadHistory.Component
            lead={isHistoryOpen ? { contactId: lead.id, name: title } : null}
            onClose={() => setHistoryOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

/** A lead known by a hidden id alone can be neither called nor copied. */
function numberActions({ number }: Lead): Action[] {
  const digits = number && dialledDigits(number)
  if (!number || !digits) return []
  return [
    { label: CALL, icon: Phone, run: () => location.assign(`tel:+${digits}`) },
    { label: COPY_NUMBER, icon: Copy, run: () => void copyNumber(number) },
  ]
}

async function copyNumber(number: string) {
  if (await copyText(formatPhone(number))) toast(NUMBER_COPIED, 'success')
  else toast(COPY_FAILED, 'error')
}

const NO_SPOT: Spot = { x: 0, y: 0 }
