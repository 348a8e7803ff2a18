// 'Particulares': lists the contacts that the broker marked as private; each can be unmarked.
import { ChevronRight, Plus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { type PrivateContact, takeBack, usePrivateContacts } from '#data/private.ts'
import { calendarDay, formatDate } from '#domain/format.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { PRIVATE } from '../texts.ts'
import { NumberForm } from './number-form.tsx'

type PrivateDialogProps = { instanceName: string; isOpen: boolean; onClose: () => void }

export function PrivateDialog({ instanceName, isOpen, onClose }: PrivateDialogProps) {
  const { list, contacts } = usePrivateContacts(instanceName)
  const [isAdding, setAdding] = useState(false)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={PRIVATE}>
      <div className="flex flex-col gap-4 px-3 pt-1">
        {isAdding ? (
          <NumberForm instanceName={instanceName} onEnd={() => setAdding(false)} />
        ) : (
          <>
            <p className="text-15 leading-body text-text-2">
              Só você vê esta lista. Estas conversas ficam no seu WhatsApp e não aparecem no portal.
            </p>
            {contacts ? (
              <Contacts contacts={contacts} />
            ) : list.error ? (
              <FailedRead of={list} />
            ) : (
              <Skeleton className="h-40" />
            )}
            <AddRow onAdd={() => setAdding(true)} />
            <p className="text-14 leading-body text-text-3">
              Ao voltar para o quadro entram as mensagens novas; nos primeiros sete dias, também as antigas.
              Depois elas continuam só no seu WhatsApp.
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Contacts({ contacts }: { contacts: readonly PrivateContact[] }) {
  if (contacts.length === 0)
    return (
      <State
        kind="empty"
        icon={UserRoundX}
        title="Ninguém aqui"
        hint="Família e amigos que escrevem no seu WhatsApp: ⋮ › Não é lead."
      />
    )
  return (
    <ul className="divide-y divide-border overflow-hidden rounded-card shadow-line">
      {contacts.map((contact) => (
        <Contact key={contact.key} contact={contact} />
      ))}
    </ul>
  )
}

const nameOf = ({ name, number, lastDigits }: PrivateContact) =>
  name ??
  (number ? formatPhone(number) : lastDigits === null ? 'Número oculto' : `Número final ${lastDigits}`)

function Contact({ contact }: { contact: PrivateContact }) {
  const nowMs = useNow()
  const { name, number, sinceMs, isWaiting } = contact
  const title = nameOf(contact)
  const isToday = calendarDay(sinceMs) === calendarDay(nowMs)
  const since = isWaiting ? 'Na fila' : `desde ${isToday ? 'hoje' : formatDate(sinceMs).slice(0, 5)}`
  const back = () =>
    takeBack(contact).then(
      () => toast(`${title} voltou para o quadro`, 'success'),
      () => toast('Não foi possível voltar. Tente de novo.', 'error'),
    )
  return (
    <li className="flex min-h-16 items-center gap-3 px-3.5 py-2">
      <Avatar name={name} size={36} />
      <div className="min-w-0 grow">
        <p className="truncate text-15 font-medium">{title}</p>
        {name && number && <p className="truncate text-13 text-text-2 tabular-nums">{formatPhone(number)}</p>}
        <p className="text-13 text-text-2">{since}</p>
      </div>
      <Button
        variant="ghost"
        size="small"
        onClick={() => void back()}
        aria-label={`Voltar para o quadro: ${title}`}
      >
        Voltar para o quadro
      </Button>
    </li>
  )
}

function AddRow({ onAdd }: { onAdd: () => void }) {
  return (
    <button
      type="button"
      onClick={onAdd}
      className="flex min-h-16 items-center gap-3.5 rounded-card px-3.5 text-left shadow-line transition-colors hover:bg-surface-2"
    >
      <span className="flex size-10 items-center justify-center rounded-md bg-primary-soft text-on-primary-soft">
        <Icon of={Plus} />
      </span>
      <span className="grow">
        <span className="block text-15 font-medium">Marcar um número</span>
        <span className="block text-14 text-text-2">Antes mesmo de a pessoa escrever</span>
      </span>
      <Icon of={ChevronRight} size={18} className="text-text-3" />
    </button>
  )
}
