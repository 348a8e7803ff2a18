// A prompt's versions: who saved each and when, a comparison with the editor's text, and restoring one.
import { formatDateTime } from '#domain/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PromptVersion, promptVersionsQuery, versionTextQuery } from './prompts-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import type { PromptField } from '#domain/agent/agent.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY, SAVING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { TextDiff } from './text-diff.tsx'
import type { Prompt } from './use-prompt.ts'

const RESTORE = 'Restaurar esta versão'

const HISTORY_TITLE = 'Histórico de versões'

type HistoryProps = {
  agentId: number
  field: PromptField
  prompt: Prompt
  isOpen: boolean
  onClose: () => void
}

export function PromptHistory({ isOpen, ...history }: HistoryProps) {
  return (
    <Dialog isOpen={isOpen} onClose={history.onClose} title={HISTORY_TITLE} width="widest">
      <Versions {...history} />
    </Dialog>
  )
}

function Versions({ agentId, field, prompt, onClose }: Omit<HistoryProps, 'isOpen'>) {
  const read = useQuery(promptVersionsQuery(agentId, field))
  const { data: versions } = read
  const [chosenId, setChosenId] = useState<number | null>(null)
  const chosen = versions?.find(({ id }) => id === chosenId) ?? versions?.[0]
  if (!versions)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar as versões." />
    ) : (
      <Skeleton className="mx-3 h-60 rounded-md!" />
    )
  if (!chosen) return <p className="px-3 py-4 text-text-2">Nenhuma versão salva ainda.</p>
  return (
    <div className="grid gap-4 px-3 md:grid-cols-[13rem_1fr]">
      <ol
        aria-label={HISTORY_TITLE}
        className="flex max-h-40 flex-col gap-0.5 overflow-y-auto md:max-h-[60dvh]"
      >
        {versions.map((version, index) => (
          <li key={version.id}>
            <button
              type="button"
              aria-current={version.id === chosen.id}
              onClick={() => setChosenId(version.id)}
              className="flex min-h-11 w-full flex-wrap items-center gap-x-2 rounded-md px-3 py-1.5 text-left text-14 transition-colors hover:bg-surface-2 aria-[current=true]:bg-primary-soft aria-[current=true]:text-on-primary-soft"
            >
              <span className="wrap-anywhere">{`${version.by}, ${formatDateTime(version.atMs)}`}</span>
              {index === 0 && <Badge tone="success">Publicada</Badge>}
            </button>
          </li>
        ))}
      </ol>
      <Version
        key={chosen.id}
        version={chosen}
        isPublished={chosen === versions[0]}
        prompt={prompt}
        onRestored={onClose}
      />
    </div>
  )
}

type VersionProps = { version: PromptVersion; isPublished: boolean; prompt: Prompt; onRestored: () => void }

function Version({ version, isPublished, prompt, onRestored }: VersionProps) {
  const isOnline = useIsOnline()
  const read = useQuery(versionTextQuery(version.id))
  const { data: text } = read
  const { standing, isDirty, isSaving, restoreVersion } = prompt
  if (text === undefined || !standing)
    return read.error ? <FailedRead of={read} /> : <Skeleton className="h-60 rounded-md!" />
  const restore = () =>
    void restoreVersion({ text, base: standing.version }).then((isSaved) => {
      if (!isSaved) return
      onRestored()
      toast('Versão restaurada com sucesso!', 'success')
    })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TextDiff
        before={{ title: 'Esta versão', text }}
        after={{ title: 'No editor agora', text: prompt.text }}
      />
      {(!isPublished || standing.isDraft) && (
        <span className="flex justify-end">
          <Button
            variant="soft"
            disabled={!isOnline}
            title={isOnline ? undefined : ONLINE_ONLY}
            busy={isSaving && SAVING}
            onClick={() =>
              ask({
                question: 'Restaurar esta versão?',
                consequence: isDirty
                  ? 'Ela vira um rascunho, e o que você escreveu e não salvou se perde.'
                  : 'Ela vira um rascunho. O agente usa a versão publicada até você publicar.',
                action: { label: RESTORE, run: restore, tone: isDirty ? 'danger' : 'primary' },
              })
            }
          >
            {RESTORE}
          </Button>
        </span>
      )}
    </div>
  )
}
