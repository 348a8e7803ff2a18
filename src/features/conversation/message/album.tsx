// Photos sent together, as a grid of up to four; each opens in the gallery and has its own menu.
import { useQuery } from '@tanstack/react-query'
import { Download, Play } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { usePhotosLoad } from '#data/messages/auto-photos.ts'
import { mediaQuery } from '#data/messages/messages.ts'
import type { Media, Message } from '#domain/message/message.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { previewOf } from './loaded-media.tsx'
import { MessageText } from './message-text.tsx'
import type { OpenMessageMenu } from './message-menu.tsx'
import { ShowPhoto } from './photo-place.tsx'
import { useLongPress } from './use-long-press.ts'

const SHOWN = 4

type AlbumProps = {
  photos: readonly Message[]
  onMenu: (menu: OpenMessageMenu) => void
  /** Renders the time of the last photo; `isOver` is true if it lies over the grid instead of below a caption. */
  children: (last: Message, isOver: boolean) => ReactNode
}

export function Album({ photos, onMenu, children }: AlbumProps) {
  const show = use(ShowPhoto)
  const shown = photos.slice(0, SHOWN)
  const caption = photos.find(({ body }) => body !== '')?.body ?? ''
  const last = photos.at(-1)
  return (
    <>
      <fieldset
        aria-label={`Álbum, ${photos.length} fotos`}
        className="album relative overflow-hidden rounded-tab"
      >
        {shown.map((photo, at) => (
          <Tile
            key={photo.id}
            photo={photo}
            label={labelOf(at, photos.length)}
            // With three photos the first spans both columns.
            isWide={shown.length === 3 && at === 0}
            more={at === SHOWN - 1 ? photos.length - SHOWN : 0}
            onOpen={() => show?.({ photos, at })}
            onMenu={onMenu}
          />
        ))}
        {caption === '' && last && children(last, true)}
      </fieldset>
      {caption !== '' && last && (
        <div className="album-caption px-2 pt-1.5">
          <MessageText body={caption}>{children(last, false)}</MessageText>
        </div>
      )}
    </>
  )
}

function labelOf(at: number, count: number): string {
  const more = at === SHOWN - 1 && count > SHOWN ? `, mais ${count - SHOWN}` : ''
  return `Foto ${at + 1} de ${count}${more}`
}

type TileProps = Pick<AlbumProps, 'onMenu'> & {
  photo: Message
  label: string
  isWide: boolean
  /** The number of hidden photos. */
  more: number
  onOpen: () => void
}

function Tile({ photo, label, isWide, more, onOpen, onMenu }: TileProps) {
  const press = useLongPress((spot) => onMenu({ message: photo, spot }))
  const media = mediaOf(photo)
  const isFilm = photo.content.kind === 'video'
  const isAuto = usePhotosLoad() && !isFilm
  const { data, refetch } = useQuery({ ...mediaQuery(photo.id), enabled: isAuto, staleTime: Infinity })
  const src = isFilm ? undefined : data?.url
  const preview = media === null ? undefined : previewOf(media)
  const sign = isFilm ? Play : src === undefined ? Download : null
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onOpen}
      {...press}
      data-wide={isWide || undefined}
      className="relative overflow-hidden bg-surface-3"
    >
      {(src ?? preview) !== undefined && (
        <img
          src={src ?? preview}
          alt=""
          onError={src === undefined ? undefined : () => void refetch()}
          style={preview === undefined ? undefined : { backgroundImage: `url("${preview}")` }}
          className="size-full bg-cover object-cover"
        />
      )}
      {sign !== null && more === 0 && (
        <span className="media-note absolute inset-0 m-auto flex size-11 items-center justify-center">
          <Icon of={sign} size={18} />
        </span>
      )}
      {more > 0 && (
        <span className="album-more absolute inset-0 flex items-center justify-center font-semibold">
          +{more}
        </span>
      )}
    </button>
  )
}

const mediaOf = ({ content }: Message): Media | null => ('media' in content ? content.media : null)
