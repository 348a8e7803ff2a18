// The attachments above the message box: small pictures or file names, with upload progress or an error.
import { CircleAlert, FileText, Mic, Music, Play, RotateCw, X } from 'lucide-react'
import { type Attachment, useAttachments } from '#data/messages/draft-attachments.ts'
import { forgetRefused } from '../ground/attachments-data.ts'
import { countOf } from '#domain/count.ts'
import { formatDuration, formatKilobytes } from '#domain/format.ts'
import { FILE_REFUSED } from '#domain/message/media.ts'
import { KIND_LABEL } from '#domain/message/message.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { ProgressRing } from '#ui/feedback/progress-ring.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { CLOSE, RETRY } from '#ui/texts.ts'
import { VOICE_MESSAGE } from '../ground/texts.ts'

const attached = (count: number) => countOf(count, 'anexo', 'anexos')

type AttachmentStripProps = {
  contactId: number
  onRetry: () => void
  onStop: (attachment: Attachment) => void
  onRemove: (attachment: Attachment) => void
}

export function AttachmentStrip({ contactId, ...actions }: AttachmentStripProps) {
  const { list, preparing, refused } = useAttachments(contactId)
  const failed = list.find(({ problem }) => problem !== null)
  if (list.length === 0 && preparing === 0 && refused === null) return null
  return (
    <div className="flex flex-col gap-2 px-3.5 pt-2.5">
      {(list.length > 0 || preparing > 0) && (
        <ul aria-label={attached(list.length)} className="scrollbar-none flex gap-2 overflow-x-auto py-0.5">
          {list.map((attachment) => (
            <li key={attachment.file.operationId} className="shrink-0">
              <Tile attachment={attachment} {...actions} />
            </li>
          ))}
          {preparing > 0 && (
            <li className="flex h-16 w-24 shrink-0 flex-col items-center justify-center gap-1 rounded-tab bg-surface-2 text-12 text-text-2">
              <Spinner />
              Preparando…
            </li>
          )}
        </ul>
      )}
      <div role="alert" className="text-13 leading-snug text-danger empty:hidden">
        {failed && <p>{failed.problem}</p>}
        {refused !== null && (
          <p className="flex items-start gap-1.5">
            <Icon of={CircleAlert} size={16} className="mt-0.5" />
            <span className="grow">{FILE_REFUSED[refused]}</span>
            <button
              type="button"
              aria-label={CLOSE}
              onClick={() => forgetRefused(contactId)}
              className="-my-2 -mr-2 inline-flex size-10 shrink-0 items-center justify-center rounded-full"
            >
              <Icon of={X} size={16} />
            </button>
          </p>
        )}
      </div>
    </div>
  )
}

const SIGN = { image: FileText, video: Play, audio: Music, voice: Mic, document: FileText }

type TileProps = { attachment: Attachment } & Omit<AttachmentStripProps, 'contactId'>

function Tile({ attachment, onRetry, onStop, onRemove }: TileProps) {
  const { file, previewUrl, ratio, problem } = attachment
  const name = nameOf(attachment)
  const hasPicture = file.kind === 'image' && previewUrl !== null
  return (
    <div
      className={classNames(
        'relative flex min-h-16 items-center overflow-hidden rounded-tab bg-surface-2',
        problem !== null && 'shadow-input-error',
      )}
    >
      <span className="relative flex w-16 shrink-0 items-center justify-center self-stretch">
        {hasPicture ? (
          <img src={previewUrl} alt="" className="absolute size-full object-cover" />
        ) : (
          <Icon
            of={SIGN[file.kind]}
            className={ratio === null && problem === null ? 'text-text-2' : 'opacity-0'}
          />
        )}
        {ratio !== null && <progress className="sr-only" aria-label={`Enviando ${name}`} value={ratio} />}
        {ratio !== null && (
          <button
            type="button"
            aria-label={`Cancelar o envio de ${name}`}
            onClick={() => onStop(attachment)}
            className={classNames(
              'absolute inset-0 flex items-center justify-center',
              hasPicture ? 'bg-scrim text-brand-light' : 'text-primary',
            )}
          >
            <ProgressRing ratio={ratio} />
            <Icon of={X} size={16} className="absolute" />
          </button>
        )}
      </span>
      <span
        className={classNames(
          'flex min-w-0 flex-col py-1 pr-10 pl-2.5 text-13 leading-snug',
          file.caption === '' ? 'max-w-36' : 'max-w-56',
        )}
      >
        <span className="truncate font-medium">{name}</span>
        {file.caption === '' ? (
          <span className="text-text-3 tabular-nums">{factsOf(attachment)}</span>
        ) : (
          <span className="line-clamp-3 wrap-anywhere text-text-2">{file.caption}</span>
        )}
      </span>
      {problem !== null && (
        // A press anywhere on a failed attachment retries its upload.
        <button
          type="button"
          aria-label={`Tentar de novo: ${name}`}
          title={RETRY}
          onClick={onRetry}
          className="absolute inset-0 flex text-brand-light"
        >
          <span className="flex w-16 items-center justify-center bg-scrim">
            <Icon of={RotateCw} />
          </span>
        </button>
      )}
      {ratio === null && (
        <button
          type="button"
          aria-label={`Remover ${name}`}
          onClick={() => onRemove(attachment)}
          className="absolute top-0 right-0 inline-flex size-11 items-start justify-end p-2 text-text-2"
        >
          <Icon of={X} size={16} />
        </button>
      )}
    </div>
  )
}

function nameOf({ file: { kind, fileName } }: Attachment): string {
  return kind === 'voice' ? VOICE_MESSAGE : fileName || KIND_LABEL[kind]
}

function factsOf({ file: { file, seconds } }: Attachment): string {
  return seconds === null ? formatKilobytes(file.size) : formatDuration(seconds)
}
