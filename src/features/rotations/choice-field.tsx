// A labelled select whose values have labels.
import { SelectField } from '#ui/forms/select-field.tsx'

type ChoiceFieldProps = {
  label: string
  choices: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

export function ChoiceField({ label, choices, value, onChange }: ChoiceFieldProps) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </SelectField>
  )
}
