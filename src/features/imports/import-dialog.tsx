// 'Importar lista': the file, its columns, the leads' destination, and the result of the check.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FileChoice } from './file-choice.tsx'
import { type FileFault, UnreadableFile } from './list-protocol.ts'
import { openListReader } from './list-reader.ts'
import { Mapping } from './mapping.tsx'
import { IMPORT } from './texts.ts'
import type { Chosen } from './use-mapping.ts'

const FILE_FAULT = {
  large: 'O arquivo passa de 20 MB. Divida a lista.',
  unpacked: 'A planilha passa de 96 MB depois de aberta. Divida a lista ou salve como CSV.',
  far: 'A planilha tem algo escrito muito longe da lista. Exclua isso, ou salve como CSV.',
  rows: 'A lista passa de 50 mil linhas. Divida em mais de um arquivo.',
  empty: 'Não há nenhuma linha neste arquivo.',
  xls: 'Este é um XLS, o formato antigo do Excel. Abra no Excel, use Salvar como e escolha XLSX.',
  numbers: 'Este é um arquivo do Numbers. Abra no Numbers e use Arquivo, Exportar para, Excel ou CSV.',
  protected: 'Esta planilha tem senha. Abra, tire a senha e salve de novo como XLSX.',
  page: 'Este arquivo é uma página com nome de planilha. Abra no Excel e salve como XLSX.',
  kind: 'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  broken: 'Não foi possível ler o arquivo. Salve de novo como CSV e tente outra vez.',
} as const satisfies Record<FileFault, string>

export type ImportDialogProps = {
  isOpen: boolean
  /** Rotations to choose as destination. */
  rotations: readonly { id: number; name: string }[]
  onClose: () => void
}

export function ImportDialog({ isOpen, onClose, rotations }: ImportDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={IMPORT} width="full">
      <ImportSteps rotations={rotations} onDone={onClose} />
    </Dialog>
  )
}

type StepsProps = Pick<ImportDialogProps, 'rotations'> & { onDone: () => void }

function ImportSteps({ rotations, onDone }: StepsProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  useEffect(() => () => chosen?.reader.close(), [chosen])
  const { mutate, isPending, error } = useMutation({
    mutationFn: readList,
    onSuccess: (list) => (isHere.current ? setChosen(list) : list.reader.close()),
  })
  const fault = error instanceof UnreadableFile ? error.fault : error && 'broken'
  if (chosen)
    return (
      <Mapping
        key={chosen.id}
        chosen={chosen}
        rotations={rotations}
        onBack={() => setChosen(null)}
        onDone={onDone}
      />
    )
  return <FileChoice isReading={isPending} fault={fault ? FILE_FAULT[fault] : null} onFile={mutate} />
}

/**
 * Starts a worker per read. A worker that an effect of the dialog owns might end before a file chosen at once is read.
 */
async function readList(file: File): Promise<Chosen> {
  const reader = openListReader()
  try {
    return { file, reader, head: await reader.read(file), id: newOperationId() }
  } catch (error) {
    reader.close()
    throw error
  }
}
