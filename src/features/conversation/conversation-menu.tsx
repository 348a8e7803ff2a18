// The menu in the head of a conversation.
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  BellOff,
  BellRing,
  Bot,
  CalendarPlus,
  Clock3,
  Copy,
  EllipsisVertical,
  IdCard,
  MapPin,
  MessageCircleDashed,
  MessageCircleOff,
  Phone,
  Search,
  StickyNote,
  UserRoundPlus,
  UserRoundX,
  Waypoints,
} from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import type { BrokerActs } from './broker-acts.ts'
import { muteLead, mutedQuery } from './muting-data.ts'
import { askToPass, useHasColleagues } from '#data/passes.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'
import { batonQuery } from './handover/data.ts'
import { GIVE_BACK, useGiveBack } from './handover/use-give-back.ts'
import { askToSendLater } from './later/later-opening.ts'
import { SEND_LATER } from './later/texts.ts'
import { LEAD_DETAILS, NOTE } from './lead/texts.ts'
import { CALL, COPY_FAILED, notDone, NUMBER_COPIED, optionsOf, SEARCH_MESSAGES } from './ground/texts.ts'

const leadHistory = lazily(async () => (await import('./history-dialog.tsx')).HistoryDialog)

type ConversationMenuProps = {
  lead: Lead
  /** Actions that the page adds to those every reader has. */
  actions: readonly Action[]
  acts: BrokerActs | undefined
  onDetails: () => void
  onNote: () => void
  onSearch: () => void
}

export function ConversationMenu(props: ConversationMenuProps) {
  const { lead, actions, acts, onDetails, onNote, onSearch } = props
  const button = useRef<HTMLSpanElement>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  // Once opened, the sheet stays mounted while closed, so that focus returns to the button that opened it.
  const [hasOpened, setOpened] = useState(false)
  if (isHistoryOpen && !hasOpened) setOpened(true)
  const title = leadTitle(lead)
  const muting = useMuting(lead.id, spot !== null && acts !== undefined)
  const giving = useGiving(lead.id)
  const hasColleagues = useHasColleagues()
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
          { label: NOTE, icon: StickyNote, run: onNote },
          ...numberActions(lead),
          ...routeActions(lead),
          ...(acts
            ? [{ label: 'Agendar visita', icon: CalendarPlus, run: () => acts.bookVisit(lead.id) }]
            : []),
          { label: SEND_LATER, icon: Clock3, run: () => askToSendLater(lead.id) },
          { label: SEARCH_MESSAGES, icon: Search, run: onSearch },
          ...(acts && lead.waitingSinceMs !== null
            ? [{ label: 'Não precisa de resposta', icon: MessageCircleOff, run: () => acts.quiet(lead) }]
            : []),
          ...(acts
            ? [{ label: 'Marcar como não lida', icon: MessageCircleDashed, run: () => acts.unread(lead) }]
            : []),
          ...(acts && hasColleagues
            ? [{ label: 'Passar para…', icon: UserRoundPlus, run: () => askToPass(lead) }]
            : []),
          ...actions,
          ...(acts ? [...giving, muting] : []),
          { label: 'Ver o caminho deste lead', icon: Waypoints, run: seeHistory },
          ...(acts
            ? [{ label: 'Não é lead', icon: UserRoundX, isApart: true, run: () => acts.notLead(lead) }]
            : []),
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

/** The menu always has this row, so a late answer of the server changes its label without moving other rows. */
function useMuting(leadId: number, isAsked: boolean): Action {
  const { data: isMuted } = useQuery({ ...mutedQuery(leadId), enabled: isAsked && leadId > 0 })
  const { mutate } = useMutation({
    ...muteLead(leadId),
    onError: (error) => toast(notDone(error.message), 'error'),
  })
  const change = (isSilent: boolean) =>
    mutate(isSilent, {
      onSuccess: () =>
        toast(
          isSilent ? 'Sem avisos do que este contato escreve.' : 'Avisos deste contato ligados.',
          'success',
        ),
    })
  return isMuted
    ? { label: 'Tirar do silêncio', icon: BellRing, run: () => change(false) }
    : { label: 'Silenciar', icon: BellOff, run: () => change(true) }
}

/**
 * Adds 'Devolver ao assistente' if an assistant works here and a person has taken over. The conversation knows that
 * before the menu opens.
 */
function useGiving(leadId: number): Action[] {
  const { data: baton } = useQuery(batonQuery(leadId))
  const { give } = useGiveBack(leadId)
  if (baton === 'broker') return [{ label: GIVE_BACK, icon: Bot, run: give }]
  if (baton === 'stopped')
    return [{ label: 'Assistente pausado nesta conversa', icon: Bot, isDisabled: true, run: () => undefined }]
  return []
}

const MAP = 'https://www.google.com/maps/search/?api=1&query='

/** Opens the map at the next visit's address, if there is one. */
function routeActions({ next }: Lead): Action[] {
  const place = next.find(({ kind, note }) => kind === 'visit' && note !== '')?.note
  if (place === undefined) return []
  const run = () => void open(MAP + encodeURIComponent(place), '_blank', 'noopener,noreferrer')
  return [{ label: 'Rota', icon: MapPin, run }]
}

/**
 * Returns the menu's actions for a lead's number. A lead known only by WhatsApp's hidden id can be neither called nor
 * copied.
 */
function numberActions({ number }: Lead): Action[] {
  const digits = number && dialledDigits(number)
  if (!number || !digits) return []
  return [
    { label: CALL, icon: Phone, run: () => location.assign(`tel:+${digits}`) },
    { label: 'Copiar número', icon: Copy, run: () => void copyNumber(number) },
  ]
}

async function copyNumber(number: string) {
  if (await copyText(formatPhone(number))) toast(NUMBER_COPIED, 'success')
  else toast(COPY_FAILED, 'error')
}

const NO_SPOT: Spot = { x: 0, y: 0 }
