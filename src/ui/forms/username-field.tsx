// The username of a new account. Invalid characters are removed while typing.
import { useState } from 'react'
import { HintedField, type HintedFieldProps } from './hinted-field.tsx'
import { useFirstFocus } from './use-first-focus.ts'

/** The server refuses longer usernames. */
const MAX_LETTERS = 60

type UsernameFieldProps = Pick<HintedFieldProps, 'label' | 'hint' | 'error' | 'readOnly' | 'onKeyDown'> & {
  /** Shown instead of the hint once a typed character was changed. */
  changedHint?: string
  value: string
  /** Returns the valid characters of a typed text. */
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
