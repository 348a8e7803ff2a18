// Publishes an agent's drafts, with a second confirmation if tests fail; or discards them.
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { discardDrafts, publishDrafts } from '../prompts/prompts-data.ts'

const PUBLISHING = 'Publicando…'
const ANYWAY = 'Publicar assim mesmo'
const LOOK = 'Voltar e ver'
const PUBLISHED = 'Publicado. O agente já usa os textos novos.'
const FAILED = 'Não foi possível publicar.'
const DISCARD = 'Descartar rascunho'
const DISCARD_QUESTION = 'Descartar o rascunho?'
const DISCARD_CONSEQUENCE = 'Os textos voltam a ser os publicados.'

/** The server refuses these publications until the user confirms them a second time. */
const QUESTION: Record<string, string> = {
  'draft.overtaken': 'Publicar por cima?',
  'draft.untested': 'Publicar sem testar?',
  'draft.failing': 'Publicar com falhas?',
}

type PublishingProps = {
  agentId: number
  mark: string
  /** The version number that the draft gets. */
  version: number
  isRunning: boolean
  /** Titles of conversations that passed with the published texts. */
  worse: readonly string[]
}

export function Publishing({ agentId, mark, version, isRunning, worse }: PublishingProps) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation(publishDrafts(agentId))
  const discard = useMutation({ ...discardDrafts(agentId), onError: () => toast(FAILED, 'error') })
  const publish = (isAskedTwice: boolean) =>
    mutate(
      { mark, isAskedTwice },
      {
        onSuccess: () => toast(PUBLISHED, 'success'),
        onError: (error) => {
          const question = error instanceof PortalError ? QUESTION[error.code] : undefined
          if (question === undefined)
            return toast(error instanceof PortalError ? error.message : FAILED, 'error')
          return ask({
            question,
            consequence: [error.message, worse.length > 0 && worseOf(worse)].filter(Boolean).join(' '),
            action: { label: ANYWAY, run: () => publish(true), tone: 'danger' },
            cancelLabel: LOOK,
          })
        },
      },
    )
  return (
    <>
      <IconButton
        icon={Trash2}
        label={DISCARD}
        disabled={!isOnline}
        onClick={() =>
          ask({
            question: DISCARD_QUESTION,
            consequence: DISCARD_CONSEQUENCE,
            action: { label: DISCARD, run: () => discard.mutate(), tone: 'danger' },
          })
        }
      />
      <Button disabled={!isOnline || isRunning} busy={isPending && PUBLISHING} onClick={() => publish(false)}>
        {`Publicar v${version}`}
      </Button>
    </>
  )
}

const worseOf = (titles: readonly string[]) =>
  `${countOf(titles.length, 'conversa piorou', 'conversas pioraram')}: ${titles.join(', ')}.`
