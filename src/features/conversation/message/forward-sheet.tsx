// Chooses which of the broker's leads gets a forwarded text or file. It asks for confirmation, because it goes to
// another person.
import { useMemo, useState } from 'react'
import { useBoard } from '#data/board/leads.ts'
import { forwardFile, sendText } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { type Message, messageSummary } from '#domain/message/message.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { rankOf, toQuery } from '#domain/search.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { SearchBox } from '#ui/forms/search-box.tsx'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { isFile } from './message-actions.ts'
import { FORWARD } from '../texts.ts'

const forwarded = (name: string) => `Encaminhada para ${name}`

const forwardTo = (name: string) => `Encaminhar para ${name}?`

/** Maximum shown; others are found by search. */
const MAX_SHOWN = 50

type ForwardSheetProps = {
  /** The lead of this conversation. */
  lead: Lead
  /** null: closed. */
  message: Message | null
  onClose: () => void
}

export function ForwardSheet({ lead, message, onClose }: ForwardSheetProps) {
  return (
    <Dialog isOpen={message !== null} onClose={onClose} title="Encaminhar para" width="wide">
      {message !== null && <Choice lead={lead} message={message} onClose={onClose} />}
    </Dialog>
  )
}

function Choice({ lead: { id, instanceName }, message, onClose }: ForwardSheetProps & { message: Message }) {
  const { board } = useBoard(instanceName)
  const [typed, setTyped] = useState('')
  const found = useMemo(() => {
    const query = toQuery(typed)
    return [...(board?.leads.values() ?? [])]
      .filter((lead) => lead.id !== id && !lead.isOptedOut && (!query || rankOf(lead, query) !== null))
      .toSorted((a, b) => lastTalk(b) - lastTalk(a))
      .slice(0, MAX_SHOWN)
  }, [board, typed, id])
  const choose = (to: Lead) => {
    onClose()
    ask({
      question: forwardTo(leadTitle(to)),
      consequence: messageSummary({ kind: message.content.kind, body: message.body }),
      action: { label: FORWARD, run: () => void forward(to, message), tone: 'primary' },
    })
  }
  return (
    <div className="flex flex-col gap-2 px-3">
      <SearchBox label="Buscar contato" text={typed} onText={setTyped} />
      {found.length === 0 && <p className="py-8 text-center text-text-2">Nenhum contato encontrado</p>}
      <ul className="flex flex-col">
        {found.map((to) => (
          <li key={to.id}>
            <button
              type="button"
              onClick={() => choose(to)}
              className="flex min-h-14 w-full items-center gap-3 rounded-lg px-2 text-left hover:bg-surface-2"
            >
              <Avatar name={to.name} pictureUrl={to.pictureUrl} size={36} />
              <span className="min-w-0 grow text-16 font-medium wrap-anywhere">
                {leadTitle(to)}
                {to.number && (
                  <span className="block text-13 font-regular text-text-3 tabular-nums">
                    {formatPhone(to.number)}
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const lastTalk = ({ lastMessage }: Lead) => lastMessage?.sentAtSeconds ?? 0

/** Sent as a new message: a text goes through the outbox, a file needs the network. */
async function forward(to: Lead, message: Message) {
  try {
    if (isFile(message)) await forwardFile(to, message)
    else await sendText(to, { text: message.body, quotedMessageId: null })
    toast(forwarded(leadTitle(to)), 'success')
  } catch (error) {
    toast(error instanceof PortalError ? error.message : 'Não foi possível encaminhar.', 'error')
  }
}
