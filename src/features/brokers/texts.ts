// Sentences of 'Gerenciar Corretores'.
import { type Broker, displayName } from '#domain/broker.ts'
import { countOf, formatDateTime } from '#domain/format.ts'
import { formatPhone } from '#domain/phone.ts'

export const TITLE = 'Gerenciar Corretores'
export const ADD = 'Adicionar Corretor'
export const ADDING = 'Criando...'
export const CREATE = 'Criar corretor'
export const SEARCH = 'Buscar corretor...'
export const NONE = 'Nenhum corretor ainda.'
export const NONE_HINT = 'Adicione o primeiro e mande a ele o link de acesso.'
export const CONNECTED = 'Conectado'
export const DISCONNECTED = 'Desconectado'
export const DEAD = 'Não responde'
export const AWAITED = 'Aguardando primeiro acesso'
export const CONNECT = 'Conectar WhatsApp'
export const CONNECT_SHORT = 'Conectar'

export const SEE_BROKERS = 'Ver corretores'
const AND = new Intl.ListFormat('pt-BR')
/** Null where all links are well, or were cut by a person. */
export function lostLinks(brokers: readonly Broker[]): string | null {
  const lost = brokers.filter(({ lostAtMs }) => lostAtMs !== null)
  const [first] = lost
  if (!first) return null
  if (lost.length === 1)
    return `O WhatsApp de ${displayName(first.instanceName)} caiu em ${formatDateTime(first.lostAtMs ?? 0)} e precisa ser conectado de novo.`
  const names = AND.format(lost.map(({ instanceName }) => displayName(instanceName)))
  return `${lost.length} corretores estão sem WhatsApp: ${names}. Precisam conectar de novo.`
}

export const SEE_HEALTH = 'Ver saúde do sistema'
const REFUSED = 'O serviço de WhatsApp recusa o portal'
const DOWN: Readonly<Record<string, string>> = {
  unreachable: 'O serviço de WhatsApp não responde',
  unsupported: REFUSED,
  unlicensed: REFUSED,
  unauthorized: REFUSED,
}
/** Of how the gateway last answered; null where it does its work, or is not known to. */
export function gatewayDown(gateway: string): string | null {
  const what = DOWN[gateway]
  return what ? `${what}: nada chega nem sai, e as conexões mostradas são as de antes.` : null
}

export const USERNAME = 'Nome do corretor'
export const USERNAME_HINT = 'Use apenas letras minúsculas, sem espaços ou caracteres especiais'
/** Said once something that was typed was changed. */
export const USERNAME_CHANGED =
  'Maiúsculas, acentos e espaços viram letras simples; números e sinais ficam de fora.'
export const USERNAME_FAULT = {
  empty: 'Nome do corretor é obrigatório',
  taken: 'Já existe um corretor com este nome',
}
export const addFailed = (message: string) => `Erro ao criar corretor: ${message}`

export const RESET = 'Resetar senha'
export const NEW_INVITE = 'Novo convite'
export const RESET_DONE = 'Senha resetada com sucesso!'
export const RESET_FAILED = 'Erro ao resetar senha do corretor'
export const resetQuestion = (name: string) => `Resetar a senha de ${name}?`
export const resetConsequence = (name: string) =>
  `A senha atual deixa de valer e ${name} sai de todos os aparelhos. Você recebe um link para ${name} criar outra.`

export const CENTRAL = 'Central'
export const MAKE_CENTRAL = 'Tornar central'
export const GIVE_BACK = 'Devolver ao corretor'
export const CENTRAL_CONSEQUENCE =
  'Quem escrever a este número pela primeira vez vira um lead da roleta, e não deste corretor. Os leads que já são dele ficam.'
export const GIVE_BACK_CONSEQUENCE =
  'Quem escrever a este número pela primeira vez passa a ser lead deste corretor, sem roleta.'
export const centralLabel = (name: string) => `Tornar central o número de ${name}`
export const giveBackLabel = (name: string) => `Devolver o número a ${name}`
export const centralQuestion = (name: string) => `Usar o número de ${name} como central?`
export const giveBackQuestion = (name: string) => `Devolver o número a ${name}?`
export const centralDone = (name: string) => `O número de ${name} agora é central`
export const giveBackDone = (name: string) => `O número voltou a ser de ${name}`
export const centralFailed = (message: string) => `Erro ao mudar o número central: ${message}`

export const REMOVE = 'Remover corretor'
export const REMOVING = 'Removendo...'
export const REMOVED = 'Corretor removido com sucesso!'
export const removeFailed = (message: string) => `Erro ao remover corretor: ${message}`
export const removeQuestion = (name: string) => `Remover ${name}?`
export const removeLabel = (name: string) => `Remover ${name}`
export const KEEP_LEADS = 'Ficam com o administrador'
export const HAND_LEADS = 'Passam para outro corretor'
export const HEIR = 'Corretor que recebe os leads'
export const CHOOSE_HEIR = 'Escolha o corretor'
export const HISTORY_STAYS = 'As conversas e notas ficam com eles.'

/** 'Os 312 leads'; before they are counted 'Os leads'. */
export const leadsOf = (total: number | undefined) =>
  total === undefined ? 'Os leads' : `Os leads (${total.toLocaleString('pt-BR')})`

/** What goes with the broker, named. */
export function lossesOf({ number, campaignCount, seatCount }: Broker): string[] {
  return [
    'O acesso ao portal, em todos os aparelhos, agora.',
    number === null ? 'A conexão do WhatsApp.' : `A conexão do WhatsApp ${formatPhone(number)}.`,
    ...(campaignCount > 0
      ? [`${countOf(campaignCount, 'campanha', 'campanhas')}; a que estiver em andamento para.`]
      : []),
    ...(seatCount > 0 ? [`${countOf(seatCount, 'lugar em roleta', 'lugares em roletas')}.`] : []),
  ]
}

export const summaryOf = (brokers: readonly Broker[]) =>
  `${countOf(brokers.length, 'corretor', 'corretores')} · ${countOf(
    brokers.filter(({ state }) => state === 'open').length,
    'conectado',
    'conectados',
  )}`
export const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`
export const seen = (ago: string) => `no portal ${ago}`
export const cardName = ({ instanceName }: Broker) => displayName(instanceName)
