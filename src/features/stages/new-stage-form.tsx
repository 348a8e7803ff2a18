// The form that adds a stage by name.
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { addStage } from '#data/board/stage-changes.ts'
import { PortalError } from '#domain/errors.ts'
import { MAX_STAGE_NAME } from '#domain/stage-editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import type { Fault } from './fault.ts'
import { FAILED } from './texts.ts'

type NewStageFormProps = { isOff: boolean; onFault: (fault: Fault | null) => void }

export function NewStageForm({ isOff, onFault }: NewStageFormProps) {
  // Each name has one operation id, so that a second press or a retry after a lost response does not add a second
  // stage. Another name starts a new id, and so does a response.
  const [{ name, operationId }, setIntent] = useState(() => intentFor(''))
  const { mutate, isPending } = useMutation(addStage())
  const isBlank = name.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBlank || isPending || isOff) return
    onFault(null)
    mutate(
      { name, operationId },
      {
        onSuccess: () => setIntent(intentFor('')),
        onError: (error) => {
          if (error instanceof PortalError && error.code.startsWith('stage.')) setIntent(intentFor(name))
          onFault({ what: FAILED.add, why: error.message || null })
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-3 pt-2">
      <div className="min-w-48 grow">
        <TextField
          label="Novo estágio"
          placeholder="Nome do novo estágio"
          value={name}
          maxLength={MAX_STAGE_NAME}
          autoComplete="off"
          enterKeyHint="done"
          readOnly={isPending}
          onChange={(event) => setIntent(intentFor(event.target.value))}
        />
      </div>
      <Button type="submit" icon={Plus} disabled={isBlank || isOff} busy={isPending && 'Adicionando...'}>
        Adicionar
      </Button>
    </form>
  )
}

const intentFor = (name: string) => ({ name, operationId: newOperationId() })
