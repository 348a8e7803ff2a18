// The username of an account that is added: what may not be in one is left out as typed.
import { useState } from 'react'
import { HintedField, type HintedFieldProps } from './hinted-field.tsx'
import { useFirstFocus } from './use-first-focus.ts'

/** As the accounts have it. */
const LONGEST = 60

type UsernameFieldProps = Pick<HintedFieldProps, 'label' | 'hint' | 'error' | 'readOnly' | 'onKeyDown'> & {
  /** In the hint's place once something that was typed was changed. */
  changedHint?: string
  value: string
  /** What is kept of what was typed. */
  clean: (typed: string) => string
  onType: (username: string) => void
}

export function UsernameField({ clean, onType, changedHint, hint, ...field }: UsernameFieldProps) {
  const first = useFirstFocus()
  const [isChanged, setChanged] = useState(false)
  return (
    <HintedField
      {...field}
      ref={first}
      hint={isChanged && changedHint !== undefined ? changedHint : hint}
      onChange={({ target }) => {
        const cleaned = clean(target.value)
        if (cleaned !== target.value) setChanged(true)
        onType(cleaned)
      }}
      maxLength={LONGEST}
      autoCapitalize="none"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  )
}
