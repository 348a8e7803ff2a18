// The text box for a campaign's message. It highlights {nome}, inserts it at the cursor, and can take a file.
import { countOf, formatNumber } from '#domain/count.ts'
import { Paperclip, UserRoundPlus } from 'lucide-react'
import { type ChangeEvent, type ClipboardEvent, useId, useRef } from 'react'
import { DOCUMENTS_AND_SOUND, PICTURES_AND_VIDEOS } from '#domain/message/media.ts'
import { NAME_PLACEHOLDER } from '#domain/message/placeholder.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { NamedText } from './named-text.tsx'

const characters = (count: number) => countOf(count, 'caractere', 'caracteres')

const ATTACH = 'Anexar mídia'

const ANY_FILE = [PICTURES_AND_VIDEOS, DOCUMENTS_AND_SOUND].join()

type MessageFieldProps = {
  text: string
  onText: (text: string) => void
  onFile: (file: File) => void
  /** The most characters that the text may have. Null as long as the text is short enough. */
  most: number | null
}

export function MessageField({ text, onText, onFile, most }: MessageFieldProps) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const insertName = () => {
    const area = box.current
    const [from, to] = [area?.selectionStart ?? text.length, area?.selectionEnd ?? text.length]
    onText(text.slice(0, from) + NAME_PLACEHOLDER + text.slice(to))
    area?.focus()
    // When the new text is in the box, the cursor goes behind the inserted name.
    const behind = from + NAME_PLACEHOLDER.length
    requestAnimationFrame(() => area?.setSelectionRange(behind, behind))
  }
  const takePasted = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files
    // A text copied from a document also brings a picture of itself, which must not become the campaign's file.
    if (!file || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    onFile(file)
  }
  const shared =
    'col-start-1 row-start-1 px-4 pt-3.5 pb-1 text-16 leading-body whitespace-pre-wrap wrap-anywhere lg:text-15'
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="text-14 font-medium">
          Mensagem
        </label>
        <span
          id={`${id}-count`}
          className={classNames('text-13 tabular-nums', most === null ? 'text-text-3' : 'text-danger')}
        >
          {characters(text.length)}
          {most !== null && ` · máximo ${formatNumber(most)}`}
        </span>
      </div>
      <div
        className={classNames(
          'rounded-md bg-surface focus-within:shadow-input-focus lg:rounded-ctl',
          most === null ? 'shadow-input' : 'shadow-input-error',
        )}
      >
        {/* A hidden copy of the text gives the box its height, and highlights the names in it. */}
        <div className="grid max-h-[50dvh] min-h-28 overflow-y-auto">
          <span aria-hidden className={classNames('text-transparent', shared)}>
            <NamedText text={`${text} `} isBehind />
          </span>
          <textarea
            ref={box}
            id={id}
            value={text}
            placeholder="Escreva o que todos vão receber"
            aria-invalid={most !== null}
            aria-describedby={`${id}-count`}
            autoComplete="off"
            autoCapitalize="sentences"
            onChange={({ target }) => onText(target.value)}
            onPaste={takePasted}
            className={classNames(
              'relative min-w-0 resize-none overflow-hidden bg-transparent shadow-none! outline-none placeholder:text-text-3',
              shared,
            )}
          />
        </div>
        <Tools onName={insertName} onFile={onFile} />
      </div>
    </div>
  )
}

type ToolsProps = Pick<MessageFieldProps, 'onFile'> & { onName: () => void }

function Tools({ onName, onFile }: ToolsProps) {
  const picker = useRef<HTMLInputElement>(null)
  const takeFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file) onFile(file)
    // Clearing the value lets the user choose the same file again.
    target.value = ''
  }
  return (
    <div className="flex items-center justify-between gap-2 px-2 pb-2">
      <Button
        variant="soft"
        size="small"
        icon={UserRoundPlus}
        // Without this, a press would take the focus from the text box and close the on-screen keyboard.
        onPointerDown={(event) => event.preventDefault()}
        onClick={onName}
      >
        Inserir Nome
      </Button>
      <IconButton icon={Paperclip} label={ATTACH} onClick={() => picker.current?.click()} />
      <input ref={picker} type="file" hidden accept={ANY_FILE} aria-label={ATTACH} onChange={takeFile} />
    </div>
  )
}
