// The message that the broker replies to, above the message box.
import { X } from 'lucide-react'
import { use } from 'react'
import { type Message, messageSummary } from '#domain/message/message.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Assistant, Author } from '../ground/reader.ts'
import { UNNAMED } from '../ground/texts.ts'

type AnswerBarProps = { message: Message; name: string | null; onDrop: () => void }

export function AnswerBar({ message, name, onDrop }: AnswerBarProps) {
  const { direction, byAssistant, content, body } = message
  const author = use(Author)
  const assistant = use(Assistant)
  return (
    <div className="flex items-center gap-1 pt-2.5 pr-2.5 pl-3.5">
      <div className="min-w-0 grow rounded-sm border-l-3 border-primary bg-primary-soft px-2.5 py-1.5 text-13">
        <span className="sr-only">{'Respondendo a'} </span>
        <span className="block font-semibold text-on-primary-soft">
          {byAssistant ? assistant : direction === 'outgoing' ? author : name?.trim() || UNNAMED}
        </span>
        <span className="line-clamp-2 wrap-anywhere text-text-2">
          {messageSummary({ kind: content.kind, body })}
        </span>
      </div>
      <IconButton icon={X} label="Não responder a esta mensagem" onClick={onDrop} />
    </div>
  )
}
