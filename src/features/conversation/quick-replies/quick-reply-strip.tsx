// Quick replies above the empty box, one tap each, and a button for all; typing a slash searches them.
import { useQuery } from '@tanstack/react-query'
import { Paperclip, Pencil } from 'lucide-react'
import { quickRepliesQuery } from './data.ts'
import { findReplies, type QuickReply, slashQuery } from '#domain/message/quick-reply.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { QUICK_REPLIES, WITH_FILE } from '../ground/texts.ts'

/** The strip shows this many replies; the search finds the others. */
const MAX_SHOWN = 12

const CHIP =
  'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3.5 text-14 font-medium whitespace-nowrap text-on-primary-soft shadow-line transition-colors hover:bg-primary-soft pointer-fine:min-h-9'

type QuickReplyStripProps = {
  /** The text in the box. */
  text: string
  onPick: (reply: QuickReply) => void
  onEdit: () => void
}

export function QuickReplyStrip({ text, onPick, onEdit }: QuickReplyStripProps) {
  const { data: replies } = useQuery(quickRepliesQuery())
  const query = text === '' ? '' : slashQuery(text)
  if (!replies || query === null) return null
  const shown = findReplies(replies, query).slice(0, MAX_SHOWN)
  return (
    <ul
      aria-label={QUICK_REPLIES}
      className="scrollbar-none flex gap-2 overflow-x-auto overscroll-x-contain px-3.5 pt-2.5 md:max-h-24 md:flex-wrap short:hidden"
    >
      {shown.map((reply) => (
        <li key={reply.id} className="shrink-0">
          <button
            type="button"
            // Keeps the on-screen keyboard open.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(reply)}
            title={reply.title}
            className={CHIP}
          >
            {/* The width is limited so that a long title leaves space for other replies. */}
            <span className="max-w-[min(14rem,60vw)] truncate">{reply.title}</span>
            {reply.file && (
              <>
                <Icon of={Paperclip} size={14} />
                <span className="sr-only">{WITH_FILE}</span>
              </>
            )}
          </button>
        </li>
      ))}
      <li className="shrink-0">
        <button type="button" onClick={onEdit} className={CHIP}>
          <Icon of={Pencil} size={16} />
          Editar respostas
        </button>
      </li>
    </ul>
  )
}
