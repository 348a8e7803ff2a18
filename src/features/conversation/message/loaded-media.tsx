// Loaded media: a picture, or something to play.
import { use, useCallback, useState } from 'react'
import type { MediaFile } from '#data/messages/messages.ts'
import { KIND_LABEL, type Media, type MediaKind } from '#domain/message/message.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { MEDIA_UNAVAILABLE } from '../ground/texts.ts'
import { soundAlone } from '../voice/one-sound.ts'
import { ShowPhoto } from './photo-place.tsx'

type LoadedMediaProps = {
  /** Documents are not here, because they are downloaded instead of shown. */
  kind: Exclude<MediaKind, 'document'>
  media: Media
  file: MediaFile
  /** True right after the user pressed the media; only then it plays without another press. */
  isAsked: boolean
  onBroken: () => void
}

export function LoadedMedia({ kind, media, file, isAsked, onBroken }: LoadedMediaProps) {
  const [brokenUrls, setBrokenUrls] = useState(0)
  const [isHere, setHere] = useState(false)
  const show = use(ShowPhoto)
  // The first error may come from an expired URL, so a new one is fetched. A second error means that the file is
  // broken.
  const onError = () => {
    setBrokenUrls(brokenUrls + 1)
    if (brokenUrls === 0) onBroken()
  }
  /** Focuses the loaded media, because the pressed button that had the focus is gone. */
  const takeFocus = useCallback(
    (element: HTMLElement | null) => {
      if (isAsked && document.activeElement === document.body) element?.focus({ preventScroll: true })
    },
    [isAsked],
  )
  if (brokenUrls > 1) return <p className="px-2 py-3 text-text-2 italic">{MEDIA_UNAVAILABLE}</p>

  const preview = previewOf(media)
  const size = { width: media.width ?? undefined, height: media.height ?? undefined }
  switch (kind) {
    case 'image':
      return (
        <button
          ref={takeFocus}
          type="button"
          aria-busy={!isHere}
          onClick={() => show?.({ url: file.url })}
          className="relative block max-w-full rounded-tab"
        >
          <img
            src={file.url}
            alt="Ampliar foto"
            {...size}
            onLoad={() => setHere(true)}
            onError={onError}
            // Shows the message's own tiny preview until the picture has loaded.
            style={
              isHere
                ? undefined
                : { aspectRatio: ratioOf(media), ...(preview && { backgroundImage: `url("${preview}")` }) }
            }
            className="max-h-80 w-64 max-w-full rounded-tab bg-surface-3 bg-cover object-cover"
          />
          {!isHere && (
            <span className="media-note absolute inset-0 m-auto flex size-11 items-center justify-center">
              <Spinner />
            </span>
          )}
        </button>
      )
    case 'sticker':
      return (
        <img src={file.url} alt={KIND_LABEL.sticker} onError={onError} className="size-36 object-contain" />
      )
    case 'video':
      return (
        // Videos in chats have no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          ref={takeFocus}
          src={file.url}
          aria-label={KIND_LABEL.video}
          controls
          playsInline
          autoPlay={isAsked}
          poster={preview}
          onError={onError}
          className="max-h-80 w-64 max-w-full rounded-tab"
        />
      )
    case 'audio':
      return (
        // Voice messages have no captions.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          ref={takeFocus}
          src={file.url}
          aria-label={KIND_LABEL.audio}
          controls
          autoPlay={isAsked}
          onPlay={({ currentTarget }) => soundAlone(currentTarget)}
          onError={onError}
          className="w-64 max-w-full"
        />
      )
  }
}

export function ratioOf({ width, height }: Media): string {
  return width && height ? `${width} / ${height}` : '4 / 3'
}

/** Returns the tiny preview picture in the message. */
export const previewOf = ({ preview }: Media) =>
  preview === null ? undefined : `data:image/jpeg;base64,${preview}`
