// A text that becomes a field in place. Enter or the tick saves, Escape cancels.
import { Check, Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../primitives/button.tsx'
import { classNames } from '../primitives/class-names.ts'
import { SAVE } from '../texts.ts'

type InlineEditProps = {
  /** The text at the start of editing; otherwise `children` is shown. */
  value: string
  /** What the field is called. */
  label: string
  /** The label of the pencil button. */
  editLabel: string
  maxLength: number
  /** For narrow rows: on phones the pencil's touch area fills the nearest positioned ancestor. */
  isTight?: boolean
  /** Called with the trimmed text, only if it has changed. */
  onSave: (text: string) => void
  children: ReactNode
  /** Shown after the pencil while the text is not edited. */
  after?: ReactNode
}

/** The pencil after a text. Its touch area is larger than the line. */
const AFTER_WORDS = '-mx-2.5 -my-3 size-11 text-current hover:text-primary [&>svg]:size-4'
/** The pencil in a narrow row. On phones its touch area fills the row; elsewhere it covers part of the line below. */
const TIGHT =
  'text-text-3 after:absolute after:inset-0 hover:text-primary md:relative md:-mx-2.5 md:-my-3 md:size-11 md:text-current md:after:-bottom-2 [&>svg]:size-4'

export function InlineEdit({ editLabel, isTight = false, children, after, ...field }: InlineEditProps) {
  const [isEditing, setEditing] = useState(false)
  const pencil = useRef<HTMLSpanElement>(null)
  const leave = () => {
    setEditing(false)
    // The field vanishes together with the focus, so the pencil gets the focus.
    requestAnimationFrame(() => pencil.current?.querySelector('button')?.focus())
  }
  if (isEditing) return <EditField {...field} onLeave={leave} />
  return (
    <span className={classNames('flex min-w-0 items-center gap-1.5', !isTight && 'relative')}>
      {children}
      <span ref={pencil} className="contents">
        <IconButton
          icon={Pencil}
          label={editLabel}
          look={isTight ? TIGHT : AFTER_WORDS}
          onClick={() => setEditing(true)}
        />
      </span>
      {after}
    </span>
  )
}

type EditFieldProps = Omit<InlineEditProps, 'editLabel' | 'isTight' | 'children' | 'after'> & {
  onLeave: () => void
}

function EditField({ value, label, maxLength, onSave, onLeave }: EditFieldProps) {
  const [text, setText] = useState(value)
  const keep = () => {
    const trimmed = text.trim()
    if (trimmed !== value.trim()) onSave(trimmed)
    onLeave()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape and Enter must not reach the dialog around the field, which Escape would close.
    if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault()
    if (event.key === 'Escape') onLeave()
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) keep()
  }
  return (
    <span className="flex min-w-0 grow items-center gap-1 rounded-md shadow-input focus-within:shadow-input-focus">
      <input
        // The user pressed the pencil in order to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        aria-label={label}
        maxLength={maxLength}
        enterKeyHint="done"
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        className="min-h-11 min-w-0 grow rounded-md bg-transparent pl-3 text-16 text-text shadow-none! outline-none"
      />
      <IconButton icon={Check} label={SAVE} onClick={keep} />
    </span>
  )
}
