// The username of an account that is added: what may not be in one is left out as typed. Spec 2.5, 5; PRODUCT.md 3.
import { HintedField, type HintedFieldProps } from './hinted-field.tsx'
import { useFirstFocus } from './use-first-focus.ts'

/** As the accounts have it. */
const LONGEST = 60

type UsernameFieldProps = Pick<HintedFieldProps, 'label' | 'hint' | 'error' | 'readOnly' | 'onKeyDown'> & {
  value: string
  /** What is kept of what was typed. */
  clean: (typed: string) => string
  onType: (username: string) => void
}

export function UsernameField({ clean, onType, ...field }: UsernameFieldProps) {
  const first = useFirstFocus()
  return (
    <HintedField
      {...field}
      ref={first}
      onChange={({ target }) => onType(clean(target.value))}
      maxLength={LONGEST}
      autoCapitalize="none"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  )
}
