// A message's media, fetched by a signed URL when tapped, so that nothing unseen uses data.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Download, FileText, Image, type LucideIcon, Mic, Play, Sticker } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { usePhotosLoad } from '#data/messages/auto-photos.ts'
import { type MediaFile, mediaQuery } from '#data/messages/messages.ts'
import { formatDuration, formatSize } from '#domain/format.ts'
import { KIND_LABEL, type Media, type MediaKind } from '#domain/message/message.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { lazily } from '#ui/lazily.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { RETRY } from '#ui/texts.ts'
import { LoadedMedia, previewOf, ratioOf } from './loaded-media.tsx'
import { VoiceMessage } from '../voice/voice-message.tsx'
import { mediaFault } from '../ground/media-fault.ts'

const seeMedia = (kind: MediaKind) => (kind === 'video' ? 'Ver vídeo' : 'Ver foto')

const transcript = lazily(async () => (await import('../voice/transcript.tsx')).Transcript)

const SIGN = {
  image: Image,
  video: Play,
  audio: Mic,
  document: FileText,
  sticker: Sticker,
} satisfies Record<MediaKind, LucideIcon>

type MediaPartProps = {
  messageId: number
  kind: MediaKind
  media: Media
  /** The time of sending, which each kind of media places differently. */
  stamp: ReactNode
}

export function MediaPart({ kind, media, stamp, messageId }: MediaPartProps) {
  if (kind === 'audio' && media.isVoice)
    return (
      <>
        <VoiceMessage messageId={messageId} media={media} stamp={stamp} />
        <Suspense>
          <transcript.Component messageId={messageId} />
        </Suspense>
      </>
    )
  const isPicture = kind === 'image' || kind === 'video'
  return (
    <div className={isPicture ? 'relative w-fit max-w-full' : 'flow-root'}>
      <Fetched messageId={messageId} kind={kind} media={media} stamp={stamp} />
      {kind !== 'document' && stamp}
    </div>
  )
}

function Fetched({ messageId, kind, media, stamp }: MediaPartProps) {
  // A negative id: the message is still in this device's outbox, so the server has no media for it.
  const isHere = messageId < 0
  const isAuto = usePhotosLoad() && kind === 'image' && !media.isViewOnce && !isHere
  const query = { ...mediaQuery(messageId), enabled: isAuto, staleTime: Infinity }
  const { data: file, error, isFetching, refetch } = useQuery(query)
  const [isAsked, setAsked] = useState(false)
  // An expired URL is fetched again.
  const fetchAgain = () => void refetch()
  if (file && !error && kind !== 'document')
    return <LoadedMedia kind={kind} media={media} file={file} isAsked={isAsked} onBroken={fetchAgain} />

  const open = async () => {
    // A tap during a download would save a second copy.
    if (isFetching || isHere) return
    setAsked(true)
    const { data, isSuccess } = await refetch()
    if (isSuccess && kind === 'document') save(data)
  }
  const ask = { error, isFetching, onOpen: () => void open() }
  return kind === 'image' || kind === 'video' ? (
    <Preview kind={kind} media={media} {...ask} />
  ) : (
    <Offer kind={kind} media={media} stamp={kind === 'document' ? stamp : null} {...ask} />
  )
}

type OfferProps = Pick<MediaPartProps, 'kind' | 'media'> & {
  error: Error | null
  isFetching: boolean
  onOpen: () => void
}

/** A picture or video before it is fetched: the tiny preview from the message, scaled up. */
function Preview({ kind, media, error, isFetching, onOpen }: OfferProps) {
  const preview = previewOf(media)
  return (
    <button
      type="button"
      aria-busy={isFetching}
      onClick={onOpen}
      style={{ aspectRatio: ratioOf(media) }}
      className="relative flex max-h-80 min-h-24 w-64 max-w-full items-center justify-center overflow-hidden rounded-tab bg-surface-3"
    >
      {preview && <img src={preview} alt="" className="absolute inset-0 size-full object-cover" />}
      <span className="media-note relative flex min-h-11 max-w-full items-center gap-2 px-4 text-14 font-semibold">
        {isFetching ? <Spinner /> : <Icon of={error ? CircleAlert : Download} size={18} />}
        {error
          ? `${mediaFault(error)} ${RETRY}`
          : [seeMedia(kind), factsOf(media)].filter(Boolean).join(' · ')}
      </span>
    </button>
  )
}

/** A document's stamp is on the line of its facts, where it fits. */
function Offer({ kind, media, stamp, error, isFetching, onOpen }: OfferProps & { stamp: ReactNode }) {
  return (
    <button
      type="button"
      aria-busy={isFetching}
      onClick={onOpen}
      className="flex min-h-11 max-w-full items-center gap-2.5 text-left"
    >
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-md bg-primary-soft text-on-primary-soft">
        {isFetching ? <Spinner /> : <Icon of={error ? CircleAlert : SIGN[kind]} size={18} />}
      </span>
      <span className="min-w-0 grow">
        <span className="block font-medium wrap-anywhere">
          {error ? mediaFault(error) : nameOf(kind, media)}
        </span>
        <span className="flex flex-wrap items-baseline justify-between text-13 text-text-2">
          {error ? RETRY : factsOf(media)}
          {stamp}
        </span>
      </span>
    </button>
  )
}

/** Downloads a document with a fresh URL, because an older one may have expired. */
function save({ url, fileName }: MediaFile) {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName ?? ''
  link.click()
}

function nameOf(kind: MediaKind, { fileName }: Media): string {
  return (kind === 'document' && fileName) || KIND_LABEL[kind]
}

function factsOf({ mimeType, seconds, sizeBytes, isViewOnce }: Media): string {
  const facts = [
    mimeType === 'application/pdf' && 'PDF',
    isViewOnce && 'Visualização única',
    seconds !== null && formatDuration(seconds),
    sizeBytes !== null && formatSize(sizeBytes),
  ]
  return facts.filter(Boolean).join(' · ')
}
