// Lists the files exchanged with a lead, newest first. A press downloads one.
import type { SharedFile } from './data.ts'
import type { Media } from '#domain/message/message.ts'
import { MediaPart } from '../message/media-part.tsx'
import { KIND_LABEL } from '#domain/message/message.ts'
import { momentOf } from './texts.ts'

export function LeadFiles({ files, nowMs }: { files: readonly SharedFile[]; nowMs: number }) {
  if (files.length === 0) return null
  return (
    <section className="border-t border-border py-4">
      <h3 className="pb-1 text-15 font-semibold">Arquivos</h3>
      <ul>
        {files.map((file) => (
          <li key={file.id} className="flex min-h-13 items-center justify-between gap-3">
            <MediaPart messageId={file.id} kind="document" media={mediaOf(file)} stamp={null} />
            <span className="shrink-0 text-13 text-text-3 tabular-nums">
              {momentOf(file.at * 1000, nowMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns every kind as a document, because the list downloads files instead of showing them. */
function mediaOf({ kind, name, size }: SharedFile): Media {
  return {
    mimeType: 'application/octet-stream',
    fileName: name ?? KIND_LABEL[kind],
    sizeBytes: size,
    seconds: null,
    width: null,
    height: null,
    isVoice: false,
    isViewOnce: false,
    preview: null,
    waveform: null,
  }
}
