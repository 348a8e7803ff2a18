// 'Passar para outro corretor': chooses who gets the leads, and shows a single lead's former brokers.
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { transferLeads } from './transfer-data.ts'
import { newOperationId } from '#data/operation.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { type LeadToTransfer, ReceiverList } from './receiver-list.tsx'
import { LeadOwners } from './lead-owners.tsx'
import { TRANSFER_FAILED, leads as leadCount } from './texts.ts'
import { useTransferNotice } from './use-transfer-notice.ts'

type TransferDialogProps = {
  isOpen: boolean
  leads: readonly LeadToTransfer[]
  onClose: () => void
  /** Called after a transfer with the new broker's instance name. */
  onDone: (to: string) => void
}

export function TransferDialog({ isOpen, leads, onClose, onDone }: TransferDialogProps) {
  // The closing animation still shows these leads, so that the text does not vanish at once.
  const [last, setLast] = useState(leads)
  if (isOpen && leads !== last) setLast(leads)
  const [only] = last
  const subtitle = only && last.length === 1 ? leadTitle(only) : leadCount(last.length)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Passar para outro corretor" subtitle={subtitle}>
      <TransferForm leads={last} onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function TransferForm({ leads, onClose, onDone }: Omit<TransferDialogProps, 'isOpen'>) {
  const isOnline = useIsOnline()
  const hintId = useId()
  // Each chosen broker has one operation id, so that a retry after a lost response does not transfer twice.
  const [intent, setIntent] = useState<{ operationId: string; to: string } | null>(null)
  const showNotice = useTransferNotice()
  const { mutate, isPending, error, reset } = useMutation({
    ...transferLeads(),
    // The hook's callback runs even if this form was closed meanwhile; one of the `mutate` call would not.
    onSuccess: (done, { to }) => {
      onDone(to)
      showNotice(done, to)
    },
  })
  const [only] = leads
  const choose = (to: string) => {
    reset()
    setIntent({ operationId: newOperationId(), to })
  }
  const submit = () => {
    if (!intent || isPending) return
    mutate({ ...intent, leadIds: leads.map(({ id }) => id) })
  }
  return (
    <div className="flex min-h-0 flex-col gap-3 px-3 pt-1">
      <ReceiverList
        leads={leads}
        value={intent?.to ?? null}
        isOff={isPending}
        onChoose={choose}
        hintId={hintId}
      />
      {error && (
        <Banner tone="danger" icon={CircleAlert}>
          {error.message || TRANSFER_FAILED}
        </Banner>
      )}
      <p id={hintId} className="text-13 leading-body text-text-3">
        {isOnline
          ? 'Conversas, notas e estágio vão junto. As respostas passam a sair do WhatsApp de quem recebe; o que chegar no número antigo entra na mesma conversa.'
          : 'Você precisa de internet para passar leads.'}
      </p>
      {only && leads.length === 1 && <LeadOwners leadId={only.id} />}
      <FormActions onCancel={onClose}>
        <Button disabled={!intent || !isOnline} busy={isPending && 'Passando...'} onClick={submit}>
          {`Passar ${leadCount(leads.length)}`}
        </Button>
      </FormActions>
    </div>
  )
}
