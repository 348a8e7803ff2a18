// Sentences of the sources of leads.
import { countOf, formatDate, formatDay, formatHour } from '#domain/format.ts'
import { formatPhone } from '#domain/phone.ts'
import type { ReadAgain, Source, Tested } from './data.ts'

export const SOURCES = 'Fontes'
export const CONNECT = 'Ligar uma fonte'
export const NO_SOURCES = 'Nenhuma fonte ligada'
export const NO_SOURCES_HINT =
  'Ligue um portal de imóveis, os anúncios da Meta e do Google ou o formulário do site.'
export const OWN_DEVELOPMENT = 'Roleta do empreendimento'
export const ADDRESS = 'Endereço'
export const ADDRESS_COPIED = 'Endereço copiado'
export const ADDRESS_NOT_COPIED = 'Não foi possível copiar. Mostre o endereço e copie o texto.'
export const ADDRESS_FAILED = 'Não foi possível mostrar o endereço.'
export const SHOW_ADDRESS = 'Mostrar o endereço por 30 segundos'
export const HIDE_ADDRESS = 'Ocultar o endereço'
export const COPY_ADDRESS = 'Copiar o endereço'
export const STEP_WHERE = '2. Para onde vão os leads'
export const STEP_TEST = '3. Confira'
export const TEST = 'Enviar um lead de teste'
export const TESTING = 'Enviando...'
export const TEST_FAILED = 'Não foi possível enviar o teste.'
export const CHANGE_FAILED = 'Não foi possível salvar.'
export const SWITCH = 'Recebe leads'
export const SWAP = 'Trocar a chave'
export const SWAP_QUESTION = 'Trocar a chave?'
export const SWAP_CONSEQUENCE =
  'O endereço muda. O de antes ainda vale por 24 horas, para dar tempo de colar o novo.'
export const SWAP_DONE = 'Chave trocada. A de antes vale por 24 horas.'
export const REVOKE = 'Revogar'
export const REVOKE_DONE = 'Fonte revogada'
export const REVOKE_CONSEQUENCE =
  'Ela deixa de enviar leads agora. Os que já chegaram ficam. Isto não se desfaz: para voltar, ligue outra.'
export const revokeQuestion = (name: string) => `Revogar "${name}"?`
export const madeBy = ({ createdBy, createdAtMs }: Source) =>
  `Ligada por ${createdBy} em ${formatDate(createdAtMs)}`
export const openLabel = ({ name }: Source) => `Abrir ${name}`
export const whereOf = (development: string | undefined) =>
  development === undefined ? OWN_DEVELOPMENT : `Roleta ${development}`

/** 'Lido por inteiro: nome, telefone, mensagem, código 4471'. */
export function testedText({ fault, told }: Tested): string {
  if (told === null) return fault ?? TEST_FAILED
  const parts = [
    told.name !== null && 'nome',
    told.number !== null && 'telefone',
    told.email !== null && 'e-mail',
    told.message !== null && 'mensagem',
    told.listing !== null && `código ${told.listing}`,
  ].filter((part) => part !== false)
  return `Lido por inteiro: ${parts.join(', ')}`
}
export const testedWhere = ({ roleta }: Tested) =>
  roleta === null
    ? 'Sem roleta: ficaria com o administrador.'
    : `Iria para a roleta ${roleta}. Nada foi distribuído.`

export const NAME = 'Nome da fonte'
export const NAME_MISSING = 'Dê um nome à fonte.'
export const CREATE = 'Ligar'
export const CREATING = 'Ligando...'
export const OTHER_SOURCE = 'Outra fonte'
export const MORE = 'Origem e campanha'
export const SOURCE = 'Origem padrão'
export const CAMPAIGN = 'Campanha padrão'
export const PER_MINUTE = 'Limite'
export const perMinute = (count: number) => `${count.toLocaleString('pt-BR')} por minuto`
export const APP_SECRET = 'Chave secreta do app'
export const VERIFY_TOKEN = 'Token de verificação'
export const VERIFY_TOKEN_HINT = 'Invente um e informe o mesmo na Meta, ao cadastrar o endereço de retorno.'
export const PAGE_TOKEN = 'Token da página (para ler as respostas na Meta)'
export const SECRETS_MISSING = 'Informe a chave secreta do app e o token de verificação da Meta.'
export const FORMS = 'Empreendimento de cada formulário'
export const FORM_ID = 'ID do formulário'
export const FORM_DEVELOPMENT = 'Empreendimento'
export const ADD_FORM = 'Adicionar formulário'
export const removeFormLabel = (place: number) => `Remover formulário ${place}`

