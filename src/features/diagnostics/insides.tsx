// Shows the portal's details to administrators: its queues with their delays, and its versions.
import { appBuild, type Health, type Insides } from '#data/diagnostics.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatDateTime, formatSize } from '#domain/format.ts'
import { Group, Row } from './rows.tsx'
import { ModelHealth } from './model-health.tsx'
import { spanOf } from './texts.ts'

type AllInsidesProps = { health: Health; insides: Insides }

export function AllInsides({ health, insides }: AllInsidesProps) {
  return (
    <>
      <Queues insides={insides} faults={health.faults} />
      {insides.model && <ModelHealth model={insides.model} />}
      <Versions health={health} insides={insides} />
    </>
  )
}

/** For example 'Vazia', '3, a mais antiga há 2 min'. */
function queueWords(waiting: number, oldestSeconds: number | null): string {
  if (waiting === 0) return 'Vazia'
  const count = formatNumber(waiting)
  return oldestSeconds === null ? count : `${count}, a mais antiga há ${spanOf(oldestSeconds)}`
}

type QueuesProps = { insides: Insides; faults: readonly string[] }

function Queues({ insides, faults }: QueuesProps) {
  const { webhook, links, sending, webhooks, campaigns, push, backup, workers, damagedTables } = insides
  return (
    <Group title="Filas">
      <Row name="Linhas de WhatsApp">
        {countOf(links.open, 'conectada', 'conectadas')}
        {links.dead > 0 && `, ${countOf(links.dead, 'não responde', 'não respondem')}`}
      </Row>
      <Row name="Eventos do WhatsApp">{queueWords(webhook.waiting, webhook.oldestSeconds)}</Row>
      <Row name="Eventos não lidos">{formatNumber(webhook.setAside)}</Row>
      {webhook.unknownKinds.length > 0 && (
        <Row name="Tipos de mensagem novos">
          {webhook.unknownKinds.map(({ name, seen }) => `${name} (${formatNumber(seen)})`).join(', ')}
        </Row>
      )}
      <Row name="Fila de envio">{queueWords(sending.queued, sending.oldestSeconds)}</Row>
      {webhooks && (
        <Row name="Avisos para outros sistemas">
          {queueWords(webhooks.waiting, null)}
          {webhooks.stopped > 0 && `, ${countOf(webhooks.stopped, 'endereço parado', 'endereços parados')}`}
        </Row>
      )}
      <Row name="Campanhas">{campaignWords(campaigns)}</Row>
      <Row name="Notificações">
        {queueWords(push.waiting, push.oldestSeconds)}
        {`, ${countOf(push.devices, 'aparelho', 'aparelhos')}`}
      </Row>
      {backup && <Row name="Último backup">{backupWords(backup, faults.includes('backup-late'))}</Row>}
      {workers.length > 0 && <Row name="Tarefas do servidor">{workerWords(workers)}</Row>}
      {damagedTables.length > 0 && <Row name="Tabelas danificadas">{damagedTables.join(', ')}</Row>}
    </Group>
  )
}

function backupWords(
  { lastAtMs, sizeBytes, isFailing }: NonNullable<Insides['backup']>,
  isLate: boolean,
): string {
  const last =
    lastAtMs === null ? 'nenhum ainda' : `${formatDateTime(lastAtMs)} (${formatSize(sizeBytes ?? 0)})`
  if (isFailing) return `${last}; a última tentativa falhou`
  return isLate ? `${last}; atrasado` : last
}

const WORKERS: Readonly<Record<string, string>> = {
  agents: 'agentes',
  backups: 'backup',
  campaigns: 'campanhas',
  imports: 'importações',
  intake: 'leads recebidos',
  mailbox: 'caixa de e-mail',
  'media-removal': 'exclusão de mídias',
  'media-sweep': 'limpeza de mídias',
  'media-waiting': 'mídias que esperam o depósito',
  meta: 'leads da Meta',
  'model-trial': 'teste do modelo',
  push: 'notificações',
  replica: 'réplica de leitura',
  retention: 'prazos de guarda',
  rotation: 'roleta',
  scheduled: 'mensagens agendadas',
  sending: 'envio de mensagens',
  tables: 'leitura das tabelas',
  visits: 'lembretes de visitas',
  webhooks: 'avisos para outros sistemas',
}

/** For example 'Em dia', 'campanhas: com falha há 12 min'. */
function workerWords(workers: Insides['workers']): string {
  const wrong = workers.filter(({ state }) => state !== 'ok')
  if (wrong.length === 0) return 'Em dia'
  return wrong
    .map(({ name, state, seconds }) => {
      const verb = state === 'stuck' ? 'sem avançar' : 'com falha'
      return `${WORKERS[name] ?? name}: ${verb} há ${spanOf(seconds ?? 0)}`
    })
    .join('; ')
}

function campaignWords({ running, paused, scheduled, waiting }: Insides['campaigns']): string {
  const parts = [
    running > 0 && `${running} em andamento`,
    paused > 0 && countOf(paused, 'pausada', 'pausadas'),
    scheduled > 0 && countOf(scheduled, 'agendada', 'agendadas'),
    waiting > 0 && `${countOf(waiting, 'contato', 'contatos')} por enviar`,
  ].filter(Boolean)
  return parts.length === 0 ? 'Nenhuma' : parts.join(', ')
}

function Versions({ health, insides }: { health: Health; insides: Insides }) {
  const { node, database, schema, gateway } = insides.versions
  return (
    <Group title="Versões">
      <Row name="Aplicativo">{appBuild() ?? 'em desenvolvimento'}</Row>
      <Row name="Servidor">{`${health.version} (Node.js ${node})`}</Row>
      <Row name="No ar há">{spanOf(insides.upSeconds)}</Row>
      <Row name="Banco de dados">{database}</Row>
      <Row name="Esquema">{schema}</Row>
      <Row name="Serviço de WhatsApp">{gateway ?? 'desconhecida'}</Row>
    </Group>
  )
}
