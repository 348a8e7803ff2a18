// Shows a photo full screen with the URL that the small photo loaded from, because older signed URLs expire. Photos of
// an album are fetched one by one.
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { mediaQuery } from '#data/messages/messages.ts'
import { KIND_LABEL, type Message } from '#domain/message/message.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { Modal } from '#ui/primitives/overlay/modal.tsx'
import { CLOSE } from '#ui/texts.ts'
import { mediaFault } from '../ground/media-fault.ts'

/** One loaded photo, or an album with the first index. */
export type Shown = { url: string } | { photos: readonly Message[]; at: number }

type PhotoViewerProps = {
  /** Undefined while the viewer is closed. */
  shown: Shown | undefined
  onClose: () => void
}

export function PhotoViewer({ shown, onClose }: PhotoViewerProps) {
  const titleId = useId()
  // The closing animation still shows this photo.
  const [last, setLast] = useState(shown)
  const [at, setAt] = useState(startOf(shown))
  if (shown !== undefined && shown !== last) {
    setLast(shown)
    setAt(startOf(shown))
  }
  const photos = last && 'photos' in last ? last.photos : []
  const photo = photos[at]
  const walk = (by: number) => setAt(Math.min(photos.length - 1, Math.max(0, at + by)))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') walk(-1)
    if (key === 'ArrowRight') walk(1)
  }
  return (
    <Modal isOpen={shown !== undefined} onClose={onClose} labelledBy={titleId} height="tall" width="widest">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows do what its buttons do */}
      <div className="flex h-full flex-col" onKeyDown={photo && onKeyDown}>
        <div className="flex shrink-0 items-center pt-1 pr-3 pl-5">
          <h2 id={titleId} className="grow text-17 font-semibold tabular-nums" aria-live="polite">
            {photo ? `${at + 1} de ${photos.length}` : KIND_LABEL.image}
          </h2>
          {photo && (
            <>
              <IconButton icon={ChevronLeft} label="Anterior" disabled={at === 0} onClick={() => walk(-1)} />
              <IconButton
                icon={ChevronRight}
                label="Próxima"
                disabled={at === photos.length - 1}
                onClick={() => walk(1)}
              />
            </>
          )}
          <IconButton icon={X} label={CLOSE} onClick={onClose} />
        </div>
        <div className="flex min-h-0 grow touch-pinch-zoom items-center justify-center bg-chat-bg pb-(--safe-bottom)">
          {photo ? <AlbumPhoto key={photo.id} photo={photo} /> : <Photo url={urlOf(last)} />}
        </div>
      </div>
    </Modal>
  )
}

const startOf = (shown: Shown | undefined) => (shown && 'at' in shown ? shown.at : 0)
const urlOf = (shown: Shown | undefined) => (shown && 'url' in shown ? shown.url : undefined)

const Photo = ({ url }: { url: string | undefined }) => (
  <img src={url} alt={KIND_LABEL.image} className="size-full object-contain" />
)

function AlbumPhoto({ photo: { id, content } }: { photo: Message }) {
  const read = useQuery({ ...mediaQuery(id), enabled: true, staleTime: Infinity })
  if (read.error) return <FailedRead of={read} title={mediaFault(read.error)} />
  if (!read.data) return <Spinner />
  return content.kind === 'video' ? (
    // Videos in chats have no captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video src={read.data.url} aria-label={KIND_LABEL.video} controls playsInline className="size-full" />
  ) : (
    <Photo url={read.data.url} />
  )
}
