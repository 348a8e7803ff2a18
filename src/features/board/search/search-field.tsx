// The search field: Escape first clears it, then leaves it.
import { Search, X } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CLEAR_SEARCH, SEARCH } from './texts.ts'

type SearchFieldProps = {
  text: string
  onText: (text: string) => void
  /** Called on Escape in an empty field. */
  onLeave: () => void
  field: RefObject<HTMLInputElement | null>
  hasFocus?: boolean
}

export function SearchField({ text, onText, onLeave, field, hasFocus = false }: SearchFieldProps) {
  const clear = () => {
    onText('')
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Hides a phone's keyboard, so that the results are visible.
    if (event.key === 'Enter') field.current?.blur()
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (text === '') onLeave()
    else onText('')
  }
  return (
    <search className="flex min-h-11 min-w-0 grow items-center rounded-ctl bg-surface pl-3 shadow-input focus-within:shadow-input-focus">
      <Icon of={Search} size={18} className="text-text-3" />
      <input
        ref={field}
        // The search was opened to type.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={hasFocus}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-label={SEARCH}
        aria-keyshortcuts="/"
        placeholder="Buscar por nome, número ou nota"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="min-h-11 min-w-0 grow truncate bg-transparent px-2.5 text-16 shadow-none! outline-none placeholder:text-text-3 lg:text-14"
      />
      {/* The key that focuses the field, if the field is on the board. */}
      {text === '' && !hasFocus && (
        <kbd aria-hidden className="mr-3 rounded-seg bg-surface-2 px-2 text-13 text-text-3">
          /
        </kbd>
      )}
      {text !== '' && <IconButton icon={X} label={CLEAR_SEARCH} onClick={clear} />}
    </search>
  )
}
