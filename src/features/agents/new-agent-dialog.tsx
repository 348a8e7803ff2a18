// 'Adicionar Empreendimento': the agent of a development, with its central WhatsApp number and prompts copied from
// another agent.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { addAgent, agentDevelopmentsQuery } from '#data/agents.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import type { Agent } from '#domain/agent/agent.ts'
import { foldText } from '#domain/search.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { HintedField } from '#ui/forms/hinted-field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { InstanceField } from './instance-field.tsx'
import { ADD } from './texts.ts'

const added = (name: string) => `Agente ${name} criado com sucesso!`

const MAX_LETTERS = 120

type NewAgentProps = { isOpen: boolean; agents: readonly Agent[]; onClose: () => void }

export function NewAgentDialog({ isOpen, ...form }: NewAgentProps) {
  return (
    <Dialog isOpen={isOpen} onClose={form.onClose} title={ADD}>
      <NewAgentForm {...form} />
    </Dialog>
  )
}

const emptyAgent = () => ({
  // Created once per form, so that a retry after a lost response does not add a second agent.
  operationId: newOperationId(),
  name: '',
  instanceName: null as string | null,
  copyFrom: null as number | null,
})

function NewAgentForm({ agents, onClose }: Omit<NewAgentProps, 'isOpen'>) {
  const isOnline = useIsOnline()
  const listId = useId()
  const first = useFirstFocus()
  const [intent, setIntent] = useState(emptyAgent)
  const [fault, setFault] = useState<string | null>(null)
  // The hook's callbacks run even if the form was closed meanwhile; those of a `mutate` call would not.
  const { mutate, reset, isPending, error } = useMutation({
    ...addAgent(),
    onSuccess: (_answer, { name }) => toast(added(name.trim()), 'success'),
  })
  const taken = new Set(
    agents.flatMap(({ name, development }) => [foldText(name), foldText(development ?? name)]),
  )

  const change = (part: Partial<typeof intent>) => {
    reset()
    setFault(null)
    setIntent((before) => ({ ...before, ...part, operationId: newOperationId() }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    const name = intent.name.trim()
    const found =
      name === ''
        ? 'Nome do empreendimento é obrigatório'
        : taken.has(foldText(name))
          ? 'Já existe um agente para este empreendimento'
          : null
    setFault(found)
    if (found === null) mutate(intent, { onSuccess: onClose })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <HintedField
        ref={first}
        label="Nome do empreendimento"
        hint={isOnline ? 'Use o nome que vem nos leads. O agente atende as conversas dele.' : ONLINE_ONLY}
        value={intent.name}
        list={listId}
        maxLength={MAX_LETTERS}
        readOnly={isPending}
        error={fault ?? (error && `Erro ao criar agente: ${error.message}`)}
        autoComplete="off"
        onChange={({ target }) => change({ name: target.value })}
      />
      <Developments id={listId} taken={taken} />
      <InstanceField
        agent={null}
        value={intent.instanceName}
        isDisabled={isPending}
        onChange={(instanceName) => change({ instanceName })}
      />
      <SelectField
        label="Copiar prompts de"
        value={intent.copyFrom ?? ''}
        disabled={isPending}
        onChange={({ target }) => change({ copyFrom: target.value === '' ? null : Number(target.value) })}
      >
        <option value="">Começar em branco</option>
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <FormActions onCancel={onClose}>
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Criando...'}>
          Criar agente
        </Button>
      </FormActions>
    </form>
  )
}

/** Suggests the developments that leads ask for and that have no agent yet. */
function Developments({ id, taken }: { id: string; taken: ReadonlySet<string> }) {
  const { data } = useQuery(agentDevelopmentsQuery())
  return (
    <datalist id={id}>
      {data
        ?.filter((name) => !taken.has(foldText(name)))
        .map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </datalist>
  )
}
