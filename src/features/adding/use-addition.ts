// The way of a new lead that was typed: checked, written down, and, with a network, what the server says of it.
import { type PhoneFault } from '#domain/lead/adding.ts'
import { type SubmitEvent, useState } from 'react'
import { addLead, type NewLead, outcomeOf } from '#data/adding.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { discard } from '#data/pending.ts'
import { isName, phoneFault, tidyName } from '#domain/lead/adding.ts'
import { toast } from '#ui/feedback/toast.ts'

const ADD_FAILED = 'Não foi possível adicionar o lead.'

const NUMBER_FAULT: Readonly<Record<PhoneFault, string>> = {
  area: 'Falta o DDD.',
  number: 'Este número não parece de WhatsApp.',
}

/** Slower than this is a weak signal: it stands in the queue by then. */
const MOST_WAIT_MS = 6_000

export type Faults = { name?: string; number?: string }

/** A negative id is one that only this device knows. */
export type AddedLead = { id: number; instanceName: string | null }

export function useAddition(typed: NewLead, onAdded: (lead: AddedLead) => void) {
  const isOnline = useIsOnline()
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)

  const send = async () => {
    const entry = await addLead(typed)
    const outcome = isOnline ? await outcomeOf(entry.id, MOST_WAIT_MS) : { kind: 'waiting' as const }
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
    const found = faultsOf(typed)
    setFaults(found)
    if (found.name !== undefined || found.number !== undefined) return
    setBusy(true)
    send()
      .catch(() => toast(ADD_FAILED, 'error'))
      .finally(() => setBusy(false))
  }
  return { faults, forgetFaults: () => setFaults({}), isBusy, isOnline, submit }
}

function faultsOf({ name, number }: NewLead): Faults {
  const wrong = phoneFault(number)
  return { ...(!isName(name) && { name: 'Falta o nome.' }), ...(wrong && { number: NUMBER_FAULT[wrong] }) }
}
