// 'Fotos': a development's photos in the order of sending; the first one is the cover. They are moved by drag or arrow
// keys.
import { useQuery } from '@tanstack/react-query'
import { ImagePlus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { DevelopmentFile } from '#domain/development/development.ts'
import { announce } from '#ui/feedback/toast.ts'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { filesQuery } from '#data/development-files.ts'
import { Picture } from '../picture.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { Order, stepByKey, useOrdered } from './order.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'
import type { Uploading } from './use-uploads.ts'

type PhotosCardProps = {
  draft: DevelopmentDraft
  uploading: readonly Uploading[]
  isOff: boolean
  onFiles: (files: readonly File[]) => void
}

const isPhoto = ({ kind }: { kind: string }) => kind === 'foto'

export function PhotosCard({ draft, uploading, isOff, onFiles }: PhotosCardProps) {
  const inputId = useId()
  const { media } = draft.edit
  const photos = media.filter(isPhoto)
  const { data: urls = {} } = useQuery(
    filesQuery(
      photos.map(({ id }) => id),
      true,
    ),
  )
  const order = (ordered: readonly DevelopmentFile[]) =>
    draft.change({ media: [...ordered, ...media.filter((file) => !isPhoto(file))] })
  return (
    <Card
      title="Fotos"
      note={photos.length > 0 ? `${photos.length} · arraste para ordenar` : undefined}
      action={
        <>
          <Button
            variant="soft"
            size="small"
            icon={ImagePlus}
            disabled={isOff}
            onClick={() => document.getElementById(inputId)?.click()}
          >
            Fotos
          </Button>
          <input
            id={inputId}
            type="file"
            hidden
            multiple
            accept="image/jpeg,image/png,image/webp"
            aria-label="Fotos"
            onChange={({ target }) => {
              onFiles([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </>
      }
    >
      {photos.length === 0 && uploading.length === 0 && (
        <p className="px-5 pb-5 text-14 text-text-2">JPG, PNG ou WebP de até 8 MB. A primeira é a capa.</p>
      )}
      <Order rows={photos} keyOf={({ id }) => String(id)} onOrder={order}>
        <ol className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-3 px-5 pb-5 empty:hidden">
          {photos.map((photo, at) => (
            <Tile
              key={photo.id}
              photo={photo}
              at={at}
              photos={photos}
              url={urls[photo.id]}
              isOff={isOff}
              onOrder={order}
              onRemove={() => {
                draft.change({
                  media: media.filter(({ id }) => id !== photo.id),
                  removedMedia: [...draft.edit.removedMedia, photo.id],
                })
                announce('Foto tirada. Vale quando você salvar.')
              }}
            />
          ))}
          {uploading.map(({ key, name, ratio }) => (
            <li
              key={key}
              className="flex aspect-4/3 flex-col justify-end gap-2 rounded-md bg-surface-2 p-2.5"
            >
              <span className="truncate text-12 text-text-3">{name}</span>
              <ProgressBar label={`Enviando ${name}`} ratio={ratio} />
            </li>
          ))}
        </ol>
      </Order>
    </Card>
  )
}

type TileProps = {
  photo: DevelopmentFile
  at: number
  photos: readonly DevelopmentFile[]
  url: string | undefined
  isOff: boolean
  onOrder: (photos: DevelopmentFile[]) => void
  onRemove: () => void
}

function Tile({ photo, at, photos, url, isOff, onOrder, onRemove }: TileProps) {
  const { ref, style, listeners, isDragging, isAimedAt } = useOrdered(String(photo.id), isOff)
  const nameOf = ({ fileName }: DevelopmentFile) => fileName
  return (
    <li
      ref={ref}
      style={style}
      className={classNames(
        'group relative aspect-4/3 rounded-md',
        isDragging && 'shadow-lift',
        isAimedAt && 'outline-2 outline-primary',
      )}
    >
      <button
        type="button"
        disabled={isOff}
        aria-label={`${nameOf(photo)}, ${at + 1}ª de ${photos.length}${at === 0 ? ', capa' : ''}. Setas mudam a ordem.`}
        onKeyDown={(event) => stepByKey(event, { rows: photos, at, nameOf, onOrder })}
        className="block size-full cursor-grab touch-manipulation rounded-md"
        {...listeners}
      >
        <Picture url={url} className="size-full rounded-md!" />
      </button>
      {at === 0 && (
        <span className="pointer-events-none absolute bottom-1.5 left-1.5 rounded-full bg-banner px-2 text-12 text-on-banner">
          Capa
        </span>
      )}
      <span className="absolute top-1 right-1 rounded-full bg-surface/85">
        <IconButton
          icon={Trash2}
          label={`Tirar ${nameOf(photo)}`}
          variant="quietSmall"
          disabled={isOff}
          onClick={onRemove}
        />
      </span>
    </li>
  )
}
