// An agent's turns in a conversation: how each ended and why, what it used, what it cost.
import { Check } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reasonWords } from '#domain/agent/turn.ts'
import { countOf } from '#domain/count.ts'
import { formatHour } from '#domain/format.ts'
import { formatCost } from '#domain/reais.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { agentTurnsQuery, type Turn } from './data.ts'
import { MakeCase } from './make-case.tsx'
import type { Inspecting } from './turn-marks.tsx'

export const TITLE = 'Turnos do agente'
const NONE = 'O agente ainda não agiu nesta conversa.'
const FAILED = 'Não foi possível carregar os turnos.'
const STATE = {
  waiting: ['Espera outra mensagem', 'neutral'],
  thinking: ['Pensando', 'info'],
  proposed: ['Sugerido', 'primary'],
  sent: ['Enviado', 'success'],
  silent: ['Sem resposta', 'neutral'],
  stale: ['Descartado', 'neutral'],
  refused: ['Recusado', 'warning'],
  failed: ['Falhou', 'danger'],
} as const satisfies Record<Turn['state'], readonly [string, string]>
const TOOL: Readonly<Record<string, string>> = {
  buscar_fatos: 'Buscar fatos',
  anotar_interesse: 'Anotar interesse',
  lembrar: 'Lembrar',
  material: 'Material',
  agendar_visita: 'Agendar visita',
  encerrar: 'Encerrar',
  nada_a_dizer: 'Nada a dizer',
  sair: 'Parar de escrever',
  chamar_corretor: 'Chamar o corretor',
}
/** Names the checks that the portal runs before it sends an agent's message. */
const CHECKED = ['Nenhum preço sem fonte', 'Nenhuma promessa sem registro', 'A pessoa aceita mensagens']

const tokensText = ({ inputTokens, outputTokens, isEstimated }: Turn) =>
  `${isEstimated ? 'cerca de ' : ''}${countOf(inputTokens, 'token lido', 'tokens lidos')}, ${countOf(outputTokens, 'escrito', 'escritos')}`

type TurnsPanelProps = Inspecting & {
  /** True in a sheet, which has its own title. */
  isTitled?: boolean
}

export function TurnsPanel({ agentId, contactId, inspected, onInspect, isTitled = false }: TurnsPanelProps) {
  const read = useQuery(agentTurnsQuery(agentId, contactId))
  const { data: turns } = read
  return (
    <section aria-label={TITLE} className="flex min-h-0 flex-col overflow-y-auto p-4">
      {!isTitled && <h2 className="pb-3 text-16 font-semibold">{TITLE}</h2>}
      {!turns ? (
        read.error ? (
          <FailedRead of={read} title={FAILED} isRow />
        ) : (
          <Skeleton className="h-24 rounded-md!" />
        )
      ) : turns.length === 0 ? (
        <p className="text-14 text-text-2">{NONE}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {turns.map((turn) => (
            <li key={turn.id}>
              <TurnRow
                agentId={agentId}
                turn={turn}
                isOpen={turn.id === inspected}
                onOpen={(isOpen) => onInspect(isOpen ? turn.id : null)}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

type TurnRowProps = { agentId: number; turn: Turn; isOpen: boolean; onOpen: (isOpen: boolean) => void }

function TurnRow({ agentId, turn, isOpen, onOpen }: TurnRowProps) {
  const { number, state } = turn
  const [label, tone] = STATE[state]
  const row = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <details
      ref={row}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onOpen(currentTarget.open)
      }}
      className="rounded-md bg-surface shadow-line"
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-3 py-2 text-14 font-medium">
        <span className="grow">Turno {number}</span>
        <Badge tone={tone}>{label}</Badge>
      </summary>
      <TurnFacts turn={turn} />
      {state === 'sent' && (
        <ul aria-label="Conferido antes de enviar" className="flex flex-col gap-1.5 px-3 pb-3 text-13">
          {CHECKED.map((words) => (
            <li key={words} className="flex items-center gap-2">
              <Icon of={Check} size={16} className="text-success" />
              {words}
            </li>
          ))}
        </ul>
      )}
      {state !== 'waiting' && (
        <div className="px-2 pb-2">
          <MakeCase agentId={agentId} turn={turn} />
        </div>
      )}
    </details>
  )
}

/** Time, trigger, model and cost of a turn, the reason of its end, and its text. */
function TurnFacts({ turn }: { turn: Turn }) {
  const { reason, beganAt, endedAt, costMicros, isUnpriced } = turn
  return (
    <dl className="grid grid-cols-[5.5rem_1fr] gap-x-3 gap-y-2 border-t border-border px-3 py-3 text-13">
      <dt className="text-text-3">Quando</dt>
      <dd className="tabular-nums">
        {formatHour(beganAt)}
        {endedAt !== null && ` a ${formatHour(endedAt)}`} ·{' '}
        <span className="whitespace-nowrap">{formatCost(costMicros, isUnpriced)}</span>
      </dd>
      <dt className="text-text-3">Leu</dt>
      <dd>{countOf(turn.bubbles, 'mensagem', 'mensagens juntas')}</dd>
      {turn.version > 0 && (
        <>
          <dt className="text-text-3">Textos</dt>
          <dd className="tabular-nums">{`Versão ${turn.version}`}</dd>
        </>
      )}
      {turn.model !== null && (
        <>
          <dt className="text-text-3">Modelo</dt>
          <dd className="wrap-anywhere">
            {turn.model}
            <span className="block text-text-2 tabular-nums">{tokensText(turn)}</span>
          </dd>
        </>
      )}
      {reason !== null && (
        <>
          <dt className="text-text-3">Parou porque</dt>
          <dd className="wrap-anywhere">{reasonWords(reason, turn.missing)}</dd>
        </>
      )}
      {turn.body && (
        <>
          <dt className="text-text-3">Escreveu</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">{turn.body}</dd>
        </>
      )}
      {turn.sources.length > 0 && (
        <>
          <dt className="text-text-3">Fatos</dt>
          <dd>{turn.sources.map((source) => source.label).join(', ')}</dd>
        </>
      )}
      {turn.steps.length > 0 && (
        <>
          <dt className="text-text-3">O que usou</dt>
          <dd>
            {turn.steps.map(({ name, result }) => (
              <p key={`${name} ${result}`} className="wrap-anywhere">
                <span className="font-medium">{TOOL[name] ?? name}</span>: {result}
              </p>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}
