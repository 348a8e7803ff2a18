// The editor of one prompt: typed text is never lost, and saving detects conflicts.
import { countOf } from '#domain/count.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { ArrowLeft, Check, CircleAlert, History, Save, SearchX } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { promptsQuery } from './prompts-data.ts'
import { PROMPT_LABEL, PROMPT_PURPOSE, type PromptField, toPromptField } from '#domain/agent/agent.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { BACK, SAVING } from '#ui/texts.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { PromptHistory } from './prompt-history.tsx'
import { DRAFT, saveFailed } from '../texts.ts'
import { type Prompt, usePrompt } from './use-prompt.ts'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'

const characters = (count: number) => countOf(count, 'caractere', 'caracteres')

type EditorProps = { id: string; field: string }

export function PromptEditor({ id, field }: EditorProps) {
  const known = toPromptField(field)
  const agentId = /^\d{1,9}$/.test(id) ? Number(id) : null
  const leave = useLeave(agentId)
  if (known === null || agentId === null) return <Missing onBack={leave} />
  return <KnownEditor key={`${agentId} ${known}`} agentId={agentId} field={known} onLeave={leave} />
}

/** Returns to the agent's settings: a step back in the history, or a new visit if the editor was opened directly. */
function useLeave(agentId: number | null) {
  const router = useRouter()
  const navigate = useNavigate()
  return () => {
    if (router.history.canGoBack()) router.history.back()
    else void navigate({ to: '/prompts', search: agentId === null ? {} : { agente: agentId } })
  }
}

const UNSAVED = {
  question: 'Você tem alterações não salvas. Deseja sair mesmo assim?',
  consequence:
    'O agente continua com o texto salvo. O que você escreveu fica guardado neste aparelho como rascunho.',
}

type KnownProps = { agentId: number; field: PromptField; onLeave: () => void }

function KnownEditor({ agentId, field, onLeave }: KnownProps) {
  usePageTitle(PROMPT_LABEL[field])
  const { data: agent } = useQuery(promptsQuery(agentId))
  const prompt = usePrompt(agentId, field)
  const isOnline = useIsOnline()
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  useUnsavedGuard(prompt.isDirty, UNSAVED)
  useEditorKeys({ onSave: () => isOnline && prompt.save(), onEscape: onLeave })
  if (agent === null) return <Missing onBack={onLeave} />
  const { standing, isDirty, isSaving, hasJustSaved } = prompt
  return (
    <div className="mx-auto flex max-w-270 flex-col">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-3 pb-4">
        <span className="-ml-3">
          <IconButton icon={ArrowLeft} label={BACK} onClick={onLeave} />
        </span>
        <div className="min-w-0 grow basis-60">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-24 font-semibold tracking-heading">{PROMPT_LABEL[field]}</h1>
            {isDirty ? (
              <Badge tone="warning">
                <Dot />
                Alterações não salvas
              </Badge>
            ) : (
              standing?.isDraft && <Badge tone="info">{DRAFT}</Badge>
            )}
          </div>
          <p className="min-h-5 text-14 text-text-3">
            {agent &&
              `${agent.name} · ${standing?.isDraft ? 'O agente usa a versão publicada até este rascunho ser publicado' : PROMPT_PURPOSE[field]}`}
          </p>
        </div>
        <span className="flex grow flex-wrap gap-2 *:grow md:grow-0">
          <Button variant="line" icon={History} onClick={() => setHistoryOpen(true)}>
            Histórico
          </Button>
          <Button
            variant={hasJustSaved ? 'success' : 'primary'}
            icon={hasJustSaved ? Check : Save}
            disabled={!hasJustSaved && (!isDirty || !isOnline)}
            busy={isSaving && SAVING}
            onClick={prompt.save}
          >
            {hasJustSaved ? 'Salvo!' : 'Salvar Alterações'}
          </Button>
        </span>
      </header>
      <Notices prompt={prompt} isOnline={isOnline} />
      {standing ? (
        <Text prompt={prompt} />
      ) : prompt.read.error ? (
        <FailedRead of={prompt.read} title="Erro ao carregar dados do prompt" />
      ) : (
        <Skeleton className="h-[500px] rounded-card!" />
      )}
      <ConflictDialog prompt={prompt} />
      <PromptHistory
        agentId={agentId}
        field={field}
        prompt={prompt}
        isOpen={isHistoryOpen}
        onClose={() => setHistoryOpen(false)}
      />
    </div>
  )
}

/** Keyboard shortcuts of the whole page. While a dialog is open, Escape closes the dialog only. */
function useEditorKeys({ onSave, onEscape }: { onSave: () => void; onEscape: () => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey
    if (isSave) {
      event.preventDefault()
      if (!event.repeat) onSave()
    } else if (event.key === 'Escape' && !event.isComposing && !document.querySelector('dialog[open]')) {
      onEscape()
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function Notices({ prompt, isOnline }: { prompt: Prompt; isOnline: boolean }) {
  const { saveError, isDirty, isRestored, give } = prompt
  return (
    <div className="flex flex-col gap-2 not-empty:pb-3">
      {saveError && (
        <p
          role="alert"
          className="flex gap-2 rounded-tab bg-danger-soft px-4 py-2.5 text-14 text-on-danger-soft"
        >
          <Icon of={CircleAlert} size={18} />
          <span className="min-w-0 wrap-anywhere">{saveFailed(saveError.message)}</span>
        </p>
      )}
      {isRestored && (
        <output className="flex flex-wrap items-center gap-x-3 rounded-tab bg-warning-soft py-0.5 pr-1 pl-4 text-14 text-on-warning-soft">
          <span className="grow py-2">Este texto é um rascunho deste aparelho e ainda não foi salvo.</span>
          <button type="button" onClick={give} className="min-h-11 rounded-md px-3 font-semibold">
            Descartar rascunho
          </button>
        </output>
      )}
      {!isOnline && isDirty && (
        <output className="rounded-tab bg-banner px-4 py-2.5 text-14 font-medium text-on-banner">
          Sem conexão. Rascunho guardado.
        </output>
      )}
    </div>
  )
}

function Text({ prompt: { text, write, isDirty } }: { prompt: Prompt }) {
  return (
    <>
      <textarea
        value={text}
        aria-label="Texto do prompt"
        spellCheck
        autoCapitalize="sentences"
        onChange={({ target }) => write(target.value)}
        className="block h-[500px] w-full resize-y rounded-card bg-surface px-4 py-4 font-mono text-16 leading-[1.6] text-text shadow-input outline-none focus:shadow-input-focus lg:px-7 lg:py-6 lg:text-14"
      />
      <p className="flex flex-wrap items-center gap-x-4 px-1.5 pt-2.5 text-13 text-text-3 tabular-nums">
        <span>{characters(text.length)}</span>
        <span className={`inline-flex items-center ${isDirty ? 'text-warning' : 'text-success'}`}>
          <Dot />
          {isDirty ? 'Modificado' : 'Salvo'}
        </span>
        <span className="ml-auto pointer-coarse:hidden">{isApple() ? '⌘ S' : 'Ctrl + S'} salva</span>
      </p>
    </>
  )
}

const isApple = () => /mac|iphone|ipad/i.test(navigator.platform)

function Dot() {
  return <span aria-hidden className="mr-1.5 size-2 rounded-full bg-current" />
}

function Missing({ onBack }: { onBack: () => void }) {
  return (
    <State kind="empty" icon={SearchX} title="Prompt ou campo não encontrado">
      <Button variant="soft" onClick={onBack}>
        {BACK}
      </Button>
    </State>
  )
}
