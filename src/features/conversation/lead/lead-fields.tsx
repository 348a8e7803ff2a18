// A lead's origin, campaign, development, value and e-mail, each edited in place.
import type { LeadSheet } from './data.ts'
import { FIELD_LABEL, formatValue, type LeadFields as Fields, readValue } from '#domain/lead/fields.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { LeadAd } from './lead-ad.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { InlineEdit } from '#ui/forms/inline-edit.tsx'

const MAX_LETTERS = 200
const MAX_EMAIL = 254
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

type LeadFieldsProps = {
  sheet: LeadSheet
  onSave: (fields: Partial<Fields>) => void
}

export function LeadFields({ sheet, onSave }: LeadFieldsProps) {
  const saveValue = (text: string) => {
    const value = text === '' ? null : readValue(text)
    if (text !== '' && value === null) return toast('Escreva um valor, como 640 mil ou 1,2 mi.', 'error')
    return onSave({ value })
  }
  const saveEmail = (text: string) => {
    if (text !== '' && !EMAIL.test(text)) return toast('Este e-mail não parece certo.', 'error')
    return onSave({ email: text === '' ? null : text.toLowerCase() })
  }
  // A partial sheet does not know its empty fields, so the server may have a value.
  const none = sheet.isPartial ? 'Não carregado' : 'Adicionar'
  return (
    // The list has two columns, or one with large text.
    <dl className="lead-fields grid gap-x-4 gap-y-1 border-t border-border py-3">
      <div className="min-h-13 min-w-0">
        <dt className="text-13 text-text-3">Origem</dt>
        <dd className="text-16 wrap-anywhere">{sourceLabel(sheet.source)}</dd>
      </div>
      {sheet.ad && <LeadAd ad={sheet.ad} />}
      <Field
        field="campaign"
        text={sheet.campaign}
        none={none}
        onSave={(campaign) => onSave({ campaign: campaign || null })}
      />
      <Field
        field="development"
        text={sheet.development}
        none={none}
        onSave={(development) => onSave({ development: development || null })}
      />
      <Field
        field="value"
        none={none}
        text={sheet.value === null ? null : formatValue(sheet.value)}
        onSave={saveValue}
      />
      <Field field="email" none={none} text={sheet.email} maxLength={MAX_EMAIL} isWide onSave={saveEmail} />
    </dl>
  )
}

type FieldProps = {
  field: keyof Fields
  text: string | null
  /** Shown in place of an empty value. */
  none: string
  maxLength?: number
  isWide?: boolean
  onSave: (text: string) => void
}

function Field({ field, text, none, maxLength = MAX_LETTERS, isWide = false, onSave }: FieldProps) {
  const label = FIELD_LABEL[field]
  return (
    <div className={isWide ? 'col-span-full min-h-13 min-w-0' : 'min-h-13 min-w-0'}>
      <dt className="text-13 text-text-3">{label}</dt>
      <dd className="min-w-0 text-16">
        <InlineEdit
          value={text ?? ''}
          label={label}
          editLabel={`Editar ${label.toLocaleLowerCase('pt-BR')}`}
          maxLength={maxLength}
          onSave={onSave}
        >
          <span className={text === null ? 'text-text-2' : 'truncate'} title={text ?? undefined}>
            {text ?? none}
          </span>
        </InlineEdit>
      </dd>
    </div>
  )
}
