// Confirms the erasure of a person's data: what is deleted, what stays, and that it is permanent.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { type Erased, erasePerson } from './data.ts'
import type { HeldData, PersonAsked } from '#domain/person-data.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { lossesOf } from './texts.ts'

/** What the erasure does not delete; the dialog tells it beforehand. */
const REMAINS =
  'Fica só um código do número, que ninguém lê de volta, para nenhuma campanha chegar a ele de novo. Das cópias de segurança os dados saem em até 7 dias. A conversa no WhatsApp, no celular do corretor, não é do portal e continua lá.'

type EraseDialogProps = {
  who: PersonAsked
  held: HeldData
  isOpen: boolean
  onClose: () => void
  onErased: (counts: Erased) => void
}

export function EraseDialog({ who, held, isOpen, onClose, onErased }: EraseDialogProps) {
  // Each person gets one operation id, so that a retry after a lost response returns the first result.
  const [operationId] = useState(newOperationId)
  const { mutate, isPending } = useMutation({
    ...erasePerson(),
    onSuccess: onErased,
    onError: ({ message }) => toast(`Erro ao excluir: ${message}`, 'error'),
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Excluir os dados desta pessoa?">
      <div className="flex flex-col gap-4 px-3 pt-1">
        <div className="leading-body text-text-2">
          <p>Isto sai do portal, para todos os corretores e em todos os aparelhos, e não volta:</p>
          <ul className="list-disc pl-5">
            {lossesOf(held).map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </div>
        <p className="text-13 leading-body text-text-3">{REMAINS}</p>
        <FormActions onCancel={onClose}>
          <Button
            variant="danger"
            busy={isPending && 'Excluindo…'}
            onClick={() => mutate({ who, operationId })}
          >
            Excluir tudo
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
