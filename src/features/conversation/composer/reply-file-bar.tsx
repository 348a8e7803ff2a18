// The chosen quick reply's file, above the message box; it is sent with the typed text as caption.
import { FileText, X } from 'lucide-react'
import { formatKilobytes } from '#domain/format.ts'
import { KIND_LABEL } from '#domain/message/message.ts'
import type { ReplyFile } from '#domain/message/quick-reply.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { REMOVE_FILE } from '../ground/texts.ts'

type ReplyFileBarProps = { file: ReplyFile; onDrop: () => void }

export function ReplyFileBar({ file: { kind, media }, onDrop }: ReplyFileBarProps) {
  return (
    <div className="flex items-center gap-1 pt-2.5 pr-2.5 pl-3.5">
      <div className="flex min-h-14 min-w-0 grow items-center gap-2.5 rounded-tab bg-surface-2 px-3.5 text-13">
        <Icon of={FileText} className="text-text-2" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{media.fileName || KIND_LABEL[kind]}</span>
          {media.sizeBytes !== null && (
            <span className="text-text-3 tabular-nums">{formatKilobytes(media.sizeBytes)}</span>
          )}
        </span>
      </div>
      <IconButton icon={X} label={REMOVE_FILE} onClick={onDrop} />
    </div>
  )
}
