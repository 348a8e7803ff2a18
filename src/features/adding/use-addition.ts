// Adds a typed lead: validates it and puts it into the outbox. If online, it waits for the server's result.
import { type SubmitEvent, useState } from 'react'
import { addLead, type NewLead, outcomeOf } from '#data/adding.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { discard } from '#data/decisions.ts'
import { isName, tidyName } from '#domain/lead/adding.ts'
import type { NumberFault } from '#domain/phone/read.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { toast } from '#ui/feedback/toast.ts'

const ADD_FAILED = 'Não foi possível adicionar o lead.'

const NO_WHATSAPP = 'Este número não parece de WhatsApp.'
const NUMBER_FAULT: Readonly<Record<NumberFault, string>> = {
  area: 'Falta o DDD.',
  cut: 'A planilha cortou este número: faltam os últimos dígitos.',
  service: 'Este número é de uma central de atendimento, não de uma pessoa.',
  number: NO_WHATSAPP,
  empty: NO_WHATSAPP,
}

/** The form waits this long for the server; then the lead stays in the outbox. */
const MAX_WAIT_MS = 6_000

export type Faults = { name?: string; number?: string }

/** The added lead. A negative id is local: the server does not have the lead yet. */
export type AddedLead = { id: number; instanceName: string | null }

export function useAddition(typed: NewLead, onAdded: (lead: AddedLead) => void) {
  const isOnline = useIsOnline()
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)

  const send = async () => {
    const { fault } = await readTyped(typed.number)
    const found = {
      ...(!isName(typed.name) && { name: 'Falta o nome.' }),
      ...(fault && { number: NUMBER_FAULT[fault] }),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const entry = await addLead(typed)
    const outcome = isOnline ? await outcomeOf(entry.id, MAX_WAIT_MS) : { kind: 'waiting' as const }
    if (outcome.kind === 'refused') {
      setFaults({ number: outcome.reason ?? ADD_FAILED })
      return discard(entry)
    }
    const title = tidyName(typed.name)
    if (outcome.kind === 'added') toast(`Lead adicionado: ${title}`, 'success')
    else toast(`Na fila: ${title}`, 'info')
    const id = outcome.kind === 'added' ? outcome.leadId : entry.command.lead.id
    onAdded({ id, instanceName: typed.instanceName })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    send()
      .catch(() => toast(ADD_FAILED, 'error'))
      .finally(() => setBusy(false))
  }
  return { faults, forgetFaults: () => setFaults({}), isBusy, isOnline, submit }
}
