// Offers six reactions above a message's menu. The user's own is highlighted; choosing it again removes it.
import { react } from '../ground/changes-data.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { PortalError } from '#domain/errors.ts'
import { toast } from '#ui/feedback/toast.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { notDone } from '../ground/texts.ts'

const OFFERED = [
  ['👍', 'joinha'],
  ['❤️', 'coração'],
  ['😂', 'risada'],
  ['😮', 'surpresa'],
  ['😢', 'tristeza'],
  ['🙏', 'obrigado'],
] as const

type ReactionRowProps = { lead: Lead; message: Message; onDone: () => void }

export function ReactionRow({ lead, message, onDone }: ReactionRowProps) {
  return (
    <fieldset aria-label="Reagir" className="flex pb-2">
      {OFFERED.map(([emoji, name]) => (
        <button
          key={emoji}
          type="button"
          role="menuitemradio"
          aria-checked={message.ownReaction === emoji}
          aria-label={`Reagir com ${name}`}
          onClick={() => {
            onDone()
            void choose(lead, message, emoji)
          }}
          className={classNames(
            'min-h-11 grow rounded-full text-24 hover:bg-surface-2',
            message.ownReaction === emoji && 'bg-primary-soft',
          )}
        >
          <span aria-hidden>{emoji}</span>
        </button>
      ))}
    </fieldset>
  )
}

async function choose(lead: Lead, message: Message, emoji: string) {
  try {
    await react(lead, message, emoji)
  } catch (error) {
    toast(notDone(error instanceof PortalError ? error.message : null), 'error')
  }
}
