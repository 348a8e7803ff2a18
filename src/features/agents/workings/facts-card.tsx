// The facts that an agent may state about its development, each with its last valid day.
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { type AgentFact, type AgentSetup, type FactChange, removeFact, saveFact } from './data.ts'
import { SAVE, SAVE_FAILED } from './texts.ts'

const ADD_FACT = 'Adicionar fato'

const EMPTY: FactChange = { id: null, label: '', value: '', isPrice: false, validUntil: null }

export function FactsCard({ agentId, setup }: { agentId: number; setup: AgentSetup }) {
  const { facts, recordFacts } = setup
  const isOnline = useIsOnline()
  const [edited, setEdited] = useState<FactChange | null>(null)
  const removal = useMutation({ ...removeFact(agentId), onError: () => toast(SAVE_FAILED, 'error') })
  const remove = (fact: AgentFact) =>
    ask({
      question: 'Excluir este fato?',
      consequence: 'O agente deixa de dizer isto agora.',
      action: { label: 'Excluir', run: () => removal.mutate(fact.id), tone: 'danger' },
    })
  return (
    <section className="rounded-lg bg-surface p-5 shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-16 font-semibold">Fatos</h2>
        <Button size="small" variant="soft" icon={Plus} disabled={!isOnline} onClick={() => setEdited(EMPTY)}>
          {ADD_FACT}
        </Button>
      </div>
      <p className="pt-1 text-13 text-text-3">
        O que o agente pode afirmar. Um preço só é dito até o último dia em que vale.
      </p>
      {facts.length === 0 && recordFacts.length === 0 ? (
        <p className="pt-4 text-14 text-text-2">
          Nenhum fato ainda. Sem fatos o agente não diz preço nem condição.
        </p>
      ) : (
        <ul className="divide-y divide-border pt-2">
          {facts.map((fact) => (
            <li key={fact.id} className="flex items-center gap-2 py-2">
              <div className="min-w-0 grow">
                <p className="flex flex-wrap items-center gap-x-2 text-14 font-medium">
                  <span className="wrap-anywhere">{fact.label}</span>
                  {fact.isPrice && <Badge tone="neutral">Preço</Badge>}
                  {fact.isExpired ? (
                    <Badge tone="warning">Venceu</Badge>
                  ) : (
                    fact.validUntil && (
                      <span className="text-13 font-normal text-text-3">{`até ${fact.validUntil.split('-').toReversed().join('/')}`}</span>
                    )
                  )}
                </p>
                <p className="text-14 text-text-2 wrap-anywhere">{fact.value}</p>
              </div>
              <IconButton
                icon={Pencil}
                label={`Mudar ${fact.label}`}
                disabled={!isOnline}
                onClick={() => setEdited(fact)}
              />
              <IconButton
                icon={Trash2}
                label={`Excluir ${fact.label}`}
                disabled={!isOnline}
                onClick={() => remove(fact)}
              />
            </li>
          ))}
        </ul>
      )}
      <RecordFacts setup={setup} />
      <Dialog
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
        title={edited?.id == null ? ADD_FACT : 'Mudar fato'}
      >
        {edited && <FactForm agentId={agentId} fact={edited} onClose={() => setEdited(null)} />}
      </Dialog>
    </section>
  )
}

/** Facts from the development's record, with a link to the record, where an administrator changes them. */
function RecordFacts({ setup: { recordId, recordFacts } }: { setup: AgentSetup }) {
  if (recordId === null) return null
  return (
    <div className="mt-3 border-t border-border pt-3">
      <p className="flex flex-wrap items-center justify-between gap-2 text-14 font-medium">
        Do empreendimento
        <Link
          to="/empreendimentos"
          search={{ id: recordId }}
          className="inline-flex min-h-11 items-center rounded-sm px-1 font-semibold text-primary"
        >
          Abrir o empreendimento
        </Link>
      </p>
      {recordFacts.length === 0 ? (
        <p className="text-14 text-text-2">O empreendimento ainda não diz nada.</p>
      ) : (
        <ul className="divide-y divide-border">
          {recordFacts.map(({ label, value, isPrice }) => (
            <li key={label} className="py-2">
              <p className="flex flex-wrap items-center gap-x-2 text-14 font-medium">
                <span className="wrap-anywhere">{label}</span>
                {isPrice && <Badge tone="neutral">Preço</Badge>}
              </p>
              <p className="text-14 text-text-2 wrap-anywhere">{value}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type FactFormProps = { agentId: number; fact: FactChange; onClose: () => void }

function FactForm({ agentId, fact, onClose }: FactFormProps) {
  const isOnline = useIsOnline()
  const [draft, setDraft] = useState(fact)
  const { mutate, isPending, error } = useMutation({ ...saveFact(agentId), onSuccess: onClose })
  const fault = error && (error instanceof PortalError ? error.message : SAVE_FAILED)
  const isOfDay = error instanceof PortalError && error.code === 'fact.no-end'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { id, label, value, isPrice, validUntil: until } = draft
    mutate({ id, label, value, isPrice, validUntil: until })
  }
  const isWhole = draft.label.trim() !== '' && draft.value.trim() !== ''
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4 px-3 pt-1">
      <TextField
        label="Nome"
        value={draft.label}
        maxLength={120}
        onChange={({ target }) => setDraft({ ...draft, label: target.value })}
      />
      <TextField
        label="O que ele pode dizer"
        value={draft.value}
        maxLength={2000}
        error={isOfDay ? null : fault}
        onChange={({ target }) => setDraft({ ...draft, value: target.value })}
      />
      <div className="-mx-4">
        <Switch
          label="É um preço"
          isOn={draft.isPrice}
          onChange={(isPrice) => setDraft({ ...draft, isPrice })}
        />
      </div>
      <TextField
        label="Vale até"
        type="date"
        value={draft.validUntil ?? ''}
        error={isOfDay && fault}
        onChange={({ target }) => setDraft({ ...draft, validUntil: target.value || null })}
      />
      <FormActions onCancel={onClose}>
        <Button type="submit" disabled={!isOnline || !isWhole} busy={isPending && SAVE}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}
