// 'Importar gastos': imports the spend from a file of Meta, Google or a spreadsheet, after a preview.
import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { decodeText } from '#domain/lead/list/read-csv.ts'
import type { Decimal } from '#domain/origins/amounts.ts'
import { readSpendFile, type SpendFile } from '#domain/origins/spend-file.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { CANCEL, ONLINE_ONLY } from '#ui/texts.ts'
import { type ImportedSpend, importSpend } from './data.ts'
import { SpendPreview } from './preview.tsx'
import { FILE_FAULT, refusalText } from './texts.ts'

const MAX_BYTES = 10 * 1024 * 1024
const CHOOSE = 'Escolher arquivo'

type Chosen = { name: string; text: string }

export function ImportDialog({
  isOpen,
  today,
  onClose,
}: {
  isOpen: boolean
  today: string
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [decimal, setDecimal] = useState<Decimal | undefined>()
  const [fault, setFault] = useState<string | null>(null)
  const send = useMutation(importSpend())
  const file = chosen && readSpendFile(chosen.text, decimal)
  const close = () => {
    setChosen(null)
    setDecimal(undefined)
    setFault(null)
    send.reset()
    onClose()
  }
  const read = async (from: File) => {
    setDecimal(undefined)
    send.reset()
    setFault(null)
    if (from.size > MAX_BYTES) {
      setChosen(null)
      setFault('Este arquivo passa de 10 MB.')
      return
    }
    setChosen({ name: from.name, text: decodeText(new Uint8Array(await from.arrayBuffer())) })
  }
  const isRead = file !== null && !('fault' in file)
  return (
    <Dialog isOpen={isOpen} onClose={close} width="wide" title="Importar gastos" subtitle={chosen?.name}>
      <div className="flex flex-col gap-4 px-3 pt-1 md:px-3">
        {!isRead && (
          <FileChoice
            fault={fault ?? (file && 'fault' in file ? FILE_FAULT[file.fault] : null)}
            onFile={read}
          />
        )}
        {file && 'fault' in file && file.fault === 'decimal' && <DecimalChoice onChoose={setDecimal} />}
        {isRead && (
          <Read
            file={file}
            today={today}
            sent={send.data ?? null}
            fault={send.error?.message ?? null}
            isSending={send.isPending}
            onSend={() =>
              send.mutate(file.lines, {
                onSuccess: ({ saved, refused }) => {
                  if (refused.length > 0) return
                  toast(`${countOf(saved, 'gasto importado', 'gastos importados')}.`, 'success')
                  close()
                },
              })
            }
            onOther={() => setChosen(null)}
            onClose={close}
          />
        )}
      </div>
    </Dialog>
  )
}

function FileChoice({ fault, onFile }: { fault: string | null; onFile: (file: File) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) void onFile(file)
  }
  return (
    // The file can be dropped here, too; the button does the same.
    <div
      className="flex flex-col items-center gap-3 py-5 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
    >
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        aria-label={CHOOSE}
        hidden
        onChange={({ target }) => {
          take(target.files)
          // Cleared, so that the same file can be chosen again.
          target.value = ''
        }}
      />
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        {CHOOSE}
      </Button>
      <p className="text-14 leading-body text-text-3">
        CSV do Gerenciador de Anúncios da Meta ou do Google Ads, como exportado, ou com as colunas
        mes;origem;campanha;gasto. O mesmo arquivo de novo troca os valores, nunca soma.
      </p>
      <p role="alert" className="text-14 text-danger empty:hidden">
        {fault}
      </p>
    </div>
  )
}

function DecimalChoice({ onChoose }: { onChoose: (decimal: Decimal) => void }) {
  return (
    <div className="flex flex-wrap justify-center gap-2 pb-2">
      <Button variant="line" onClick={() => onChoose(',')}>
        1.234 são mil e tantos
      </Button>
      <Button variant="line" onClick={() => onChoose('.')}>
        1.234 é um e pouco
      </Button>
    </div>
  )
}

type ReadProps = {
  file: SpendFile
  today: string
  sent: ImportedSpend | null
  fault: string | null
  isSending: boolean
  onSend: () => void
  onOther: () => void
  onClose: () => void
}

function Read({ file, today, sent, fault, isSending, onSend, onOther, onClose }: ReadProps) {
  const isOnline = useIsOnline()
  if (sent)
    return (
      <>
        <output className="text-15">
          {`${countOf(sent.saved, 'gasto importado', 'gastos importados')}; ${countOf(sent.refused.length, 'recusado', 'recusados')}:`}
        </output>
        <ul className="flex flex-col gap-1 text-14 text-text-2">
          {sent.refused.map(({ place, reason }) => (
            <li key={place}>{refusalText(file.lines[place], reason, today)}</li>
          ))}
        </ul>
        <div className="flex justify-end pb-1">
          <Button onClick={onClose}>Fechar</Button>
        </div>
      </>
    )
  return (
    <>
      <SpendPreview file={file} today={today} />
      <p role="alert" className="text-14 text-danger empty:hidden">
        {fault}
      </p>
      <div className="flex flex-wrap justify-end gap-2 pb-1">
        <Button variant="ghost" onClick={onClose}>
          {CANCEL}
        </Button>
        <Button variant="line" onClick={onOther}>
          Outro arquivo
        </Button>
        <Button
          disabled={!isOnline || file.lines.length === 0}
          title={isOnline ? undefined : ONLINE_ONLY}
          busy={isSending && 'Importando...'}
          onClick={onSend}
        >
          {`Importar ${countOf(file.lines.length, 'gasto', 'gastos')}`}
        </Button>
      </div>
    </>
  )
}
