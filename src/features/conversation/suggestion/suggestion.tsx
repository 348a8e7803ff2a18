// The assistant's draft above the box: put into the box, edited there, or dismissed. Nothing is sent from here.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { dismissSuggestion, suggestionQuery, type Suggestion as Draft } from './data.ts'

/** 'usou a tabela de 21/11' for the day '2026-11-21'. */
const usedSource = (day: string) => `usou a tabela de ${day.slice(8, 10)}/${day.slice(5, 7)}`

/** server/agents/engine/rules-model.ts gives itself this name. */
const isDemoModel = (model: string | null) => model?.startsWith('modelo de demonstração') ?? false

type SuggestionProps = {
  contactId: number
  messageId: number
  /** Puts the draft into the box. `edits` is true if the broker wants to edit it before sending. */
  onPick: (text: string, edits: boolean) => void
  /** Reports whether a draft is shown, because only one row of help fits above the message box. */
  onShown: (isShown: boolean) => void
}

export function Suggestion({ contactId, messageId, onPick, onShown }: SuggestionProps) {
  const { data, isPending } = useQuery(suggestionQuery(contactId, messageId))
  const dismissal = useMutation(dismissSuggestion(contactId, messageId))
  const draft = data?.suggestion
  const hasDraft = Boolean(draft)
  useEffect(() => {
    onShown(hasDraft)
    return () => onShown(false)
  }, [hasDraft, onShown])
  if (isPending || data?.isBeingWritten)
    return (
      <div aria-hidden className="animate-late px-3.5 pt-3">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="mt-2 h-4 w-3/5" />
      </div>
    )
  if (!draft) return null
  return <Shown draft={draft} onPick={onPick} onDismiss={() => dismissal.mutate(draft.id)} />
}

function Shown({
  draft: { text, sources, model },
  onPick,
  onDismiss,
}: {
  draft: Draft
  onPick: SuggestionProps['onPick']
  onDismiss: () => void
}) {
  const titleId = useId()
  const [isOpen, setOpen] = useState(false)
  const newest = sources.toSorted((one, other) => other.at.localeCompare(one.at))[0]
  return (
    <section
      aria-labelledby={titleId}
      className="border-t border-border px-3.5 pt-3 short:hidden motion-safe:animate-rise"
    >
      <div className="flex min-h-6 items-center gap-2.5 text-13 text-text-2">
        <Icon of={Sparkles} size={16} className="text-primary" />
        <h3 id={titleId} className="grow font-medium">
          Sugestão do assistente
        </h3>
        {isDemoModel(model) && <span className="text-text-3">responde por regras</span>}
        {newest && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="relative text-text-3 after:absolute after:-inset-2.5"
          >
            {usedSource(newest.at)}
          </button>
        )}
      </div>
      {isOpen && <p className="pt-1 text-13 text-text-3">{sources.map(({ label }) => label).join(' · ')}</p>}
      <blockquote
        aria-live="polite"
        className="mt-1.5 max-h-32 overflow-y-auto border-l-3 border-primary-soft-2 pl-3 text-15 leading-normal whitespace-pre-wrap"
      >
        {text}
      </blockquote>
      <div className="grid grid-cols-3 gap-2 pt-2.5">
        <Button size="small" onClick={() => onPick(text, false)}>
          Usar
        </Button>
        <Button size="small" variant="soft" onClick={() => onPick(text, true)}>
          Editar
        </Button>
        <span className="grid rounded-md bg-surface-2">
          <Button size="small" variant="quiet" onClick={onDismiss}>
            Dispensar
          </Button>
        </span>
      </div>
    </section>
  )
}
