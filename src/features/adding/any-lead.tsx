// Administrators add a lead to any broker's board or to their own; gerentes to a board of their team.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { brokersQuery } from '#data/brokers.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { displayName } from '#domain/broker.ts'
import { AddLeadDialog } from './add-lead-dialog.tsx'
import type { AddedLead } from './use-addition.ts'

type AnyLeadDialogProps = {
  isOpen: boolean
  /** Instance names of the brokers whose boards are shown; these come first in the list of owners. */
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
    // Preselects the shown broker. If several boards are shown, the first owner is nobody.
    const isOne = shown.length === 1 && names.some((name) => shown.includes(name))
    return isOne ? [...brokersOf, nobody] : [nobody, ...brokersOf]
  }, [brokers, shown, isAdmin])
  // The dialog appears once the list of brokers, and so of owners, is loaded.
  return brokers && <AddLeadDialog {...dialog} owners={owners} leads={undefined} />
}
