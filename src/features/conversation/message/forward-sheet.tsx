// Chooses which of the broker's leads gets a forwarded text or file. It asks for confirmation, because it goes to
// another person.
import { forwardFile, sendText } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { type Message, messageSummary } from '#domain/message/message.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { isFile } from './message-actions.ts'
import { LeadChoice } from '../ground/lead-choice.tsx'
import { FORWARD } from '../ground/texts.ts'

const forwarded = (name: string) => `Encaminhada para ${name}`

const forwardTo = (name: string) => `Encaminhar para ${name}?`

type ForwardSheetProps = {
  /** The lead of this conversation. */
  lead: Lead
  /** Null while the sheet is closed. */
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
  const choose = (to: Lead) => {
    onClose()
    ask({
      question: forwardTo(leadTitle(to)),
      consequence: messageSummary({ kind: message.content.kind, body: message.body }),
      action: { label: FORWARD, run: () => void forward(to, message), tone: 'primary' },
    })
  }
  return <LeadChoice instanceName={instanceName} exceptId={id} onChoose={choose} />
}

/** Forwards as a new message: a text goes through the outbox, a file needs the network. */
async function forward(to: Lead, message: Message) {
  try {
    if (isFile(message)) await forwardFile(to, message)
    else await sendText(to, { text: message.body, quotedMessageId: null })
    toast(forwarded(leadTitle(to)), 'success')
  } catch (error) {
    toast(error instanceof PortalError ? error.message : 'Não foi possível encaminhar.', 'error')
  }
}
