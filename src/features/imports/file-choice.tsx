// The first step of 'Importar lista': the user chooses a file or drops one.
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#ui/primitives/button.tsx'

const CHOOSE_FILE = 'Escolher arquivo'
/** Includes some formats that the portal cannot read. Their error message tells how to convert them. */
const ACCEPTED = '.xlsx,.csv,.txt,.tsv,.vcf,.ods,.xls,.numbers,text/csv,text/plain,text/vcard'

type FileChoiceProps = { isReading: boolean; fault: string | null; onFile: (file: File) => void }

export function FileChoice({ isReading, fault, onFile }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !isReading) onFile(file)
  }
  return (
    // Dropping a file is optional, because the button does the same.
    <div
      className="flex flex-col items-center gap-3 px-3 py-6 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
    >
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        aria-label={CHOOSE_FILE}
        hidden
        onChange={({ target }) => {
          take(target.files)
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
      <Button icon={FileUp} busy={isReading && 'Lendo o arquivo...'} onClick={() => input.current?.click()}>
        {CHOOSE_FILE}
      </Button>
      <p className="text-14 leading-body text-text-3">
        Planilha (XLSX, ODS, CSV) ou contatos do celular (VCF), até 50 mil linhas e 20 MB.
      </p>
      <p role="alert" className="text-14 text-danger empty:hidden">
        {fault}
      </p>
    </div>
  )
}
