// One owner's quick replies: each fills the box; the user's own can be sorted, edited and removed.
import { useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, EllipsisVertical, Paperclip, Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { orderQuickReplies, removeQuickReply } from './data.ts'
import { type QuickReply, shifted } from '#domain/message/quick-reply.ts'
import { ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { ask } from '#ui/feedback/ask.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { optionsOf, WITH_FILE } from '../ground/texts.ts'

const DELETE_REPLY = 'Excluir'

type QuickReplyGroupProps = {
  name: string
  replies: readonly QuickReply[]
  canEdit: boolean
  canOrder: boolean
  onEdit: (reply: QuickReply) => void
  onPick: (reply: QuickReply) => void
}

export function QuickReplyGroup({ name, replies, canEdit, canOrder, onEdit, onPick }: QuickReplyGroupProps) {
  const headingId = useId()
  const onError = () => toast('Erro ao salvar a resposta. Tente novamente.', 'error')
  const order = useMutation({ ...orderQuickReplies(), onError })
  const remove = useMutation({ ...removeQuickReply(), onError })
  // The menu finds its reply by id, because a refetch may move it to another index.
  const [menu, setMenu] = useState<{ id: string; spot: Spot } | null>(null)
  const chosen = replies.findIndex(({ id }) => id === menu?.id)
  if (replies.length === 0) return null

  const actionsFor = (index: number) => {
    const reply = replies[index]
    if (!reply) return []
    const { id, title, isShared } = reply
    const move = (by: -1 | 1) => () => order.mutate(shifted(replies, index, by))
    const askToRemove = () =>
      ask({
        question: `Excluir "${title}"?`,
        consequence: isShared ? 'Ela some para todos os corretores.' : 'Isso não pode ser desfeito.',
        action: { label: DELETE_REPLY, run: () => remove.mutate(id) },
      })
    return [
      { label: 'Editar', icon: Pencil, run: () => onEdit(reply) },
      ...(canOrder && index > 0 ? [{ label: 'Subir', icon: ArrowUp, run: move(-1) }] : []),
      ...(canOrder && index < replies.length - 1 ? [{ label: 'Descer', icon: ArrowDown, run: move(1) }] : []),
      { label: DELETE_REPLY, icon: Trash2, isDanger: true, run: askToRemove },
    ]
  }
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className="pb-1 text-12 font-medium text-text-3">
        {name}
      </h3>
      <ul className="flex flex-col">
        {replies.map((reply) => (
          <li key={reply.id} className="flex items-center gap-1 border-b border-border last:border-b-0">
            <button
              type="button"
              onClick={() => onPick(reply)}
              className="min-h-14 min-w-0 grow rounded-md py-2 text-left"
            >
              <span className="block font-medium wrap-anywhere">{reply.title}</span>
              <span className="line-clamp-2 text-13 wrap-anywhere text-text-2">{reply.body}</span>
              {reply.file && (
                <span className="flex items-center gap-1 text-13 text-text-3">
                  <Icon of={Paperclip} size={14} />
                  <span className="sr-only">{WITH_FILE}</span>
                  <span className="truncate">{reply.file.media.fileName}</span>
                </span>
              )}
            </button>
            {canEdit && (
              <IconButton
                icon={EllipsisVertical}
                label={optionsOf(reply.title)}
                aria-haspopup="menu"
                onClick={({ currentTarget }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect()
                  setMenu({ id: reply.id, spot: { x: left, y: bottom } })
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <ActionMenu
        isOpen={menu !== null}
        onClose={() => setMenu(null)}
        title={replies[chosen]?.title ?? name}
        spot={menu?.spot ?? NOWHERE}
        actions={actionsFor(chosen)}
      />
    </section>
  )
}

const NOWHERE: Spot = { x: 0, y: 0 }
