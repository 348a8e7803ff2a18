// 'Dados': a development's name, place, state and delivery, and the texts for captions.
import { stateOf } from '#domain/development/edit.ts'
import { STATE_LABEL, STATES } from '#domain/development/development.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Card } from '#ui/primitives/card.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'

const FIELD = {
  name: { label: 'Nome', maxLength: 120, placeholder: undefined },
  district: { label: 'Bairro', maxLength: 80, placeholder: undefined },
  delivery: { label: 'Entrega', maxLength: 20, placeholder: 'mar/2028' },
  builder: { label: 'Incorporadora', maxLength: 120, placeholder: undefined },
  city: { label: 'Cidade', maxLength: 80, placeholder: undefined },
  license: { label: 'CRECI nas legendas', maxLength: 40, placeholder: undefined },
  price: { label: 'A partir de', maxLength: 20, placeholder: 'R$ 412.000' },
  validUntil: { label: 'Vale até', maxLength: 10, placeholder: '30/11/2026' },
}
type TextName = keyof typeof FIELD

export function FieldsCard({ draft, isOff }: { draft: DevelopmentDraft; isOff: boolean }) {
  const { edit, faults, change } = draft
  const field = (name: TextName) => (
    <TextField
      {...FIELD[name]}
      value={edit[name]}
      readOnly={isOff}
      autoComplete="off"
      error={faults.get(name)}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
  return (
    <Card title="Dados">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-4 px-5 pb-5">
        {field('name')}
        {field('district')}
        <SelectField
          label="Estado"
          value={edit.state}
          disabled={isOff}
          onChange={({ target }) => change({ state: stateOf(target.value) })}
        >
          <option value="">Não informado</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {STATE_LABEL[state]}
            </option>
          ))}
        </SelectField>
        {field('delivery')}
        {field('builder')}
        {field('city')}
        {field('license')}
        {edit.plans.every(({ price }) => price === '') && (
          <>
            {field('price')}
            {field('validUntil')}
          </>
        )}
      </div>
      <div className="px-5 pb-5">
        <label className="flex flex-col gap-1.5 text-14 font-medium">
          Descrição
          <textarea
            value={edit.description}
            readOnly={isOff}
            rows={3}
            maxLength={4_000}
            onChange={({ target }) => change({ description: target.value })}
            className="field-sizing-content min-h-20 w-full rounded-md bg-surface px-4 py-3 text-16 font-regular shadow-input outline-none focus-visible:shadow-input-focus lg:rounded-ctl lg:px-3 lg:text-15"
          />
        </label>
      </div>
    </Card>
  )
}
