// A campaign: its states and labels, the reasons why it waits, and when it may send.

export const CAMPAIGN_STATUS = {
  scheduled: 'Agendada',
  running: 'Em Andamento',
  paused: 'Pausada',
  stopped: 'Parada',
  completed: 'Concluída',
  error: 'Erro',
} as const

export type CampaignStatus = keyof typeof CAMPAIGN_STATUS

/** A broker's bulk message to many leads, with its results. */
export type Campaign = {
  id: number
  instanceName: string
  stageSlug: string
  /** Null if the stage was deleted; then screens show its slug. */
  stageName: string | null
  status: CampaignStatus
  pauseReason: string | null
  createdAtMs: number
  recipientCount: number
  /** How many messages the gateway accepted. */
  sentCount: number
  message: string
  outcomes: Outcomes
}

export type Outcomes = {
  /** How many messages reached the phone, read ones included. */
  delivered: number
  read: number
  /** How many people answered within 72 hours without opting out. */
  answered: number
  /** How many people opted out within 72 hours. */
  optedOut: number
  failed: number
  unknown: number
  waiting: number
}

/** The sent share of a campaign, from 0 to 1. It is 1 for an empty list. */
export const sendRatio = ({
  sentCount,
  recipientCount,
}: Pick<Campaign, 'sentCount' | 'recipientCount'>): number =>
  recipientCount === 0 ? 1 : sentCount / recipientCount

/**
 * Texts for the codes of `pause_reason`. Pauses by the link or the gateway end without a person; all others wait for
 * one.
 */
export const PAUSE_REASON = {
  person: 'Nada será enviado até você tocar em Continuar.',
  'not-linked': 'O WhatsApp está desconectado. Ela continua assim que ele conectar.',
  unreachable: 'O serviço de WhatsApp não responde. Ela continua assim que ele voltar.',
  restricted:
    'O WhatsApp restringiu este número. Espere alguns dias e converse só com quem escrever, antes de continuar.',
  rejected: 'O WhatsApp recusou mensagens já enviadas. Espere um dia antes de continuar.',
  'wrong-numbers': 'Três números seguidos sem WhatsApp. Confira os contatos antes de continuar.',
  'no-confirmation': 'O WhatsApp não confirma as mensagens. Confira o celular antes de continuar.',
} as const

/** Texts for the codes of `pause_reason` of a campaign in error, by the kind of fault. */
export const ERROR_REASON = {
  data: 'O portal não conseguiu usar os dados de um contato da lista, e o envio parou.',
  schema:
    'O banco de dados não está na versão que o portal espera, e o envio parou. O administrador precisa reiniciar o portal antes de continuar.',
  storage:
    'O banco de dados teve uma falha interna, e o envio parou. O administrador precisa ver a Saúde do sistema antes de continuar.',
  fault: 'O portal teve uma falha ao processar esta campanha, e o envio parou.',
} as const

export type ErrorReason = keyof typeof ERROR_REASON

/** Texts for the codes of `wait_reason`. The campaign runs, and sends again at the next allowed time. */
export const WAIT_REASON = {
  'courtesy-hours': 'Fora do horário de envio.',
  sunday: 'Domingo não há envio.',
  'daily-cap': 'O limite de hoje foi usado.',
} as const

export type WaitReason = keyof typeof WAIT_REASON

/** Why the campaign skipped a contact, when it was planned or while it ran. outgoing.ts has further codes. */
export const EXCLUSION = {
  'opted-out': 'Pediu para não receber',
  'no-number': 'Sem número de WhatsApp',
  recent: 'Recebeu uma campanha há pouco',
  'held-out': 'Está no grupo de comparação de outra campanha',
  'no-lead': 'O contato foi removido',
  erased: 'Os dados foram excluídos',
  private: 'Saiu do quadro do corretor',
  'handed-over': 'Passou para outro corretor',
  stopped: 'A campanha foi parada antes',
} as const

export type Exclusion = keyof typeof EXCLUSION

/** States of a contact on a campaign's list. */
export const RECIPIENT_STATE = {
  pending: 'na fila',
  sending: 'enviando…',
  sent: 'enviada',
  failed: 'não foi enviada',
  unknown: 'entrega desconhecida',
  cancelled: 'ficou de fora',
} as const

/** Texts for codes of a recipient's `reason` that neither EXCLUSION nor outgoing.ts has. */
export const SETTLED_REASON = { 'by-hand': 'Marcada como enviada por uma pessoa' } as const

