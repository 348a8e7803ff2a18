// The first steps of a new agency, up to the first answered lead: five steps, their progress, and what is
// missing.
import { displayName } from './broker.ts'
import { spanWords } from './lead/path.ts'

export type FirstHour = {
  brokers: number
  /** The broker who is closest to ready; null if there is no broker. */
  broker: { instanceName: string; hasPassword: boolean; isLinked: boolean; isTold: boolean } | null
  sources: number
  /**
   * A lead that a source brought, if possible one that was answered. `seconds` is null if it has no answer yet;
   * `isOwned` is false if it has no broker.
   */
  lead: { name: string; seconds: number | null; isOwned: boolean } | null
  /** Who owns the test lead; null if there is no test lead. */
  test: { instanceName: string | null } | null
  /** The public address of the portal; null if none is set. */
  address: string | null
  /** The state of backups; null if an external database server stores the data. */
  backup: { lastAtMs: number | null; isFailing: boolean } | null
  gateway: {
    source: 'environment' | 'kept' | 'demo' | 'none'
    url: string | null
    health: string
    /** Null without a gateway. */
    kind: string | null
  }
  /** A link exists or is in progress, but the gateway never reported it. */
  isUnheard: boolean
  /**
   * The address at which the gateway must reach the portal. `isElsewhere`: the gateway seems to run on another machine,
   * where this address means something else.
   */
  webhook: { url: string; isElsewhere: boolean }
}

export const STEPS = ['portal', 'gateway', 'broker', 'source', 'answer'] as const
export type StepName = (typeof STEPS)[number]
/** `fault`: what prevents the step, or what is still recommended after it. `isWaiting`: the step only needs time. */
export type Step = {
  name: StepName
  isDone: boolean
  told: string | null
  fault: string | null
  isWaiting?: boolean
}

const GATEWAY_FAULTS: Readonly<Record<string, string>> = {
  unreachable: 'O serviço não responde neste endereço.',
  unsupported: 'O serviço deste endereço não é dos que o portal conhece, ou é antigo demais.',
  unlicensed: 'O serviço ainda não foi ativado por quem cuida dele.',
  unauthorized: 'O serviço recusa a chave.',
}

/** `isLocal`: the page was opened on the machine on which the portal runs. */
export function stepsOf(hour: FirstHour, isLocal: boolean): Step[] {
  return [portalStep(hour, isLocal), gatewayStep(hour), brokerStep(hour), sourceStep(hour), answerStep(hour)]
}

/** For example 'Respondido em 2 min 10 s.'. */
export const answeredWords = (seconds: number): string => `Respondido em ${exactSpan(seconds)}.`

/** Returns a duration, to the second if it is less than an hour. */
function exactSpan(seconds: number): string {
  const rest = seconds % 60
  if (seconds < 60 || seconds >= 3600 || rest === 0) return spanWords(seconds)
  return `${spanWords(seconds)} ${rest} s`
}

/** True once a broker exists and a lead was answered, so that the guide is finished. */
export const isOver = ({ brokers, lead }: FirstHour): boolean =>
  brokers > 0 && (lead?.seconds ?? null) !== null

function portalStep({ address, backup }: FirstHour, isLocal: boolean): Step {
  const isSafe = address?.startsWith('https://') ?? false
  const place = isSafe
    ? null
    : isLocal
      ? 'Por enquanto só neste computador: para os celulares, quem cuida do servidor define PUBLIC_URL com https.'
      : 'Falta o endereço seguro: sem PUBLIC_URL com https os celulares não instalam o aplicativo nem recebem avisos.'
  return {
    name: 'portal',
    isDone: isSafe || isLocal,
    told: isSafe ? 'Banco de dados e endereço seguro conferidos.' : 'Banco de dados conferido.',
    fault: [place, backupFault(backup)].filter(Boolean).join(' ') || null,
  }
}

function backupFault(backup: FirstHour['backup']): string | null {
  if (!backup) return 'O backup é do seu servidor Postgres: confira se ele o faz todo dia.'
  if (backup.isFailing) return 'O último backup falhou: veja a saúde do sistema.'
  return backup.lastAtMs === null
    ? 'O primeiro backup ainda não saiu; guarde cópias também fora desta máquina.'
    : null
}

function gatewayStep({ gateway: { source, url, health }, isUnheard, webhook }: FirstHour): Step {
  const name = 'gateway'
  if (source === 'none') return { name, isDone: false, told: null, fault: null }
  const fault = GATEWAY_FAULTS[health] ?? (isUnheard ? unheard(webhook.url) : null)
  if (fault !== null) return { name, isDone: false, told: null, fault }
  const where = source === 'kept' ? `Ligado em ${url ?? ''}.` : 'Ligado pelas configurações do servidor.'
  return { name, isDone: true, told: where, fault: webhook.isElsewhere ? elsewhere(webhook.url) : null }
}

const unheard = (url: string) =>
  `O serviço responde, mas não alcança o portal em ${url}: as mensagens não chegam aqui. Para resolver, ${MEND_WEBHOOK}`

const elsewhere = (url: string) =>
  `O serviço vai procurar o portal em ${url}, que só vale na mesma máquina. Se ele está em outra, ${MEND_WEBHOOK}`

const MEND_WEBHOOK =
  'quem cuida do servidor define WEBHOOK_BASE_URL com um endereço do portal que o serviço alcance e reinicia o portal.'

function brokerStep({ broker }: FirstHour): Step {
  const isDone = broker?.isLinked ?? false
  const name = broker ? displayName(broker.instanceName) : ''
  return {
    name: 'broker',
    isDone,
    isWaiting: true,
    told: isDone ? `${name} está com o WhatsApp conectado.` : null,
    fault: !broker
      ? null
      : isDone
        ? broker.isTold
          ? null
          : `Falta ligar os avisos no celular de ${name}: em Conta, Avisos.`
        : broker.hasPassword
          ? `${name} já entrou; falta conectar o WhatsApp pelo celular.`
          : `${name} ainda não abriu o convite.`,
  }
}

const sourceStep = ({ sources }: FirstHour): Step => ({
  name: 'source',
  isDone: sources > 0,
  told: sources > 0 ? (sources === 1 ? '1 fonte ligada.' : `${sources} fontes ligadas.`) : null,
  fault: null,
})

function answerStep({ lead }: FirstHour): Step {
  const isDone = (lead?.seconds ?? null) !== null
  return {
    name: 'answer',
    isDone,
    isWaiting: true,
    told: isDone && lead ? `${lead.name} teve resposta em ${exactSpan(lead.seconds ?? 0)}.` : null,
    fault:
      !lead || isDone
        ? null
        : lead.isOwned
          ? `${lead.name} chegou e espera resposta.`
          : `${lead.name} chegou e está sem corretor. Passe para um corretor; com uma roleta, os próximos vão sozinhos.`,
  }
}
