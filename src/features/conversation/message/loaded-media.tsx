// Media that is here: a picture, something to play, or a file to keep.
import { FileText } from 'lucide-react'
import { useState } from 'react'
import type { MediaFile } from '#data/messages/messages.ts'
import { formatSize } from '#domain/format.ts'
import { KIND_LABEL, type Media, type MediaKind } from '#domain/message/message.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { MEDIA_UNAVAILABLE } from '../texts.ts'

type LoadedMediaProps = {
  kind: MediaKind
  media: Media
  file: MediaFile
  /** Just asked for, not seen again: only that plays by itself. */
  isAsked: boolean
  onBroken: () => void
}

export function LoadedMedia({ kind, media, file, isAsked, onBroken }: LoadedMediaProps) {
  const [brokenUrls, setBrokenUrls] = useState(0)
  // One more address may help when the first is too old; a second failure is the file's own.
  const onError = () => {
    setBrokenUrls(brokenUrls + 1)
    if (brokenUrls === 0) onBroken()
  }
  if (brokenUrls > 1) return <p className="px-2 py-3 text-text-2 italic">{MEDIA_UNAVAILABLE}</p>

  const size = { width: media.width ?? undefined, height: media.height ?? undefined }
  switch (kind) {
    case 'image':
      return (
        <a href={file.url} target="_blank" rel="noopener">
          <img
            src={file.url}
            alt={KIND_LABEL.image}
            {...size}
            onError={onError}
            className="max-h-80 w-64 max-w-full rounded-tab object-cover"
          />
        </a>
      )
    case 'sticker':
      return (
        <img src={file.url} alt={KIND_LABEL.sticker} onError={onError} className="size-36 object-contain" />
      )
    case 'video':
      return (
        // What people send each other has no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          src={file.url}
          aria-label={KIND_LABEL.video}
          controls
          playsInline
          onError={onError}
          className="max-h-80 w-64 max-w-full rounded-tab"
        />
      )
    case 'audio':
      return (
        // Nor has what they say to each other.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          src={file.url}
          aria-label={KIND_LABEL.audio}
          controls
          autoPlay={isAsked}
          onError={onError}
          className="w-64 max-w-full"
        />
      )
    case 'document':
      return (
        <a href={file.url} download={file.fileName ?? ''} className="flex min-h-11 items-center gap-2.5">
          <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-primary-soft text-on-primary-soft">
            <Icon of={FileText} size={18} />
          </span>
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">
              {media.fileName ?? file.fileName ?? KIND_LABEL.document}
            </span>
            {media.sizeBytes !== null && (
              <span className="block text-13 text-text-2">{formatSize(media.sizeBytes)}</span>
            )}
          </span>
        </a>
      )
  }
}
