// Makes an agent forget the chat with a phone number: the field, its button, and the result.
import { formatNumber } from '#domain/count.ts'
import { type ChatNumber } from '#domain/phone/chat-number.ts'
import { useMutation } from '@tanstack/react-query'
import { Phone, Trash2, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { forgetChat } from '#data/agents.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { readChatNumber } from '#domain/phone/chat-number.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'

function deletionResult(number: string, deleted: number): string {
  if (deleted === 0)
    return `Nenhuma mensagem encontrada para o número ${number}. Histórico já estava vazio ou número não existe.`
  return deleted === 1
    ? `✅ 1 mensagem deletada com sucesso para ${number}`
    : `✅ ${formatNumber(deleted)} mensagens deletadas com sucesso para ${number}`
}

const PHONE_FAULT = {
  empty: 'Por favor, informe um número de telefone válido.',
  short: 'Número muito curto. Digite pelo menos 8 dígitos.',
  'no-area': 'Falta o DDD do estado. Adicione o DDD antes do número (ex: 11, 21, 41).',
  local: 'Por favor, adicione o DDD do estado (ex: 11, 21, 41, etc.) antes do número.',
} satisfies Record<Extract<ChatNumber, { ok: false }>['reason'], string>

const deleteQuestion = (number: string) => `Deletar o histórico de chat de ${number}?`

const DELETE = 'Deletar'

type Result = { tone: 'success' | 'warning' | 'danger'; text: string }

/** An empty or too short number is an error; a number that only lacks its area or country code is a warning. */
const FAULT_TONE = { empty: 'danger', short: 'danger', 'no-area': 'warning', local: 'warning' } as const

export type Deletion = ReturnType<typeof useDeletion>

export function useDeletion(agentId: number) {
  const [number, setNumber] = useState('')
  const [result, setResult] = useState<Result | null>(null)
  const { mutate, isPending } = useMutation(forgetChat(agentId))
  const forget = () =>
    mutate(number, {
      onSuccess: ({ number: shownNumber, deleted }) => {
        setNumber('')
        setResult({ tone: deleted === 0 ? 'warning' : 'success', text: deletionResult(shownNumber, deleted) })
      },
      onError: () =>
        setResult({ tone: 'danger', text: 'Erro ao deletar histórico de chat. Tente novamente.' }),
    })
  const run = () => {
    if (isPending) return
    const read = readChatNumber(number)
    if (!read.ok) return setResult({ tone: FAULT_TONE[read.reason], text: PHONE_FAULT[read.reason] })
    setResult(null)
    ask({
      question: deleteQuestion(formatPhone(read.digits)),
      consequence: 'O agente esquece tudo o que já conversou com este número. Não dá para desfazer.',
      action: { label: DELETE, run: forget },
    })
  }
  return { number, setNumber, isPending, run, result, dismiss: () => setResult(null) }
}

export function DeletionForm({ deletion: { number, setNumber, isPending, run } }: { deletion: Deletion }) {
  const isOnline = useIsOnline()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isOnline) run()
  }
  return (
    <form
      noValidate
      aria-labelledby={id}
      onSubmit={submit}
      className="flex w-full flex-wrap gap-x-2 gap-y-1 *:grow md:w-auto md:max-w-92"
    >
      <p id={id} className="w-full text-13 text-text-2">
        Histórico de chat do agente com um número
      </p>
      <span className="flex min-h-12 min-w-0 basis-48 items-center gap-2.5 rounded-ctl bg-surface pl-3 shadow-input focus-within:shadow-input-focus md:w-56 md:basis-auto lg:min-h-10">
        <Icon of={Phone} size={18} className="text-text-3" />
        <input
          type="tel"
          inputMode="tel"
          autoComplete="off"
          aria-label="Número de telefone"
          placeholder="(11) 95550-0187"
          value={number}
          readOnly={isPending}
          onChange={({ target }) => setNumber(target.value)}
          className="min-w-0 grow self-stretch rounded-ctl bg-transparent pr-3 text-16 tabular-nums shadow-none! outline-none placeholder:text-text-3 lg:text-14"
        />
      </span>
      <Button
        type="submit"
        variant="dangerLine"
        icon={Trash2}
        disabled={!isOnline}
        title={isOnline ? 'Deletar o histórico de chat deste número' : ONLINE_ONLY}
        aria-describedby={id}
        busy={isPending && 'Deletando...'}
      >
        {DELETE}
      </Button>
    </form>
  )
}

const TONE = {
  success: 'bg-success-soft text-on-success-soft',
  warning: 'bg-warning-soft text-on-warning-soft',
  danger: 'bg-danger-soft text-on-danger-soft',
}

export function DeletionResult({ deletion: { result, dismiss } }: { deletion: Deletion }) {
  // The output element exists before it has text, because screen readers announce changes only.
  return (
    <output className="block not-empty:pb-4">
      {result && (
        <div
          className={classNames(
            'flex items-center gap-2 rounded-tab py-0.5 pr-0.5 pl-4 text-14 font-medium',
            TONE[result.tone],
          )}
        >
          <span className="min-w-0 grow py-2 leading-snug wrap-anywhere">{result.text}</span>
          <IconButton icon={X} variant="quiet" label="Fechar aviso" onClick={dismiss} />
        </div>
      )}
    </output>
  )
}
