// Settings of a Meta Lead Ads source: the app secret that signs deliveries, the token that reads answers, and each
// form's development.
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { PasswordField, TextField } from '#ui/forms/field.tsx'
import type { FormDevelopment, SourceDraft } from './source-draft.ts'

type MetaFieldsProps = { draft: SourceDraft; onChange: (part: Partial<SourceDraft>) => void }

export function MetaFields({ draft, onChange }: MetaFieldsProps) {
  const headingId = useId()
  const { forms } = draft
  const change = (index: number, part: Partial<FormDevelopment>) =>
    onChange({ forms: forms.map((form, at) => (at === index ? { ...form, ...part } : form)) })
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] gap-x-3 gap-y-4">
        <PasswordField
          label="Chave secreta do app"
          value={draft.appSecret}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => onChange({ appSecret: target.value })}
        />
        <TextField
          label="Token de verificação"
          value={draft.verifyToken}
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ verifyToken: target.value })}
        />
      </div>
      <p className="-mt-2 text-13 text-text-3">
        Invente um e informe o mesmo na Meta, ao cadastrar o endereço de retorno.
      </p>
      <PasswordField
        label="Token da página (para ler as respostas na Meta)"
        value={draft.pageToken}
        maxLength={1_000}
        autoComplete="off"
        onChange={({ target }) => onChange({ pageToken: target.value })}
      />
      <section aria-labelledby={headingId} className="flex flex-col gap-2">
        <h3 id={headingId} className="text-14 font-semibold">
          Empreendimento de cada formulário
        </h3>
        {forms.map((form, index) => (
          // A form may not have an id yet, so its index is the key.
          <FormFields
            key={index}
            form={form}
            place={index + 1}
            onChange={(part) => change(index, part)}
            onRemove={() => onChange({ forms: forms.toSpliced(index, 1) })}
          />
        ))}
        <span>
          <Button
            variant="ghost"
            size="small"
            icon={Plus}
            onClick={() => onChange({ forms: [...forms, { formId: '', development: '' }] })}
          >
            Adicionar formulário
          </Button>
        </span>
      </section>
    </>
  )
}

type FormFieldsProps = {
  form: FormDevelopment
  /** The form's position in the list; the first one has 1. */
  place: number
  onChange: (part: Partial<FormDevelopment>) => void
  onRemove: () => void
}

function FormFields({ form, place, onChange, onRemove }: FormFieldsProps) {
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 grow">
        <TextField
          label="ID do formulário"
          value={form.formId}
          inputMode="numeric"
          maxLength={40}
          autoComplete="off"
          onChange={({ target }) => onChange({ formId: target.value.replace(/\D/g, '') })}
        />
      </div>
      <div className="min-w-0 grow">
        <TextField
          label="Empreendimento"
          value={form.development}
          maxLength={120}
          autoComplete="off"
          onChange={({ target }) => onChange({ development: target.value })}
        />
      </div>
      <IconButton icon={Trash2} label={`Remover formulário ${place}`} onClick={onRemove} />
    </div>
  )
}