export type RecipientState = keyof typeof RECIPIENT_STATE

/** When and how much campaigns may send. Hours are in the portal's time zone. */
export type SendingPolicy = {
  opensAt: number
  closesAt: number
  sendsOnSundays: boolean
  dailyCap: number
  warmUpFrom: number
  warmUpDays: number
}

export type SendingHours = Pick<SendingPolicy, 'opensAt' | 'closesAt' | 'sendsOnSundays'>

const SECOND_MS = 1_000
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/**
 * Tells how many messages a number may send on its n-th day with campaigns, from 1. The limit rises day by day to the
 * cap.
 */
export function capOfDay({ dailyCap, warmUpFrom, warmUpDays }: SendingPolicy, day: number): number {
  if (day >= warmUpDays || warmUpFrom >= dailyCap) return dailyCap
  return Math.round(warmUpFrom + ((dailyCap - warmUpFrom) * (day - 1)) / (warmUpDays - 1))
}

/** Returns the first instant at or after `atMs` at which a campaign may send. */
export function nextOpening(policy: SendingHours, atMs: number, zone: string): number {
  let ms = atMs
  for (;;) {
    const { isSunday, second } = localTime(ms, zone)
    if ((isSunday && !policy.sendsOnSundays) || second >= policy.closesAt * HOUR_SECONDS)
      ms = nextMidnight(ms, zone)
    else if (second < policy.opensAt * HOUR_SECONDS)
      ms = onSecond(ms) + (policy.opensAt * HOUR_SECONDS - second) * SECOND_MS
    else return ms
  }
}

/** Returns the instant at which the next day begins in the time zone. */
export function nextMidnight(ms: number, zone: string): number {
  return onSecond(ms) + (DAY_SECONDS - localTime(ms, zone).second) * SECOND_MS
}

export type Forecast = {
  /** How many messages are still to be sent. */
  count: number
  atMs: number
  /** The average time between two messages. */
  stepMs: number
  policy: SendingPolicy
  /** How many messages the number sent today; `earlierDays` counts its days with campaigns before. */
  sentToday: number
  earlierDays: number
  zone: string
}

/** Tells when the last message will be sent if nothing delays the campaign. */
export function forecastEnd({ count, atMs, stepMs, policy, sentToday, earlierDays, zone }: Forecast): number {
  let left = count
  let sent = sentToday
  let day = earlierDays + 1
  let today = nextMidnight(atMs, zone)
  let ms = nextOpening(policy, atMs, zone)
  while (left > 0) {
    if (ms >= today) {
      if (sent > 0) day++
      sent = 0
      today = nextMidnight(ms, zone)
    }
    const open = policy.closesAt * HOUR_SECONDS * SECOND_MS - localTime(ms, zone).second * SECOND_MS
    const most = Math.max(0, Math.min(capOfDay(policy, day) - sent, Math.ceil(open / Math.max(1, stepMs))))
    if (left <= most) return ms + (left - 1) * stepMs
    left -= most
    sent += most
    ms = nextOpening(policy, today, zone)
  }
  return ms
}

/** Returns a datetime field's value in the time zone, such as '2026-11-24T09:30'. */
export function wallClock(ms: number, zone: string): string {
  const parts = { timeZone: zone, dateStyle: 'short', timeStyle: 'short' } as const
  // The Swedish locale formats dates as ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', parts).format(ms).replace(' ', 'T')
}

/** Returns the instant of a datetime field's value in the time zone; NaN if the value is invalid. */
export function atWallClock(text: string, zone: string): number {
  const wanted = Date.parse(`${text}Z`)
  if (Number.isNaN(wanted)) return NaN
  const shownAt = (ms: number) => Date.parse(`${wallClock(ms, zone)}Z`)
  const guess = wanted - (shownAt(wanted) - wanted)
  return guess - (shownAt(guess) - wanted)
}

const onSecond = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS

const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(ms: number, zone: string): { isSunday: boolean; second: number } {
  let format = formats.get(zone)
  if (!format) {
    const parts = { weekday: 'short', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts })
    formats.set(zone, format)
  }
  const found = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const [hour = 0, minute = 0, second = 0] = (['hour', 'minute', 'second'] as const).map((type) =>
    Number(found.get(type)),
  )
  return { isSunday: found.get('weekday') === 'Sun', second: hour * HOUR_SECONDS + minute * 60 + second }
}