export const PAGES = 'Páginas do site'
export const PAGES_HINT =
  'Uma por linha, como https://www.imobiliaria.com.br. Só o navegador dessas páginas pode enviar.'
export const PAGES_FAULT = 'Confira as páginas: só o endereço, como https://www.imobiliaria.com.br.'
export const SAVE_PAGES = 'Salvar páginas'
export const SAVED = 'Salvo'
export const SNIPPET_HINT = 'Cole no site e mude o que quiser. O campo escondido segura robôs.'
export const COPY_SNIPPET = 'Copiar formulário'
export const SNIPPET_COPIED = 'Formulário copiado'

export const unreadTitle = (count: number) =>
  countOf(count, 'entrega que não conseguimos ler', 'entregas que não conseguimos ler')
export const READ_ALL = 'Ler todas de novo'
export const READ_AGAIN = 'Ler de novo'
export const READING = 'Lendo...'
export const READ_FAILED = 'Não foi possível ler esta entrega.'
export const SEE_BODY = 'Ver conteúdo'
export const BODY = 'Conteúdo da entrega'
export const BODY_RAW = 'Como chegou'
export const MAP_HINT = 'Diga o que é cada campo. Vale para as próximas entregas desta fonte também.'
export const MAP = 'Salvar e ler de novo'
export const MAP_NONE = 'Outro'
export const NO_VALUES = 'Não há campos que se possa ler aqui: o conteúdo não é JSON nem formulário.'
export const DISCARD = 'Descartar'
export const DISCARD_QUESTION = 'Descartar esta entrega?'
export const DISCARD_CONSEQUENCE = 'O conteúdo é apagado e nenhum lead entra por ele.'
export const DISCARDED = 'Entrega descartada'
export const seeBodyOf = (keyName: string) => `${SEE_BODY} de ${keyName}`
export const readAgainOf = (keyName: string) => `${READ_AGAIN}: ${keyName}`
export const fieldLabel = (path: string) => `O que é ${path}`
/** 'hoje, 08:12', '21/11/2026, 19:40' */
export const momentText = (ms: number, nowMs: number) =>
  `${formatDay(ms, nowMs).toLowerCase()}, ${formatHour(ms)}`
/** A number stands in for who told no name. */
const calledBy = (name: string) => (/^\d{10,15}$/.test(name) ? formatPhone(name) : name)

/** Of one: 'Lido: Luiz Ramos', or the reason. Of many: how many of each. */
export function readText(read: readonly ReadAgain[]): { text: string; tone: 'success' | 'error' } {
  const [first] = read
  const left = read.filter(({ fault }) => fault !== null).length
  if (read.length === 1 && first)
    return first.fault === null
      ? { text: first.name === null ? 'Lido.' : `Lido: ${calledBy(first.name)}`, tone: 'success' }
      : { text: `${READ_FAILED} ${first.fault}.`, tone: 'error' }
  return {
    text: `${countOf(read.length - left, 'entrega lida', 'entregas lidas')}${left === 0 ? '' : `, ${left} ainda não`}.`,
    tone: left === read.length ? 'error' : 'success',
  }
}

/** What a value of a foreign body may be. */
export const FIELD = {
  number: 'Telefone',
  name: 'Nome',
  email: 'E-mail',
  message: 'Mensagem',
  listing: 'Código do imóvel',
  development: 'Empreendimento',
  campaign: 'Campanha',
  source: 'Origem',
  externalId: 'Identificador do envio',
  consentAt: 'Data do consentimento',
} as const
