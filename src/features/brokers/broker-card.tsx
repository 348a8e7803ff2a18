// One broker: link, number, leads, last activity, and an administrator's actions.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type AnswersToday, type Invitation, privateCountsQuery, resetPassword } from '#data/brokers.ts'
import { newOperationId } from '#data/operation.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import type { Broker } from '#domain/broker.ts'
import { formatRelative } from '#domain/format.ts'
import { limitWords } from '#domain/link-limit.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { useNow } from '#ui/now.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { cardName, GIVE_BACK, MAKE_CENTRAL } from './texts.ts'
import { useCentral } from './use-central.ts'

const seen = (ago: string) => `no portal ${ago}`

const resetConsequence = (name: string) =>
  `A senha atual deixa de valer e ${name} sai de todos os aparelhos. Você recebe um link para ${name} criar outra.`

const resetQuestion = (name: string) => `Resetar a senha de ${name}?`

/** '12 de 14 respondidos hoje' */
const answersText = (today: AnswersToday | null) =>
  today === null
    ? 'nenhum lead hoje'
    : `${formatNumber(today.answered)} de ${countOf(today.received, 'respondido', 'respondidos')} hoje`

const RESET = 'Resetar senha'

export type CardActions = {
  onConnect: (broker: Broker) => void
  onInvited: (invitation: Invitation) => void
  onRemove: (broker: Broker) => void
}

type BrokerCardProps = CardActions & {
  broker: Broker
  /** Undefined while the leads are being counted. */
  total: number | undefined
  /** Null if no lead came today. Undefined while the leads are being counted. */
  today: AnswersToday | null | undefined
  isOnline: boolean
}

export function BrokerCard({ broker, total, today, isOnline, ...act }: BrokerCardProps) {
  const nowMs = useNow()
  const reset = useReset(broker, act.onInvited)
  const switchCentral = useCentral(broker)
  const { instanceName, number, pictureUrl, isCentral, state, hasPassword, seenAtMs } = broker
  const name = cardName(broker)
  const facts = [
    ...(number === null ? [] : [formatPhone(number)]),
    ...(hasPassword ? [] : ['Aguardando primeiro acesso']),
    ...(seenAtMs === null ? [] : [seen(formatRelative(seenAtMs, nowMs))]),
    ...useParticulars(instanceName),
  ]
  const limit = broker.limit && limitWords(broker.limit, name)
  const blocked = { disabled: !isOnline, title: isOnline ? undefined : ONLINE_ONLY }
  const canConnect = state !== 'open' && state !== 'unconfigured'
  return (
    <article aria-label={name} className="flex flex-col rounded-lg bg-surface shadow-card">
      <div className="flex grow flex-col px-4.5 pt-4.5 pb-3">
        <div className="flex items-start gap-3.5">
          <Avatar name={name} pictureUrl={pictureUrl} size={44} />
          <div className="min-w-0 grow">
            <div className="flex items-center gap-2">
              <h2 className="min-w-0 grow truncate text-16 leading-snug font-semibold">{name}</h2>
              <LinkBadge state={state} />
            </div>
            <div className="flex items-center gap-2">
              <p className="min-w-0 grow truncate text-14 text-text-3">{instanceName}</p>
              {isCentral && <Badge tone="info">Central</Badge>}
            </div>
          </div>
        </div>
        <Figures total={total} today={today} />
        {limit && <p className="mt-1.5 mb-2 text-13 text-danger">{limit}</p>}
        <div className="flex min-h-10 items-center gap-2">
          <p className="line-clamp-2 min-w-0 grow text-13 text-text-3 tabular-nums">{facts.join(' · ')}</p>
          {canConnect && (
            <Button
              variant="soft"
              size="small"
              aria-label={`Conectar WhatsApp de ${name}`}
              onClick={() => act.onConnect(broker)}
              {...blocked}
            >
              Conectar
            </Button>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1 border-t border-border px-2 py-1.5">
        <Button
          variant="quiet"
          size="small"
          busy={reset.isPending && 'Resetando...'}
          onClick={reset.run}
          {...blocked}
        >
          {hasPassword ? RESET : 'Novo convite'}
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={isCentral ? `Devolver o número a ${name}` : `Tornar central o número de ${name}`}
          onClick={switchCentral}
          {...blocked}
        >
          {isCentral ? GIVE_BACK : MAKE_CENTRAL}
        </Button>
        <span className="ml-auto flex">
          <IconButton
            icon={Trash2}
            label={`Remover ${name}`}
            onClick={() => act.onRemove(broker)}
            {...blocked}
          />
        </span>
      </div>
    </article>
  )
}

function Figures({ total, today }: Pick<BrokerCardProps, 'total' | 'today'>) {
  return (
    <div className="mt-4">
      <p className="flex items-baseline gap-2">
        <span className="text-30 font-bold tabular-nums">
          {total === undefined ? '–' : formatNumber(total)}
        </span>
        <span className="text-14 text-text-3">{total === 1 ? 'contato' : 'contatos'}</span>
      </p>
      <p className="min-h-5 text-14 text-text-2 tabular-nums">{today !== undefined && answersText(today)}</p>
    </div>
  )
}

/** Asks for confirmation only if a password would be lost. An account without password just gets a new link. */
function useReset(broker: Broker, onInvited: (invitation: Invitation) => void) {
  const { instanceName, hasPassword } = broker
  // The hook's callback shows the link even if the search hides the card meanwhile; one of the `mutate` call would not.
  const { mutate, isPending } = useMutation({
    ...resetPassword(),
    onSuccess: (made) => {
      if (hasPassword) toast('Senha resetada com sucesso!', 'success')
      onInvited(made)
    },
    onError: () => toast('Erro ao resetar senha do corretor', 'error'),
  })
  const reset = () => mutate({ instanceName, operationId: newOperationId() })
  const askFirst = () =>
    ask({
      question: resetQuestion(cardName(broker)),
      consequence: resetConsequence(cardName(broker)),
      action: { label: RESET, run: reset },
    })
  return { run: hasPassword ? askFirst : reset, isPending }
}

/** Shows 'Não responde' for a dead link, which the gateway reports as open although nothing goes out. */
function LinkBadge({ state }: Pick<Broker, 'state'>) {
  const isOpen = state === 'open'
  const isDead = state === 'dead'
  return (
    <Badge tone={isOpen ? 'success' : isDead ? 'danger' : 'neutral'}>
      <span
        aria-hidden
        className={classNames('mr-1.5 size-2 rounded-full', isOpen ? 'bg-success' : 'bg-border-strong')}
      />
      {isOpen ? 'Conectado' : isDead ? 'Não responde' : 'Desconectado'}
    </Badge>
  )
}

/** Administrators see only how many private contacts a broker has, never which. */
function useParticulars(instanceName: string): string[] {
  const { data } = useQuery(privateCountsQuery())
  const count = data?.[instanceName] ?? 0
  return count === 0 ? [] : [countOf(count, 'particular', 'particulares')]
}
