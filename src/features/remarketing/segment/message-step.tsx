// The second step of a campaign to a segment: the message, with a preview for each lead's name.
import { useInfiniteQuery } from '@tanstack/react-query'
import { fillName } from '#domain/message/placeholder.ts'
import { Switch } from '#ui/forms/switch.tsx'
import { type CampaignFile, chooseCampaignFile } from '../composer/campaign-file-data.ts'
import { mostLetters } from '../composer/composer-rules.ts'
import { FileCard } from '../composer/file-card.tsx'
import { MessageField } from '../composer/message-field.tsx'
import { Preview } from '../composer/preview.tsx'
import { type Asked, segmentLeadsQuery } from './segment-data.ts'
import type { DraftHandle } from './use-segment-draft.ts'

type MessageStepProps = { handle: DraftHandle; file: CampaignFile; asked: Asked }

export function MessageStep({ handle, file, asked }: MessageStepProps) {
  const { draft, change } = handle
  const { data } = useInfiniteQuery(segmentLeadsQuery({ title: '', group: 'campaign', ...asked }))
  const leads = data?.pages[0]?.leads ?? []
  const most = mostLetters(file.file !== null)
  const length = Math.max(
    draft.message.trim().length,
    ...leads.map(({ name }) => fillName(draft.message, name).length),
  )
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <MessageField
        text={draft.message}
        onText={(message) => change({ message })}
        onFile={(chosen) => void chooseCampaignFile(chosen)}
        most={length > most ? most : null}
      />
      <FileCard file={file} />
      <Preview leads={leads} message={draft.message} file={file} />
      <div className="rounded-lg bg-surface shadow-card">
        <Switch
          label="Marcar quem recebeu"
          hint="Mostra “Remarketing” no cartão do contato. O estágio não muda."
          isOn={draft.marks}
          onChange={(marks) => change({ marks })}
        />
      </div>
    </div>
  )
}
