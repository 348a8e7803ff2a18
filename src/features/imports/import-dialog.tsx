// 'Importar lista': the file, what each of its columns is, where the leads go, and how the first rows will come in.
import { countOf } from '#domain/count.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { LIST_FIELDS } from '#domain/lead/list/row.ts'
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { bringIn, type Destination } from './data.ts'
import { ColumnFields } from './column-fields.tsx'
import { DestinationField } from './destination-field.tsx'
import { FileChoice } from './file-choice.tsx'
import type { ListHead, FileFault } from './list-protocol.ts'
import { UnreadableFile } from './list-protocol.ts'
import { type ListReader, openListReader } from './list-reader.ts'
import { Preview } from './preview.tsx'
import { fileTitle, IMPORT, sentText } from './texts.ts'

const FILE_FAULT = {
  large: 'O arquivo passa de 20 MB. Divida a lista.',
  unpacked: 'A planilha passa de 20 MB depois de aberta. Divida a lista ou salve como CSV.',
  far: 'A planilha tem algo escrito muito longe da lista. Exclua isso, ou salve como CSV.',
  rows: 'A lista passa de 50 mil linhas. Divida em mais de um arquivo.',
  empty: 'Não há nenhuma linha neste arquivo.',
  kind: 'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  broken: 'Não foi possível ler o arquivo. Salve de novo como CSV e tente outra vez.',
} as const satisfies Record<FileFault, string>

const importCount = (count: number) => `Importar ${countOf(count, 'lead', 'leads')}`

export type ImportDialogProps = {
  isOpen: boolean
  /** Of another feature. */
  rotations: readonly { id: number; name: string }[]
  onClose: () => void
}

export function ImportDialog({ isOpen, onClose, rotations }: ImportDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={IMPORT} width="wide">
      <ImportSteps rotations={rotations} onDone={onClose} />
    </Dialog>
  )
}

type Chosen = { file: File; reader: ListReader; head: ListHead; id: string }
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

/** By a worker of its own: one that goes with the dialog's effects may be gone before a file chosen at once is read. */
async function readList(file: File): Promise<Chosen> {
  const reader = openListReader()
  try {
    return { file, reader, head: await reader.read(file), id: newOperationId() }
  } catch (error) {
    reader.close()
    throw error
  }
}

type MappingProps = StepsProps & { chosen: Chosen; onBack: () => void }

function Mapping({ chosen: { file, reader, head, id }, rotations, onBack, onDone }: MappingProps) {
  const isOnline = useIsOnline()
  const [map, setMap] = useState<ColumnMap>(head.guess)
  const [destination, setDestination] = useState<Destination>({ destination: 'inbox' })
  const [development, setDevelopment] = useState('')
  const [sent, setSent] = useState(0)
  const checked = useQuery({
    queryKey: ['import-check', id, LIST_FIELDS.map((field) => map[field] ?? null)],
    queryFn: () => reader.check(map),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: (before) => before,
  }).data
  const { mutate, isPending, error } = useMutation({ ...bringIn(), onSuccess: onDone })
  const isNothing = checked?.good === 0
  const submit = () => {
    setSent(0)
    mutate({
      id,
      fileName: file.name.slice(-200),
      total: head.total,
      destination,
      development,
      reader,
      map,
      onSent: setSent,
    })
  }
  return (
    <div className="flex flex-col gap-5 px-3">
      <p className="text-14 wrap-anywhere text-text-2">{fileTitle(file.name, head.total)}</p>
      <ColumnFields head={head} map={map} isDisabled={isPending} onChange={setMap} />
      <div className="grid gap-4 md:grid-cols-2">
        <DestinationField
          rotations={rotations}
          value={destination}
          isDisabled={isPending}
          onChange={setDestination}
        />
        <TextField
          label="Empreendimento de quem não tem"
          value={development}
          maxLength={120}
          autoComplete="off"
          disabled={isPending}
          onChange={({ target }) => setDevelopment(target.value)}
        />
      </div>
      {checked && <Preview checked={checked} />}
      <p className="text-13 leading-body text-text-3">
        Ninguém recebe mensagem, oferta ou aviso. Quem já é lead continua onde está. Dá para desfazer em 24
        horas.
      </p>
      {isPending && <ProgressBar label={IMPORT} ratio={sent / head.total} />}
      <p role="alert" className="text-13 text-danger empty:hidden">
        {isNothing
          ? 'Nenhuma linha pode virar lead. Confira a coluna do telefone.'
          : error &&
            (error.message ||
              'O envio parou. Confira a internet e tente de novo: o que já foi não se repete.')}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <FormActions onCancel={onBack} cancelLabel="Outro arquivo">
        <Button
          disabled={!isOnline || !checked || isNothing}
          busy={isPending && sentText(sent, head.total)}
          onClick={submit}
        >
          {importCount(checked?.good ?? 0)}
        </Button>
      </FormActions>
    </div>
  )
}
