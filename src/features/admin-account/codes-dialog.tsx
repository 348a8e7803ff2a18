// Shows the recovery codes once: to copy, or to save as a file.
import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { copyText } from '#ui/clipboard.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { download } from '#ui/download.ts'

const CODES_TITLE = 'Códigos de recuperação'

type CodesDialogProps = { codes: readonly string[] | null; onClose: () => void }

export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  return (
    <Dialog isOpen={codes !== null} onClose={onClose} title={CODES_TITLE}>
      {codes && <Codes codes={codes} onClose={onClose} />}
    </Dialog>
  )
}

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [word, setWord] = useState<string | null>(null)
  const copy = async () =>
    setWord(
      (await copyText(codes.join('\n')))
        ? 'Códigos copiados.'
        : 'Não foi possível copiar. Selecione os códigos e copie.',
    )
  const save = () =>
    download('codigos-de-recuperacao.txt', `${CODES_TITLE}\n\n${codes.join('\n')}\n`, 'text/plain')
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p className="leading-body text-text-2">
        Guarde estes códigos fora do celular. Cada um entra uma vez no lugar do código do aplicativo. Eles não
        serão mostrados de novo.
      </p>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-lg bg-surface-2 px-5 py-4 font-semibold tracking-wide tabular-nums select-all min-[360px]:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="grid grid-cols-2 gap-2">
        <Button variant="line" icon={Copy} onClick={() => void copy()}>
          Copiar
        </Button>
        <Button variant="line" icon={Download} onClick={save}>
          Baixar
        </Button>
      </div>
      <output className="block text-13 text-text-2 empty:hidden">{word}</output>
      <Button onClick={onClose}>Guardei os códigos</Button>
    </div>
  )
}
