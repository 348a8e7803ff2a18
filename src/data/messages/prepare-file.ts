// Prepares a chosen file for sending: finds its kind, checks its size and scales pictures down.
import { log } from '#api/log.ts'
import {
  attachmentKind,
  type AttachmentKind,
  documentType,
  type FILE_REFUSED,
  MAX_BYTES,
} from '#domain/message/media.ts'
import type { OutgoingFile } from '#offline/stores.ts'
import { newOperationId } from '../operation.ts'

export type Refused = keyof typeof FILE_REFUSED

export async function prepareFile(file: File): Promise<OutgoingFile | Refused> {
  const kind = attachmentKind(file)
  if (kind === null) return 'type'
  if (file.size === 0 || file.size > MAX_BYTES[kind]) return 'file'
  if (kind !== 'image') return toOutgoing({ kind, file: trulyTyped(file), fileName: file.name })
  try {
    const { shrinkImage } = await import('./shrink-image.ts')
    const { blob, width, height } = await shrinkImage(file)
    const fileName = `${file.name.replace(/\.[^.]+$/, '')}.jpg`
    return toOutgoing({ kind, file: blob, fileName, width, height })
  } catch (cause) {
    log.warn('image.shrink-failed', cause)
    return 'file'
  }
}

export function prepareVoice(file: Blob, seconds: number): OutgoingFile {
  return toOutgoing({ kind: 'voice', file, fileName: '', seconds })
}

/** Returns the file with its MIME type, which phones often omit for documents. */
function trulyTyped(file: File): Blob {
  const type = documentType(file)
  return type === null || type === file.type ? file : new Blob([file], { type })
}

type Made = { kind: AttachmentKind; file: Blob; fileName: string } & Partial<
  Pick<OutgoingFile, 'width' | 'height' | 'seconds'>
>

function toOutgoing(made: Made): OutgoingFile {
  const operationId = newOperationId()
  return {
    operationId,
    caption: '',
    quotedMessageId: null,
    width: null,
    height: null,
    seconds: null,
    ...made,
  }
}
