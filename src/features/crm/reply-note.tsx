// Tells an administrator, above the composer, which broker's WhatsApp sends the reply. For a lead without a broker it
// offers to choose one.
import { ArrowRightLeft } from 'lucide-react'
import { NO_BROKER } from '#domain/broker.ts'
import { NO_OWNER } from '#domain/lead/ownerless.ts'
import { Button } from '#ui/primitives/button.tsx'
import { brokerName, TRANSFER_SHORT } from './texts.ts'

const repliesAs = (broker: string) => `Responde pelo WhatsApp de ${broker}`

type ReplyNoteProps = { instanceName: string; onTransfer: () => void }

export function ReplyNote({ instanceName, onTransfer }: ReplyNoteProps) {
  if (instanceName !== NO_BROKER)
    return (
      <p className="shrink-0 bg-surface px-4 pt-2.5 text-13 wrap-anywhere text-text-2">
        {repliesAs(brokerName(instanceName))}
      </p>
    )
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 bg-surface px-4 pt-3 pb-[max(12px,var(--safe-bottom))]">
      <p className="flex-[1_1_12rem] text-14 leading-body text-text-2">{NO_OWNER}</p>
      <Button icon={ArrowRightLeft} onClick={onTransfer}>
        {TRANSFER_SHORT}
      </Button>
    </div>
  )
}
