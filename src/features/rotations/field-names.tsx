// Where our fields stand in what a portal sends, for those that call them otherwise.
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FIELD, FIELDS, FIELDS_HINT } from './intake-texts.ts'
import type { Mapping } from './key-draft.ts'

type FieldNamesProps = { mapping: Mapping; onChange: (mapping: Mapping) => void }

const NAMES = [
  'name',
  'number',
  'email',
  'message',
  'development',
  'listing',
  'source',
  'campaign',
  'externalId',
  'consent',
  'consentAt',
  'consentText',
] as const satisfies readonly (keyof typeof FIELD)[]

export function FieldNames({ mapping, onChange }: FieldNamesProps) {
  return (
    <Collapsible title={FIELDS}>
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="text-13 leading-body text-text-3">{FIELDS_HINT}</p>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-3">
          {NAMES.map((name) => (
            <TextField
              key={name}
              label={FIELD[name]}
              value={mapping[name] ?? ''}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ ...mapping, [name]: target.value })}
            />
          ))}
        </div>
      </div>
    </Collapsible>
  )
}
