// 'Informações' of an agent: its number, its audience, its number of answers, and its pause.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type AgentInfo, agentInfoQuery, moveAgent, pauseAgent } from '#data/agents.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { type Agent, agentState, PROMPT_LABEL } from '#domain/agent/agent.ts'
import { PortalError } from '#domain/errors.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY, SAVING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { InstanceField } from './instance-field.tsx'
import { StateBadge } from './state-badge.tsx'
import { DETAILS_FAILED, INFO, saveFailed } from './texts.ts'

const NEVER_EDITED = 'Nenhum texto salvo'

const versionOf = (version: number) => (version === 0 ? NEVER_EDITED : `Versão ${version}`)

const PAUSE_AGENT = 'Pausar agente'

type DrawerProps = {
  /** Null while the sheet is closed. */
  agent: Agent | null
  onClose: () => void
}

export function AgentInfoDrawer({ agent, onClose }: DrawerProps) {
  // The closing animation still shows this agent, so that the text does not vanish at once.
  const [last, setLast] = useState(agent)
  if (agent && agent !== last) setLast(agent)
  if (!last) return null
  return (
    <Dialog isOpen={agent !== null} onClose={onClose} title={last.name} subtitle={INFO} width="side">
      <Facts key={last.id} agent={last} />
    </Dialog>
  )
}

function Facts({ agent }: { agent: Agent }) {
  const read = useQuery(agentInfoQuery(agent.id))
  const { data: info } = read
  return (
    <div className="flex flex-col gap-5 px-3 pt-2">
      <div className="flex items-center gap-2">
        <StateBadge state={agentState(agent)} />
      </div>
      {info ? (
        <InfoRows info={info} />
      ) : read.error ? (
        <FailedRead of={read} title={DETAILS_FAILED} />
      ) : (
        <Skeleton className="h-72 rounded-md!" />
      )}
      <CentralInstanceField agent={agent} />
      {agent.instanceName !== null && !agent.isLinked && (
        <p className="-mt-3 text-14 leading-snug text-text-2">
          {'Este WhatsApp está desconectado.'}{' '}
          <Link to="/" className="font-semibold text-primary underline-offset-2 hover:underline">
            Conectar em Gerenciar Corretores
          </Link>
        </p>
      )}
      <PauseButton agent={agent} />
    </div>
  )
}

function InfoRows({ info }: { info: AgentInfo }) {
  const { version, lastEdit, paused, activeCount, pausedCount, replyCount, roleta: rotation } = info
  return (
    <dl className="flex flex-col divide-y divide-border">
      {paused && <Row name="Pausa">{`Pausado por ${paused.by} em ${formatDateTime(paused.sinceMs)}`}</Row>}
      <Row name="Versão publicada">{versionOf(version)}</Row>
      <Row name="Última edição">
        {lastEdit ? (
          <>
            {PROMPT_LABEL[lastEdit.field]}
            <span className="block text-13 text-text-3">{`${lastEdit.by}, em ${formatDateTime(lastEdit.atMs)}`}</span>
          </>
        ) : (
          NEVER_EDITED
        )}
      </Row>
      <Row name="Conversas ativas">
        {formatNumber(activeCount)}
        <span className="block text-13 text-text-3">nos últimos 30 dias</span>
      </Row>
      <Row name="Conversas pausadas">{formatNumber(pausedCount)}</Row>
      <Row name="Respostas em 7 dias">{formatNumber(replyCount)}</Row>
      <Row name="Roleta">
        {rotation ? (
          <>
            {rotation.name}
            <span className="block text-13 text-text-3">
              {rotation.isActive ? 'Ativa' : 'Inativa'} ·{' '}
              {countOf(rotation.brokerCount, 'corretor', 'corretores')}
            </span>
          </>
        ) : (
          'Nenhuma roleta com este empreendimento'
        )}
      </Row>
    </dl>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2.5 text-14">
      <dt className="text-text-3">{name}</dt>
      <dd className="text-right font-medium tabular-nums wrap-anywhere">{children}</dd>
    </div>
  )
}

/** If another agent uses the instance, the toast names the conflict, because a retry would not help. */
function toastFailure(error: Error) {
  const isTaken = error instanceof PortalError && error.code === 'agent.instance-taken'
  toast(isTaken ? saveFailed(error.message) : 'Erro ao salvar alterações. Tente novamente.', 'error')
}

function CentralInstanceField({ agent }: { agent: Agent }) {
  const isOnline = useIsOnline()
  const { mutate, isPending, variables } = useMutation({ ...moveAgent(agent.id), onError: toastFailure })
  return (
    <InstanceField
      agent={agent.name}
      value={isPending ? variables : agent.instanceName}
      isDisabled={isPending || !isOnline}
      onChange={(instanceName) => mutate(instanceName)}
    />
  )
}

/** The administrator confirms a pause, because it silences the agent in every conversation at once. */
function PauseButton({ agent: { id, name, pausedAtMs } }: { agent: Agent }) {
  const isOnline = useIsOnline()
  const { mutate, isPending } = useMutation({ ...pauseAgent(id), onError: toastFailure })
  const isPaused = pausedAtMs !== null
  const run = () => mutate(!isPaused)
  const press = () => {
    if (isPaused) return run()
    ask({
      question: `Pausar o agente ${name}?`,
      consequence: 'Ele deixa de responder a todas as conversas até ser retomado.',
      action: { label: PAUSE_AGENT, run, tone: 'primary' },
    })
  }
  return (
    <Button
      variant={isPaused ? 'primary' : 'line'}
      icon={isPaused ? Play : Pause}
      disabled={!isOnline}
      title={isOnline ? undefined : ONLINE_ONLY}
      busy={isPending && SAVING}
      onClick={press}
    >
      {isPaused ? 'Retomar agente' : PAUSE_AGENT}
    </Button>
  )
}
