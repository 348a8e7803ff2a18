// The username of a new account; invalid characters are dropped while typing.
import { useState } from 'react'
import { HintedField, type HintedFieldProps } from './hinted-field.tsx'
import { useFirstFocus } from './use-first-focus.ts'

/** The server's limit for user names of accounts. */
const MAX_LETTERS = 60

type UsernameFieldProps = Pick<HintedFieldProps, 'label' | 'hint' | 'error' | 'readOnly' | 'onKeyDown'> & {
  /** Replaces the hint once a typed character was changed. */
  changedHint?: string
  value: string
  /** Returns the valid part of the typed text. */
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
      maxLength={MAX_LETTERS}
      autoCapitalize="none"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  )
}
