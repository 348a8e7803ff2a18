// Makes a test of the agent from a turn, after a preview.
import { useMutation, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { CaseDialogue } from '../bench/case-dialogue.tsx'
import { addCase, casePreviewQuery } from '../bench/data.ts'
import type { Turn } from './data.ts'

const MAKE = 'Virar conversa de teste'
const KEEP = 'Guardar teste'

export function MakeCase({ agentId, turn }: { agentId: number; turn: Turn }) {
  const isOnline = useIsOnline()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="line"
        icon={FlaskConical}
        aria-haspopup="dialog"
        disabled={!isOnline}
        onClick={() => setOpen(true)}
      >
        {MAKE}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={MAKE}>
        {isOpen && <CaseForm agentId={agentId} turn={turn} onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

function CaseForm({ agentId, turn, onClose }: { agentId: number; turn: Turn; onClose: () => void }) {
  const isOnline = useIsOnline()
  const [operationId] = useState(newOperationId)
  const [handsOver, setHandsOver] = useState(turn.reason === 'person' || turn.reason === 'handed-over')
  const read = useQuery(casePreviewQuery(agentId, turn.id))
  const { mutate, isPending, error } = useMutation({
    ...addCase(agentId),
    onSuccess: () => {
      toast('Teste guardado. Vale na próxima vez que os testes rodarem.', 'success')
      onClose()
    },
  })
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p className="text-14 leading-body text-text-2">
        Nome, telefone, e-mail e CPF saem. Some quando o lead é excluído.
      </p>
      {read.data ? (
        <div className="rounded-md bg-surface-2 p-3 text-13">
          <CaseDialogue lines={read.data.lines} />
        </div>
      ) : read.error ? (
        <FailedRead of={read} isRow />
      ) : (
        <Skeleton className="h-24 rounded-md!" />
      )}
      <div className="-mx-4">
        <Switch label="O certo é chamar o corretor" isOn={handsOver} onChange={setHandsOver} />
      </div>
      <p role="alert" className="text-13 text-danger empty:hidden">
        {error && (error instanceof PortalError ? error.message : 'Não foi possível guardar o teste.')}
      </p>
      <FormActions onCancel={onClose}>
        <Button
          disabled={!isOnline || !read.data}
          busy={isPending && 'Guardando…'}
          onClick={() => mutate({ operationId, turnId: turn.id, handsOver })}
        >
          {KEEP}
        </Button>
      </FormActions>
    </div>
  )
}
