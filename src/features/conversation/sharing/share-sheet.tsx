// Shows what another app shared, and the conversations whose composer may take it. Nothing is sent from here.
import { FileText, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { LeadChoice } from '../ground/lead-choice.tsx'
import type { Received } from './data.ts'

type ShareSheetProps = {
  /** Undefined while the sheet is closed. */
  share: Received | undefined
  instanceName: string
  onChoose: (lead: Lead) => void
  onAdd: () => void
  /** The caller asks for confirmation before it deletes the share. */
  onClose: () => void
}

export function ShareSheet({ share, instanceName, onChoose, onAdd, onClose }: ShareSheetProps) {
  return (
    <Dialog isOpen={share !== undefined} onClose={onClose} hasUnsaved title="Compartilhar com" width="wide">
      {share && (
        <div className="flex flex-col gap-3">
          <div className="flex flex-col gap-3 px-3">
            {share.files.length > 0 && <Files files={share.files} />}
            {share.text !== '' && (
              <p className="line-clamp-4 rounded-md bg-surface-2 px-4 py-3 text-15 wrap-anywhere whitespace-pre-line">
                {share.text}
              </p>
            )}
            {share.text !== '' && (
              <Button variant="quiet" icon={UserRoundPlus} onClick={onAdd}>
                Adicionar lead
              </Button>
            )}
          </div>
          <LeadChoice instanceName={instanceName} onChoose={onChoose} />
        </div>
      )}
    </Dialog>
  )
}

/** The sheet previews this many files and counts the others. */
const MAX_PREVIEWS = 4

function Files({ files }: { files: readonly File[] }) {
  const further = files.length - MAX_PREVIEWS
  return (
    <ul aria-label="Arquivos" className="flex items-center gap-2">
      {files.slice(0, MAX_PREVIEWS).map((file) => (
        <li
          key={`${file.name} ${file.size}`}
          className="flex size-18 flex-col items-center justify-center gap-1 overflow-hidden rounded-md bg-surface-2"
        >
          <Preview file={file} />
        </li>
      ))}
      {further > 0 && <li className="text-15 text-text-2">+{further}</li>}
    </ul>
  )
}

function Preview({ file }: { file: File }) {
  const [url] = useState(() => (file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined))
  if (url !== undefined)
    return (
      <img
        src={url}
        alt={file.name}
        onLoad={() => URL.revokeObjectURL(url)}
        className="size-full object-cover"
      />
    )
  return (
    <>
      <Icon of={FileText} size={20} />
      <span className="max-w-16 truncate text-12 text-text-2">{file.name}</span>
    </>
  )
}
