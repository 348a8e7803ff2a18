// An administrator adds a lead to a broker's board or to the administrator's, a gerente to a board of the team.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { brokersQuery } from '#data/brokers.ts'
import { useIsAdmin } from '#data/superior.ts'
import { displayName } from '#domain/broker.ts'
import { AddLeadDialog } from './add-lead-dialog.tsx'
import type { AddedLead } from './use-addition.ts'

type AnyLeadDialogProps = {
  isOpen: boolean
  /** Brokers whose boards are shown come first. */
  shown: readonly string[]
  onClose: () => void
  onOpen: (lead: AddedLead) => void
}

export function AnyLeadDialog({ shown, ...dialog }: AnyLeadDialogProps) {
  const { data: brokers } = useQuery(brokersQuery())
  const isAdmin = useIsAdmin()
  const owners = useMemo(() => {
    const names = (brokers ?? [])
      .filter(({ isCentral }) => !isCentral)
      .map(({ instanceName }) => instanceName)
    const first = (name: string) => Number(!shown.includes(name))
    const brokersOf = names
      .toSorted((a, b) => first(a) - first(b) || a.localeCompare(b))
      .map((instanceName) => ({ instanceName, label: displayName(instanceName) }))
    if (!isAdmin) return brokersOf
    const nobody = { instanceName: null, label: 'Sem corretor' }
    // Of several boards none is meant, so the administrator comes first.
    const isOne = shown.length === 1 && names.some((name) => shown.includes(name))
    return isOne ? [...brokersOf, nobody] : [nobody, ...brokersOf]
  }, [brokers, shown, isAdmin])
  // Waits for the list of brokers, from which the owner is chosen.
  return brokers && <AddLeadDialog {...dialog} owners={owners} leads={undefined} />
}
