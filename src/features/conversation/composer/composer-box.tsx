// The message box: it grows with its text up to a limit; Enter sends where there is a physical keyboard.
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react'
import type { LimitedField } from '#ui/forms/letters-left.ts'
import { useMedia } from '#ui/media.ts'

/** A mouse implies a physical keyboard; on a phone Enter makes a new line. */
const DESK = '(hover: hover) and (pointer: fine)'

type ComposerBoxProps = {
  ref: Ref<HTMLTextAreaElement>
  label: string
  /** The placeholder. If undefined, the box shows its label in its place. */
  placeholder: string | undefined
  /** The id of the element that describes the box to screen readers. */
  hintId: string
  limited: LimitedField
  text: string
  onText: (text: string) => void
  onSend: () => void
  onFiles: (files: readonly File[]) => void
  /** Called on Escape instead of closing the conversation; undefined if Escape closes it. */
  onEscape: (() => void) | undefined
}

export function ComposerBox({
  ref,
  label,
  placeholder = label,
  limited,
  text,
  onSend,
  onFiles,
  onEscape,
  ...rest
}: ComposerBoxProps) {
  const isDesk = useMedia(DESK)
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes an accent or a word, it handles all keys.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && isDesk && !event.shiftKey) {
      event.preventDefault()
      onSend()
    }
    if (event.key === 'Escape' && onEscape) {
      event.preventDefault()
      onEscape()
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    limited.onPaste(event)
    const files = [...event.clipboardData.files]
    // Clipboards with text from a document also hold a picture of that text, which the box ignores.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  }
  const shared = 'col-start-1 row-start-1 px-4 py-2.75 text-16 leading-[1.375rem] wrap-anywhere lg:text-15'
  return (
    // An invisible copy of the text gives the grid, and so the box, its height.
    <div className="grid max-h-40 min-w-0 grow basis-0 overflow-y-auto rounded-[1.375rem] bg-surface-2 focus-within:shadow-input-focus">
      <span aria-hidden className={`invisible whitespace-pre-wrap ${shared}`}>
        {`${text} `}
      </span>
      <textarea
        ref={ref}
        rows={1}
        value={text}
        aria-label={label}
        placeholder={placeholder}
        {...limited}
        aria-describedby={rest.hintId}
        autoComplete="off"
        autoCapitalize="sentences"
        enterKeyHint={isDesk ? 'send' : 'enter'}
        onChange={({ target }) => rest.onText(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className={`min-h-11 w-full min-w-0 resize-none overflow-hidden rounded-[1.375rem] bg-transparent shadow-none! outline-none placeholder:text-text-3 ${shared}`}
      />
    </div>
  )
}
