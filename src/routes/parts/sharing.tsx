// Shows what other apps shared: a contact in 'Adicionar lead', anything else in the choice of a conversation. Also
// opens 'Adicionar lead' for the icon's shortcut.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { NewLead } from '#data/adding.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { numbersOf } from '#features/adding/contact-picker.tsx'
import { OwnLeadDialog } from '#features/adding/own-lead.tsx'
import { finish, putInto, readReceived, type Received } from '#features/conversation/sharing/data.ts'
import { ShareSheet } from '#features/conversation/sharing/share-sheet.tsx'
import { ask } from '#ui/feedback/ask.ts'

/** The initial content of 'Adicionar lead'. `key` differs for each lead. `at` is the contact's index in the share. */
type Adding = { key: string; initial?: Partial<NewLead>; share?: Received; at: number }

export function Sharing({ instanceName }: { instanceName: string }) {
  const [received, setReceived] = useState<readonly Received[]>([])
  const [adding, setAdding] = useState<Adding>()
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const { adicionar } = useSearch({ strict: false })
  const add = (next: Adding) => {
    setAdding(next)
    setOpen(true)
  }
  /** Opens the first share of the list. */
  const show = (list: readonly Received[]) => {
    setReceived(list)
    const [share] = list
    if (share && share.contacts.length > 0) add(contactOf(share, 0))
  }
  const begin = useEffectEvent(show)
  const addByShortcut = useEffectEvent(() => add({ key: 'shortcut', at: 0 }))
  useEffect(() => {
    void readReceived().then((list) => begin(list))
  }, [])
  useEffect(() => {
    if (adicionar === undefined) return
    // Removes the shortcut's parameter first, because the sheet adds a history entry after this one.
    void navigate({ to: '/broker', search: {}, replace: true }).then(() => addByShortcut())
  }, [adicionar, navigate])

  // The conversation takes over the sheet's history entry before the sheet closes, because the sheet's step back would
  // close it.
  const go = (leadId: number) => navigate({ to: '/broker', search: { lead: leadId }, replace: true })
  const next = (rest: Received | null) => show([...(rest ? [rest] : []), ...received.slice(1)])
  /** Runs when a lead was added or the sheet closed: opens the share's next contact, or the next share. */
  const leaveAdding = () => {
    setOpen(false)
    const { share, at } = adding ?? {}
    if (!share || at === undefined) return
    if (at + 1 < share.contacts.length) add(contactOf(share, at + 1))
    else void finish(share).then(next)
  }
  const [first] = received
  const choose = (lead: Lead) => {
    if (!first) return
    void go(lead.id)
      .then(() => putInto(lead, first))
      .then(next)
  }
  const discard = () => {
    if (!first) return
    ask({
      question: 'Descartar?',
      consequence: 'O que foi compartilhado será perdido.',
      action: { label: 'Descartar', run: () => void finish(first).then(next) },
      cancelLabel: 'Continuar',
    })
  }
  return (
    <>
      <ShareSheet
        share={isOpen || first?.contacts.length !== 0 ? undefined : first}
        instanceName={instanceName}
        onChoose={choose}
        onAdd={() => first && add(textOf(first))}
        onClose={discard}
      />
      {adding && (
        <OwnLeadDialog
          key={adding.key}
          isOpen={isOpen}
          instanceName={instanceName}
          {...(adding.initial && { initial: adding.initial })}
          onClose={leaveAdding}
          onOpen={(id) => void go(id).then(leaveAdding)}
        />
      )}
    </>
  )
}

function contactOf(share: Received, at: number): Adding {
  const { name = '', phones = [], note = '' } = share.contacts[at] ?? {}
  return { key: `${share.key} ${at}`, share, at, initial: { name, number: numbersOf(phones), note } }
}

/** For a text with a phone number: the number, and the whole text as note. */
const textOf = (share: Received): Adding => ({
  key: share.key,
  share,
  at: 0,
  initial: {
    name: share.title,
    number: numbersOf(share.number === '' ? [] : [share.number]),
    note: share.text,
  },
})
