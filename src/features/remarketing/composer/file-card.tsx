// Shows a campaign's file, or why it cannot be sent.
import { CircleAlert, FileText, Music, Play, X } from 'lucide-react'
import { type CampaignFile, dropCampaignFile } from './campaign-file-data.ts'
import { formatKilobytes } from '#domain/format.ts'
import { FILE_REFUSED, IMAGE_BOX } from '#domain/message/media.ts'
import { KIND_LABEL } from '#domain/message/message.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'

const SIGN = { image: FileText, video: Play, audio: Music, voice: Music, document: FileText }

export function FileCard({
  file: { file, previewUrl, isPreparing, lostName, refused },
}: {
  file: CampaignFile
}) {
  return (
    <>
      {isPreparing && (
        <output className="flex min-h-15 items-center gap-3 rounded-tab bg-surface px-4 text-14 text-text-2 shadow-card">
          <Spinner />
          Preparando o anexo…
        </output>
      )}
      {lostName !== null && (
        <div className="flex items-center gap-3 rounded-tab bg-surface py-2 pr-1 pl-4 shadow-card">
          <Icon of={CircleAlert} />
          <output className="min-w-0 grow text-14 leading-snug wrap-anywhere">{`${lostName} não ficou guardado. Anexe de novo ou envie sem ele.`}</output>
          <IconButton icon={X} label="Enviar sem o anexo" onClick={dropCampaignFile} />
        </div>
      )}
      {file && (
        <div className="flex items-center gap-3 rounded-tab bg-surface py-2 pr-1 pl-2 shadow-card">
          {previewUrl === null ? (
            <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-seg bg-surface-2 text-text-2">
              <Icon of={SIGN[file.kind]} />
            </span>
          ) : (
            <img src={previewUrl} alt="" className="size-11 shrink-0 rounded-seg object-cover" />
          )}
          <span className="min-w-0 grow leading-snug">
            <span className="block truncate text-15 font-medium">
              {file.fileName || (file.kind === 'voice' ? KIND_LABEL.audio : KIND_LABEL[file.kind])}
            </span>
            <span className="block text-13 text-text-3 tabular-nums">
              {formatKilobytes(file.file.size)}
              {Math.max(file.width ?? 0, file.height ?? 0) === IMAGE_BOX && ` · reduzida para 800 px`}
            </span>
          </span>
          <IconButton icon={X} label="Remover anexo" onClick={dropCampaignFile} />
        </div>
      )}
      <p role="alert" className="flex gap-1.5 text-13 leading-snug text-danger empty:hidden">
        {refused !== null && (
          <>
            <Icon of={CircleAlert} size={16} />
            {FILE_REFUSED[refused]}
          </>
        )}
      </p>
    </>
  )
}
