// Shows the message as one of the selected contacts will see it in WhatsApp.
import { FileText, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { CampaignFile } from './campaign-file-data.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'

const PREVIEW = 'Como vai chegar'

type PreviewProps = { leads: readonly Parameters<typeof leadTitle>[0][]; message: string; file: CampaignFile }

export function Preview({ leads, message, file: { file, previewUrl } }: PreviewProps) {
  const [turn, setTurn] = useState(0)
  const lead = leads[turn % Math.max(1, leads.length)]
  if (!lead || (message.trim() === '' && !file)) return null
  return (
    <section aria-label={PREVIEW} className="rounded-lg bg-chat-bg px-4 py-3 shadow-card">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="min-w-0 text-13 text-text-2">
          {PREVIEW} · <span className="font-medium text-text">{leadTitle(lead)}</span>
        </h2>
        {leads.length > 1 && (
          <IconButton
            icon={RefreshCw}
            label="Ver com outro contato"
            variant="quiet"
            onClick={() => setTurn(turn + 1)}
          />
        )}
      </div>
      <div className="ml-auto w-fit max-w-[88%] rounded-lg rounded-br-xs bg-bubble-out p-1 text-on-bubble-out">
        {previewUrl !== null && (
          <img src={previewUrl} alt="" className="max-h-48 w-full rounded-md object-cover" />
        )}
        {file && previewUrl === null && (
          <p className="flex items-center gap-2 px-2.5 pt-1.5 text-14 font-medium">
            <Icon of={FileText} size={18} />
            <span className="min-w-0 truncate">{file.fileName}</span>
          </p>
        )}
        <p className="px-2.5 py-1.5 text-15 leading-message whitespace-pre-wrap wrap-anywhere empty:hidden">
          {fillName(message.trim(), lead.name)}
        </p>
      </div>
    </section>
  )
}
