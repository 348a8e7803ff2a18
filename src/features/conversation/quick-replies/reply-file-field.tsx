// The file field of a quick reply's form: choose a file, see its name, remove it.
import { FileText, Paperclip, X } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { prepareFile, type Refused } from '#data/messages/prepare-file.ts'
import { DOCUMENTS_AND_SOUND, FILE_REFUSED, PICTURES_AND_VIDEOS } from '#domain/message/media.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { REMOVE_FILE } from '../ground/texts.ts'
import type { WantedFile } from './data.ts'

type ReplyFileFieldProps = {
  /** The file's name; null if the reply has no file. */
  name: string | null
  /** Passes the chosen file; null removes the present one. */
  onFile: (file: WantedFile) => void
}

export function ReplyFileField({ name, onFile }: ReplyFileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Allows choosing the same file again.
    target.value = ''
    if (!file) return
    const ready = await prepareFile(file)
    setRefused(typeof ready === 'string' ? ready : null)
    if (typeof ready !== 'string') onFile(ready)
  }
  return (
    <div className="flex flex-col gap-1.5">
      {name === null ? (
        <Button variant="line" icon={Paperclip} onClick={() => input.current?.click()}>
          Anexar arquivo
        </Button>
      ) : (
        <div className="flex items-center gap-2 rounded-md bg-surface-2 pl-4">
          <Icon of={FileText} className="text-text-2" />
          <span className="min-w-0 grow truncate text-15">{name}</span>
          <IconButton icon={X} label={REMOVE_FILE} onClick={() => onFile(null)} />
        </div>
      )}
      <p className="text-13 text-text-3">
        {name === null
          ? 'Por exemplo a tabela em PDF: vai junto, sem subir de novo.'
          : 'O texto vai como legenda.'}
      </p>
      <p role="alert" className="text-13 text-danger empty:hidden">
        {refused && FILE_REFUSED[refused]}
      </p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Anexar arquivo"
        accept={[PICTURES_AND_VIDEOS, DOCUMENTS_AND_SOUND].join()}
        onChange={(event) => void take(event)}
      />
    </div>
  )
}
