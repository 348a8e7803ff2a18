// 'Enviar contato': a contact card with a name and a number, which the lead can save on the phone.
import { type SubmitEvent, useState } from 'react'
import { sendCard } from '#data/messages/sending.ts'
import { PortalError } from '#domain/errors.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { digitsOf } from '#domain/phone/phone.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { notDone } from '../ground/texts.ts'

const sentTo = (name: string) => `Para ${name}`

const SEND_CONTACT = 'Enviar contato'

const MAX_NAME = 200
const MAX_PHONE = 30

type ContactSheetProps = { lead: Lead; isOpen: boolean; onClose: () => void }

export function ContactSheet({ lead, isOpen, onClose }: ContactSheetProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={SEND_CONTACT} subtitle={sentTo(leadTitle(lead))}>
      {isOpen && <ContactForm lead={lead} onDone={onClose} />}
    </Dialog>
  )
}

function ContactForm({ lead, onDone }: { lead: Lead; onDone: () => void }) {
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const [faults, setFaults] = useState<{ name?: string; phone?: string }>({})
  const first = useFirstFocus()
  const send = async () => {
    const [number] = (await readTyped(phone)).numbers
    setFaults({
      ...(name.trim() === '' && { name: 'Informe o nome.' }),
      ...(number === undefined && { phone: 'Informe o telefone com DDD.' }),
    })
    if (name.trim() === '' || number === undefined) return
    onDone()
    await sendCard(lead, { kind: 'contact', contacts: [{ name: name.trim(), phones: [digitsOf(number)] }] })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    send().catch((error: unknown) =>
      toast(notDone(error instanceof PortalError ? error.message : null), 'error'),
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <TextField
        ref={first}
        label="Nome"
        autoComplete="off"
        autoCapitalize="words"
        maxLength={MAX_NAME}
        value={name}
        error={faults.name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Telefone"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={MAX_PHONE}
        value={phone}
        error={faults.phone}
        onChange={({ target }) => setPhone(target.value)}
      />
      <Button type="submit">{SEND_CONTACT}</Button>
    </form>
  )
}
