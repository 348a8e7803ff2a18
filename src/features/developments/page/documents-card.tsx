// 'Documentos e local': price table, book, drawings, memorial, and the place that a location message sends.
import { BookOpen, FileText, LayoutPanelLeft, MapPin, Plus, ScrollText, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { DevelopmentFile, DevelopmentFileKind } from '#domain/development/development.ts'
import { addedOn } from '#domain/development/edit.ts'
import { formatSize } from '#domain/format.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { Card } from '#ui/primitives/card.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'
import type { Uploading } from './use-uploads.ts'

type DocumentKind = Exclude<DevelopmentFileKind, 'foto'>
type Document = DevelopmentFile & { kind: DocumentKind }
const KINDS: readonly DocumentKind[] = ['tabela', 'book', 'planta', 'memorial']
const KIND = {
  tabela: { label: 'Tabela de vendas', icon: FileText, accept: 'application/pdf' },
  book: { label: 'Book', icon: BookOpen, accept: 'application/pdf' },
  planta: { label: 'Desenho de planta', icon: LayoutPanelLeft, accept: 'image/jpeg,image/png,image/webp' },
  memorial: { label: 'Memorial descritivo', icon: ScrollText, accept: 'application/pdf' },
}

const isDocument = (file: DevelopmentFile): file is Document => file.kind !== 'foto'
const nameOf = ({ kind, title, fileName }: Document) =>
  title ?? (kind === 'planta' ? fileName : KIND[kind].label)

type DocumentsCardProps = {
  draft: DevelopmentDraft
  uploading: readonly Uploading[]
  isOff: boolean
  onFiles: (files: readonly File[], kind: DocumentKind) => void
}

export function DocumentsCard({ draft, uploading, isOff, onFiles }: DocumentsCardProps) {
  const { edit, change } = draft
  const remove = ({ id }: Document) =>
    change({
      media: edit.media.filter((file) => file.id !== id),
      removedMedia: [...edit.removedMedia, id],
      plans: edit.plans.map((plan) => (plan.drawingId === id ? { ...plan, drawingId: null } : plan)),
    })
  return (
    <Card title="Documentos e local" action={<AddDocument isOff={isOff} onFiles={onFiles} />}>
      <ul>
        {edit.media.filter(isDocument).map((file) => (
          <DocumentRow key={file.id} file={file} isOff={isOff} onRemove={() => remove(file)} />
        ))}
        {uploading.map(({ key, name, ratio }) => (
          <li key={key} className="flex flex-col gap-2 px-5 py-3 border-t border-border">
            <span className="truncate text-13 text-text-3">{name}</span>
            <ProgressBar label={`Enviando ${name}`} ratio={ratio} />
          </li>
        ))}
      </ul>
      <PlaceFields draft={draft} isOff={isOff} />
    </Card>
  )
}

function AddDocument({ isOff, onFiles }: Pick<DocumentsCardProps, 'isOff' | 'onFiles'>) {
  const inputId = useId()
  const [spot, setSpot] = useState<Spot | null>(null)
  const pick = (kind: DocumentKind) => {
    setSpot(null)
    document.getElementById(`${inputId}-${kind}`)?.click()
  }
  return (
    <>
      <Button
        variant="soft"
        size="small"
        icon={Plus}
        disabled={isOff}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          setSpot({ x: left, y: bottom })
        }}
      >
        Arquivo
      </Button>
      {KINDS.map((kind) => (
        <input
          key={kind}
          id={`${inputId}-${kind}`}
          type="file"
          hidden
          multiple={kind === 'planta'}
          accept={KIND[kind].accept}
          aria-label={KIND[kind].label}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])], kind)
            target.value = ''
          }}
        />
      ))}
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title="Arquivo"
        spot={spot ?? { x: 0, y: 0 }}
        actions={KINDS.map((kind) => ({ ...KIND[kind], run: () => pick(kind) }))}
      />
    </>
  )
}

type DocumentRowProps = { file: Document; isOff: boolean; onRemove: () => void }

function DocumentRow({ file, isOff, onRemove }: DocumentRowProps) {
  const facts = [
    file.mimeType === 'application/pdf' ? 'PDF' : 'Imagem',
    formatSize(file.sizeBytes),
    addedOn(file.addedAt),
  ]
  return (
    <li className="flex min-h-15 items-center gap-3.5 px-5 py-2 border-t border-border">
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-surface-2">
        <Icon of={KIND[file.kind].icon} size={18} />
      </span>
      <span className="min-w-0 grow">
        <span className="block truncate text-15 font-semibold">{nameOf(file)}</span>
        <span className="block text-13 text-text-3">{facts.join(' · ')}</span>
      </span>
      <IconButton icon={Trash2} label={`Tirar ${nameOf(file)}`} disabled={isOff} onClick={onRemove} />
    </li>
  )
}

const PLACE_FIELDS = [
  { name: 'placeName', label: 'Nome do local', placeholder: 'Estande de vendas', maxLength: 120 },
  { name: 'address', label: 'Endereço', placeholder: undefined, maxLength: 200 },
  { name: 'point', label: 'Ponto no mapa', placeholder: '-23.5505, -46.6333', maxLength: 60 },
] as const

function PlaceFields({ draft, isOff }: { draft: DevelopmentDraft; isOff: boolean }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-4 px-5 py-5 border-t border-border">
      <span className="col-span-full flex items-center gap-2 text-14 font-semibold">
        <Icon of={MapPin} size={18} />
        Local
      </span>
      {PLACE_FIELDS.map(({ name, ...field }) => (
        <TextField
          key={name}
          {...field}
          value={draft.edit[name]}
          readOnly={isOff}
          autoComplete="off"
          error={draft.faults.get(name)}
          onChange={({ target }) => draft.change({ [name]: target.value })}
        />
      ))}
    </div>
  )
}
