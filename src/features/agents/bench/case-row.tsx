// One test conversation: whether it passes; expanded, its dialogue and the reason of a failure.
import { useMutation } from '@tanstack/react-query'
import { Check, Trash2, X } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import type { MadeCase } from '#domain/agent/bench.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CaseDialogue } from './case-dialogue.tsx'
import type { Compared, Outcome } from './compared.ts'
import { removeCase } from './data.ts'

const CHANGE = {
  worse: { label: 'Piorou', tone: 'danger' },
  failing: { label: 'Falha', tone: 'warning' },
  better: { label: 'Melhorou', tone: 'success' },
  passing: null,
} as const

type CaseRowProps = { agentId: number; row: Compared; isCompared: boolean }

export function CaseRow({ agentId, row: { tried, made, now, earlier, change }, isCompared }: CaseRowProps) {
  const badge = CHANGE[change]
  return (
    <details>
      <summary className="flex min-h-12 cursor-pointer items-center gap-3 px-5 py-2 text-14">
        <span className="min-w-0 grow">
          <span className="block font-medium wrap-anywhere">{tried.title}</span>
          <span className="block text-13 text-text-3">{tried.expects}</span>
        </span>
        {isCompared && earlier && <Mark outcome={earlier} of="publicada" />}
        <Mark outcome={now} of={isCompared ? 'rascunho' : null} />
        {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      </summary>
      <div className="mx-5 mb-3 rounded-md bg-surface-2 p-3 text-13">
        <CaseDialogue lines={tried.lines} />
        <p className="whitespace-pre-wrap wrap-anywhere">
          <span className="text-text-3">Agente </span>
          {now?.body ?? '(nada)'}
        </p>
        {now?.fault && <p className="pt-1 font-medium text-danger">{now.fault}</p>}
        {made && <RemoveCase agentId={agentId} made={made} />}
      </div>
    </details>
  )
}

function RemoveCase({ agentId, made }: { agentId: number; made: MadeCase }) {
  const isOnline = useIsOnline()
  const { mutate } = useMutation({
    ...removeCase(agentId),
    onError: () => toast('Não foi possível excluir o teste.', 'error'),
  })
  const remove = () =>
    ask({
      question: 'Excluir este teste?',
      consequence: `“${made.title}” não é mais testada.`,
      action: { label: 'Excluir', run: () => mutate(made.id), tone: 'danger' },
    })
  return (
    <div className="-mx-1 pt-2">
      <Button size="small" variant="ghost" icon={Trash2} disabled={!isOnline} onClick={remove}>
        Excluir teste
      </Button>
    </div>
  )
}

/** `of` names the tested version when two versions are compared; null otherwise. */
function Mark({ outcome, of }: { outcome: Outcome; of: string | null }) {
  const passes = outcome?.fault === null
  return (
    <span className={`inline-flex items-center gap-1 text-13 ${passes ? 'text-success' : 'text-danger'}`}>
      <Icon of={passes ? Check : X} size={18} />
      <span className={of === null ? 'sr-only' : 'max-md:sr-only'}>{passes ? 'Passa' : 'Falha'}</span>
      {of !== null && <span className="text-text-3 max-md:sr-only">{of}</span>}
    </span>
  )
}
