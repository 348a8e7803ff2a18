// A text field with a hint below; screen readers read both.
import { type ReactNode, useId } from 'react'
import { TextField, type TextFieldProps } from './field.tsx'

export type HintedFieldProps = TextFieldProps & { hint: ReactNode }

export function HintedField({ hint, ...field }: HintedFieldProps) {
  const hintId = useId()
  return (
    <div>
      <TextField {...field} aria-describedby={hintId} />
      <p id={hintId} className="pt-1.5 text-13 text-text-3">
        {hint}
      </p>
    </div>
  )
}
