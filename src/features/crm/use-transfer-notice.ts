// Shows a toast after a transfer. Its undo returns each lead to its former broker, unless one was merged.
import { useMutation } from '@tanstack/react-query'
import { type Transferred, transferLeads } from './transfer-data.ts'
import { newOperationId } from '#data/operation.ts'
import { toast } from '#ui/feedback/toast.ts'
import { brokerName, TRANSFER_FAILED, leads } from './texts.ts'

const mergedToo = (count: number) =>
  count === 1
    ? '1 já estava lá: os dois contatos viraram um só.'
    : `${count} já estavam lá: cada um virou um só contato.`

const handedOver = (count: number, broker: string) =>
  `${leads(count)} ${count === 1 ? 'passou' : 'passaram'} para ${broker}`

export function useTransferNotice() {
  const { mutateAsync } = useMutation(transferLeads())
  const takeBack = async (owners: ReadonlyMap<string, readonly number[]>) => {
    try {
      let count = 0
      for (const [to, leadIds] of owners) {
        const { moved } = await mutateAsync({ operationId: newOperationId(), leadIds, to })
        count += moved
      }
      toast(`${leads(count)} ${count === 1 ? 'voltou' : 'voltaram'} para quem estava.`, 'success')
    } catch {
      toast(TRANSFER_FAILED, 'error')
    }
  }
  return (done: Transferred, to: string) => {
    const said = handedOver(done.moved, brokerName(to))
    const owners = ownersBefore(done)
    if (done.merged > 0) toast(`${said}\n${mergedToo(done.merged)}`, 'success')
    else if (owners)
      toast(said, 'info', {
        action: { label: 'Desfazer', run: () => void takeBack(owners) },
        strong: brokerName(to),
      })
    else toast(said, 'success')
  }
}

/**
 * Returns the leads by former broker. Returns null if the transfer cannot be undone, because a lead had no broker or
 * was merged.
 */
export function ownersBefore({ leads, merged }: Transferred): ReadonlyMap<string, readonly number[]> | null {
  if (merged > 0 || leads.length === 0) return null
  const owners = new Map<string, number[]>()
  for (const { id, from } of leads) {
    if (from === null) return null
    owners.set(from, [...(owners.get(from) ?? []), id])
  }
  return owners
}
