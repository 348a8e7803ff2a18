// A field that filters a list while the user types.
import { Search } from 'lucide-react'
import { Icon } from '../primitives/icon.tsx'

type SearchBoxProps = { label: string; text: string; onText: (text: string) => void }

export function SearchBox({ label, text, onText }: SearchBoxProps) {
  return (
    <search className="flex min-h-11 min-w-0 shrink-0 grow items-center rounded-ctl bg-surface pl-3 shadow-input focus-within:shadow-input-focus lg:min-h-10">
      <Icon of={Search} size={18} className="text-text-3" />
      <input
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="min-h-11 w-0 grow truncate bg-transparent px-2.5 text-16 shadow-none! outline-none placeholder:text-text-3 lg:min-h-10 lg:text-14"
      />
    </search>
  )
}
