// The holder of the conversation (the agent, a person, or nobody yet), and buttons to take it, give it back or pass it
// on.
import { formatDate, formatHour, formatRelative } from '#domain/format.ts'
import { useMutation } from '@tanstack/react-query'
import { ArrowLeftRight, Bot, Hourglass, type LucideIcon, Pause as PauseIcon, UserRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { type AgentConversation, pauseConversation } from './conversations-data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { type AgentState, isPaused, type Pause } from '#domain/agent/agent.ts'
import { calledWords } from '#domain/agent/turn.ts'
import { displayName } from '#domain/broker.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useNow } from '#ui/now.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'

const REASON = {
  person: (by: string) => `por ${by}`,
  portal: (by: string) => `porque ${by} respondeu pelo portal`,
  phone: (by: string) => `porque ${by} respondeu pelo celular`,
  automatic: () => 'parece resposta automática',
} satisfies Record<Pause['reason'], (by: string) => string>
/** For example 'Pausado até 23/11 às 14:00, porque camila respondeu pelo celular.' */
function pauseSentence({ reason, by, untilMs }: Pause): string {
  const until =
    untilMs === null ? 'até ser retomado' : `até ${formatDate(untilMs).slice(0, 5)} às ${formatHour(untilMs)}`
  return `Pausado ${until}, ${REASON[reason](by)}.`
}

/** Per agent state, why the agent answers in no conversation; empty if it answers. */
const SILENCE: Record<AgentState, string> = {
  available: '',
  paused: 'O agente está pausado para todas as conversas.',
  'no-prompt': 'Sem prompt: o agente não tem o que responder.',
  offline: 'O WhatsApp deste agente está desconectado: nada é respondido aqui.',
  'no-engine': 'Sem motor: ninguém responde aqui ainda.',
  suggests: 'O agente sugere respostas ao corretor. Ninguém responde aqui sozinho.',
  spent: 'Parado: limite do mês atingido. As conversas ficam com os corretores.',
  off: 'O agente está desligado.',
}

/** Shown while the agent's mode excludes this number but covers others. */
const ELSEWHERE = 'O agente não responde neste número.'

/** Same hour as in portal.is_after_hours, where the agent's hours begin at 20h. */
const RESTING = 'Agora é o horário dos corretores. O agente volta às 20h.'

const PAUSE_LENGTHS: readonly { label: string; minutes: number | null }[] = [
  { label: 'Por 1 hora', minutes: 60 },
  { label: 'Por 24 horas', minutes: 24 * 60 },
  { label: 'Por 7 dias', minutes: 7 * 24 * 60 },
  { label: 'Até eu retomar', minutes: null },
]

const GIVE_BACK = 'Devolver ao agente'

type TakeoverProps = {
  agentId: number
  /** Undefined while the agent's state is loading. */
  state: AgentState | undefined
  conversation: AgentConversation
  /** Transfers the lead to another broker. */
  onPass: (lead: Lead) => void
}

export function Takeover({ agentId, state, conversation, onPass }: TakeoverProps) {
  const { lead, pause } = conversation
  const nowMs = useNow()
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({
    ...pauseConversation(agentId),
    onError: (_error, intent) =>
      toast(
        intent.isPaused
          ? 'Erro ao pausar o agente. Tente novamente.'
          : 'Erro ao retomar o agente. Tente novamente.',
        'error',
      ),
  })
  const button = useRef<HTMLSpanElement>(null)
  const [spot, setSpot] = useState<Spot | null>(null)
  const isOff = isPaused(pause, nowMs)
  const holder = holderOf(state, isOff, conversation)
  const take = holder === 'agent' ? 'Assumir' : 'Pausar'
  const change = (intent: { isPaused: boolean; minutes: number | null }) =>
    mutate({ contactId: lead.id, ...intent })
  const choose = () => {
    const box = button.current?.getBoundingClientRect()
    if (box) setSpot({ x: box.right, y: box.bottom + 6 })
  }
  return (
    <div
      className={`flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1 ${TONE[holder]}`}
    >
      <p className="flex min-w-0 grow basis-[10rem] items-center gap-2 text-14 leading-snug">
        <Icon of={ICON[holder]} size={18} />
        <Words {...{ holder, state, conversation, nowMs }} />
      </p>
      <span ref={button} className="ml-auto">
        {holder === 'waiting' || holder === 'resting' ? (
          <Button
            icon={ArrowLeftRight}
            disabled={!isOnline}
            title={isOnline ? undefined : ONLINE_ONLY}
            aria-haspopup="dialog"
            onClick={() => onPass(lead)}
          >
            Passar para…
          </Button>
        ) : (
          <Button
            variant={holder === 'agent' ? 'primary' : 'line'}
            icon={isOff ? Bot : holder === 'agent' ? UserRound : PauseIcon}
            disabled={!isOnline}
            title={isOnline ? undefined : ONLINE_ONLY}
            aria-haspopup={isOff ? undefined : 'menu'}
            busy={isPending && (isOff ? GIVE_BACK : take)}
            onClick={isOff ? () => change({ isPaused: false, minutes: null }) : choose}
          >
            {isOff ? GIVE_BACK : take}
          </Button>
        )}
      </span>
      <ActionMenu
        isOpen={spot !== null}
        onClose={() => setSpot(null)}
        title="Pausar o agente nesta conversa"
        spot={spot ?? NO_SPOT}
        actions={PAUSE_LENGTHS.map(({ label, minutes }) => ({
          label,
          icon: PauseIcon,
          run: () => change({ isPaused: true, minutes }),
        }))}
      />
    </div>
  )
}

type WordsProps = Pick<TakeoverProps, 'state' | 'conversation'> & { holder: Holder; nowMs: number }

function Words({ holder, state, conversation, nowMs }: WordsProps) {
  const { lead, pause, calledAtMs, calledFor, answersLater, hasBroker } = conversation
  return (
    <output>
      {holder === 'agent' ? (
        <>
          <b className="font-semibold">O agente conduz esta conversa.</b>{' '}
          {'Se você escrever, ele para por 24 horas.'}
        </>
      ) : holder === 'waiting' ? (
        <>
          {calledAtMs !== null && (
            <b className="font-semibold">{`${calledWords(calledFor, formatRelative(calledAtMs, nowMs))}. `}</b>
          )}
          {hasBroker ? `${displayName(lead.instanceName)} ainda não respondeu.` : 'Ainda não tem corretor.'}
        </>
      ) : isPaused(pause, nowMs) && state !== 'paused' ? (
        pauseSentence(pause)
      ) : (
        state && (state === 'available' ? (answersLater ? RESTING : ELSEWHERE) : SILENCE[state])
      )}
    </output>
  )
}

type Holder = 'agent' | 'person' | 'waiting' | 'resting' | 'broker' | 'stopped'

export function holderOf(
  state: AgentState | undefined,
  isOff: boolean,
  { calledAtMs, answersHere, answersLater, hasBroker }: AgentConversation,
): Holder {
  if (isOff) return 'person'
  if (calledAtMs !== null) return 'waiting'
  if (state === undefined || state === 'suggests' || state === 'off') return 'broker'
  if (state !== 'available') return 'stopped'
  if (answersHere) return 'agent'
  return hasBroker ? 'broker' : answersLater ? 'resting' : 'waiting'
}

const TONE: Record<Holder, string> = {
  agent: 'bg-primary-soft text-on-primary-soft',
  person: 'bg-surface-2 text-text-2',
  waiting: 'bg-warning-soft text-on-warning-soft',
  resting: 'bg-surface-2 text-text-2',
  broker: 'bg-surface text-text-2',
  stopped: 'bg-danger-soft text-on-danger-soft',
}
const ICON: Record<Holder, LucideIcon> = {
  agent: Bot,
  person: UserRound,
  waiting: Hourglass,
  resting: Bot,
  broker: UserRound,
  stopped: PauseIcon,
}

const NO_SPOT: Spot = { x: 0, y: 0 }
