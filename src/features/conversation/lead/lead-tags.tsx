// A lead's tags: removed one by one, added from the board's tags or typed.
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { MAX_TAG, MAX_TAGS } from '#domain/lead/fields.ts'
import { Icon } from '#ui/primitives/icon.tsx'

type LeadTagsProps = {
  tags: readonly string[]
  known: readonly string[]
  onChange: (tags: readonly string[]) => void
}

export function LeadTags({ tags, known, onChange }: LeadTagsProps) {
  const [text, setText] = useState<string | null>(null)
  const listId = useId()
  const add = () => {
    const tag = (text ?? '').trim().replaceAll(/\s+/g, ' ')
    setText(null)
    const isThere = tags.some((one) => one.toLocaleLowerCase('pt-BR') === tag.toLocaleLowerCase('pt-BR'))
    if (tag !== '' && !isThere) onChange([...tags, tag])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Escape') setText(null)
    else if (!event.nativeEvent.isComposing) add()
  }
  return (
    <ul aria-label="Etiquetas" className="flex flex-wrap items-center gap-2">
      {tags.map((tag) => (
        <li key={tag} className="flex items-center rounded-full bg-surface-2 pl-3.5 text-14 text-text-2">
          {tag}
          <button
            type="button"
            aria-label={`Remover etiqueta ${tag}`}
            onClick={() => onChange(tags.filter((one) => one !== tag))}
            className="-my-1 inline-flex size-11 items-center justify-center rounded-full"
          >
            <Icon of={X} size={16} />
          </button>
        </li>
      ))}
      {tags.length < MAX_TAGS && (
        <li>
          {text === null ? (
            <button
              type="button"
              aria-label="Adicionar etiqueta"
              onClick={() => setText('')}
              className="inline-flex min-h-11 min-w-14 items-center justify-center rounded-full text-text-2 shadow-input"
            >
              <Icon of={Plus} size={18} />
            </button>
          ) : (
            <>
              <input
                // The user pressed the plus in order to type here.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
                aria-label="Nova etiqueta"
                list={listId}
                value={text}
                maxLength={MAX_TAG}
                enterKeyHint="done"
                onChange={({ target }) => setText(target.value)}
                onBlur={add}
                onKeyDown={onKeyDown}
                className="min-h-11 w-44 rounded-full bg-surface px-4 text-16 shadow-input outline-none focus:shadow-input-focus"
              />
              <datalist id={listId}>
                {known
                  .filter((tag) => !tags.includes(tag))
                  .map((tag) => (
                    <option key={tag}>{tag}</option>
                  ))}
              </datalist>
            </>
          )}
        </li>
      )}
    </ul>
  )
}
