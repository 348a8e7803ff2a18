// A field for a day and an hour.
import { TextField } from './field.tsx'

type MomentFieldProps = {
  label: string
  /** As the browser writes it, such as '2026-11-30T09:30'. */
  value: string
  onType: (text: string) => void
}

export function MomentField({ label, value, onType }: MomentFieldProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={value}
      required
      onChange={({ target }) => onType(target.value)}
    />
  )
}
