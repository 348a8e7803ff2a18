// All quick replies: search and choose, and add, edit, sort and remove the user's own.
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { quickRepliesQuery } from './data.ts'
import { useSession } from '#data/session.ts'
import { findReplies, type QuickReply } from '#domain/message/quick-reply.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { lazily } from '#ui/lazily.ts'
import { Loading } from '#ui/feedback/loading.tsx'
import { QuickReplyGroup } from './quick-reply-group.tsx'
import { DISCARD, QUICK_REPLIES } from '../ground/texts.ts'

/** The form loads late, because it can only save online. */
const form = lazily(async () => (await import('./quick-reply-form.tsx')).QuickReplyForm)

const noReplyWith = (typed: string) => `Nenhuma resposta com "${typed}"`

const NEW_REPLY = 'Nova resposta'

/** The search field appears from this many replies on. */
const SEARCHED_FROM = 6

type QuickRepliesDialogProps = {
  isOpen: boolean
  onClose: () => void
  onPick: (reply: QuickReply) => void
}

export function QuickRepliesDialog({ isOpen, onClose, onPick }: QuickRepliesDialogProps) {
  const [edited, setEdited] = useState<QuickReply | 'new' | null>(null)
  const [isChanged, setChanged] = useState(false)
  const leaveForm = () => {
    setChanged(false)
    setEdited(null)
  }
  const leave = (go: () => void) => {
    if (!isChanged) return go()
    const discard = { label: DISCARD, run: go }
    return ask({
      question: 'Descartar o que foi escrito?',
      consequence: 'A resposta não foi salva.',
      action: discard,
    })
  }
  const close = () =>
    leave(() => {
      leaveForm()
      onClose()
    })
  const title = edited === null ? QUICK_REPLIES : edited === 'new' ? NEW_REPLY : 'Editar resposta'
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} hasUnsaved={isChanged}>
      {edited === null ? (
        <ReplyList
          onEdit={(reply) => form.open(() => setEdited(reply))}
          onPick={(reply) => {
            onClose()
            onPick(reply)
          }}
        />
      ) : (
        <Suspense>
          <form.Component
            reply={edited === 'new' ? null : edited}
            onChanged={setChanged}
            onDone={leaveForm}
            onCancel={() => leave(leaveForm)}
          />
        </Suspense>
      )}
    </Dialog>
  )
}

type ReplyListProps = { onEdit: (reply: QuickReply | 'new') => void; onPick: (reply: QuickReply) => void }

function ReplyList({ onEdit, onPick }: ReplyListProps) {
  const read = useQuery(quickRepliesQuery())
  const { data: replies } = read
  const session = useSession()
  const [typed, setTyped] = useState('')
  if (!replies) return read.error ? <FailedRead of={read} /> : <Loading />
  // Administrators edit the shared replies and have none of their own.
  const keepsShared = session.status === 'in' && session.user.role === 'admin'
  const found = findReplies(replies, typed)
  const groups = [
    { name: 'Minhas', isShared: false },
    { name: 'De todos', isShared: true },
  ]
  return (
    <div className="flex flex-col gap-3 px-3 pb-1">
      {replies.length >= SEARCHED_FROM && (
        <TextField
          label="Buscar resposta"
          type="search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {found.length === 0 && (
        <output className="py-4 text-center text-text-2">
          {typed.trim() === '' ? 'Nenhuma resposta ainda.' : noReplyWith(typed.trim())}
        </output>
      )}
      {groups.map(({ name, isShared }) => (
        <QuickReplyGroup
          key={name}
          name={name}
          replies={found.filter((reply) => reply.isShared === isShared)}
          canEdit={isShared === keepsShared}
          canOrder={typed.trim() === ''}
          onEdit={onEdit}
          onPick={onPick}
        />
      ))}
      <Button variant="soft" icon={Plus} onClick={() => onEdit('new')}>
        {NEW_REPLY}
      </Button>
    </div>
  )
}
