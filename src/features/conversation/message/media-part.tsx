// Media of a line, fetched by its signed address when it is tapped, so that a weak signal pays for nothing unseen.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, FileText, Image, type LucideIcon, Mic, Play, Sticker } from 'lucide-react'
import { useState } from 'react'
import { type MediaFile, mediaQuery } from '#data/messages.ts'
import { PortalError } from '#domain/errors.ts'
import { formatDuration, formatSize } from '#domain/format.ts'
import { KIND_LABEL, type Media, type MediaKind } from '#domain/message.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { RETRY } from '#ui/texts.ts'
import { LoadedMedia } from './loaded-media.tsx'
import { MEDIA_UNAVAILABLE, VIEW_ONCE, VOICE_MESSAGE } from '../texts.ts'

const SIGN = {
  image: Image,
  video: Play,
  audio: Mic,
  document: FileText,
  sticker: Sticker,
} satisfies Record<MediaKind, LucideIcon>

type MediaPartProps = { messageId: number; kind: MediaKind; media: Media }

export function MediaPart({ messageId, kind, media }: MediaPartProps) {
  const { data: file, error, isFetching, refetch } = useQuery(mediaQuery(messageId))
  const [isAsked, setAsked] = useState(false)
  const isPicture = kind === 'image' || kind === 'video'
  // An address that no longer opens is asked for anew.
  const fetchAgain = () => void refetch()
  if (file)
    return <LoadedMedia kind={kind} media={media} file={file} isAsked={isAsked} onBroken={fetchAgain} />

  const open = async () => {
    setAsked(true)
    const { data } = await refetch()
    if (data && kind === 'document') save(data)
  }
  return (
    <button
      type="button"
      aria-busy={isFetching}
      onClick={() => void open()}
      style={isPicture ? { aspectRatio: ratioOf(media) } : undefined}
      className={classNames(
        'flex min-h-11 items-center gap-2.5 text-left',
        isPicture &&
          'max-h-80 w-64 max-w-full flex-col justify-center rounded-tab bg-surface-3 text-center text-text-2',
      )}
    >
      <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-primary-soft text-on-primary-soft">
        {isFetching ? <Spinner /> : <Icon of={error ? CircleAlert : SIGN[kind]} size={18} />}
      </span>
      <span className="min-w-0">
        <span className="block font-medium wrap-anywhere">
          {error ? wordsOf(error) : nameOf(kind, media)}
        </span>
        <span className="block text-13 text-text-2">{error ? RETRY : factsOf(media)}</span>
      </span>
    </button>
  )
}

/** Documents go to where the device keeps its downloads. */
function save({ url, fileName }: MediaFile) {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName ?? ''
  link.click()
}

function ratioOf({ width, height }: Media): string {
  return width && height ? `${width} / ${height}` : '4 / 3'
}

function nameOf(kind: MediaKind, { fileName, isVoice }: Media): string {
  if (kind === 'document') return fileName ?? KIND_LABEL.document
  return kind === 'audio' && isVoice ? VOICE_MESSAGE : KIND_LABEL[kind]
}

function factsOf({ seconds, sizeBytes, isViewOnce }: Media): string {
  const facts = [
    isViewOnce && VIEW_ONCE,
    seconds !== null && formatDuration(seconds),
    sizeBytes !== null && formatSize(sizeBytes),
  ]
  return facts.filter(Boolean).join(' · ')
}

function wordsOf(error: Error): string {
  const isGone = error instanceof PortalError && error.code === 'media.unavailable'
  return isGone ? MEDIA_UNAVAILABLE : error.message
}
