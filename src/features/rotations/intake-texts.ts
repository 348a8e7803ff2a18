// Sentences of the keys by which leads come in.
import type { IntakeKey } from './intake-keys-data.ts'
import { countOf, formatDate, formatRelative } from '#domain/format.ts'

export const KEYS_HINT =
  'Cada formulário, portal ou campanha envia seus leads com uma chave própria, e assim se sabe de onde cada um veio.'
export const NEW_KEY = 'Nova chave'
export const NO_KEYS = 'Nenhuma chave ainda.'
export const NO_KEYS_HINT = 'Crie uma para o formulário do site, um portal de imóveis ou os anúncios da Meta.'
export const KIND: Record<IntakeKey['kind'], string> = {
  olx: 'Grupo OLX (ZAP, Viva Real, OLX)',
  imovelweb: 'ImovelWeb',
  chavesnamao: 'Chaves na Mão',
  meta: 'Meta Lead Ads',
  google: 'Google Ads, formulário de lead',
  rdstation: 'RD Station',
  email: 'E-mail de aviso de um portal',
  form: 'Site próprio ou outro sistema',
}
export const REVOKED = 'Revogada'
export const REVOKE = 'Revogar'
export const REVOKE_DONE = 'Chave revogada'
export const REVOKE_FAILED = 'Erro ao revogar a chave'
export const REVOKE_CONSEQUENCE =
  'Quem usa esta chave deixa de enviar leads agora. Os que já chegaram ficam. Isto não se desfaz: para voltar, crie outra.'
export const CREATE_KEY = 'Criar chave'
export const CREATING_KEY = 'Criando...'
export const KEY_KIND = 'De onde vêm os leads'
export const KEY_NAME = 'Nome da chave'
export const KEY_NAME_PLACEHOLDER = 'Site, ZAP Imóveis, Campanha de verão...'
export const KEY_NAME_MISSING = 'Dê um nome à chave.'
export const SOURCE = 'Origem padrão'
export const CAMPAIGN = 'Campanha padrão'
export const DEVELOPMENT = 'Empreendimento padrão'
export const PER_MINUTE = 'Limite'
export const APP_SECRET = 'Chave secreta do app'
export const VERIFY_TOKEN = 'Token de verificação'
export const VERIFY_TOKEN_HINT = 'Invente um e informe o mesmo na Meta, ao cadastrar o endereço de retorno.'
export const PAGE_TOKEN = 'Token da página (para ler as respostas na Meta)'
export const SECRETS_MISSING = 'Informe a chave secreta do app e o token de verificação da Meta.'
export const FORMS = 'Empreendimento de cada formulário'
export const FORM_ID = 'ID do formulário'
export const FORM_DEVELOPMENT = 'Empreendimento'
export const ADD_FORM = 'Adicionar formulário'
export const FIELDS = 'Correspondência dos campos'
export const FIELDS_HINT =
  'Nomes comuns como nome, telefone e mensagem são reconhecidos. Preencha só o que se chama de outro jeito, por exemplo cliente.telefones.0.'
export const FIELDS_FAULT = 'Confira os nomes dos campos: até 6 partes separadas por ponto.'
export const FIELD = {
  name: 'Nome',
  number: 'Telefone',
  message: 'Mensagem',
  email: 'E-mail',
  development: 'Empreendimento',
  listing: 'Código do imóvel',
  source: 'Origem',
  campaign: 'Campanha',
  externalId: 'Identificador do envio',
  consent: 'Consentimento (sim ou não)',
  consentAt: 'Data do consentimento',
  consentText: 'Texto do consentimento',
} as const

export const shownTitle = (kind: IntakeKey['kind']) =>
  kind === 'meta' ? 'Endereço de retorno' : 'Endereço de captação'
export const KEY_WORDS = {
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto e copie.',
}
/** Where the address goes. */
const PLACE: Record<Exclude<IntakeKey['kind'], 'meta'>, string> = {
  olx: 'Cole este endereço no Canal Pro, em Integrações, como endereço de recebimento de leads.',
  imovelweb: 'Informe este endereço ao ImovelWeb como retorno (callback) de contatos.',
  chavesnamao: 'Cole este endereço no painel do Chaves na Mão, em Integrações, Webhooks.',
  google:
    'No formulário de lead do Google Ads, cole este endereço como URL do webhook; a chave do Google pode ser qualquer uma.',
  rdstation: 'No RD Station Marketing, em Integrações, Webhooks, crie um de conversão com este endereço.',
  email:
    'Encaminhe os avisos do portal para um serviço que recebe e-mails (SendGrid, Postmark, Mailgun) e dê a ele este endereço.',
  form: 'Envie cada lead por POST para este endereço, como formulário ou JSON.',
}
export const shownHint = (kind: IntakeKey['kind']) =>
  kind === 'meta'
    ? 'Na Meta, cadastre este endereço como retorno do webhook de leadgen da página, com o token de verificação que você inventou.'
    : `${PLACE[kind]} Ele contém a chave e não será mostrado de novo.`

export const revokeLabel = (name: string) => `Revogar ${name}`
export const revokeQuestion = (name: string) => `Revogar a chave "${name}"?`
export const removeFormLabel = (place: number) => `Remover formulário ${place}`
export const perMinute = (count: number) => `${count.toLocaleString('pt-BR')} por minuto`
export const waiting = (count: number) => `${countOf(count, 'lead', 'leads')} a ler na Meta`
export const failed = (count: number) =>
  `${countOf(count, 'lead não pôde ser lido', 'leads não puderam ser lidos')} na Meta`

/** '12 leads · último há 3 min · até 120 por minuto · criada por admin em 21/11/2026'. */
export function keyFacts(key: IntakeKey, nowMs: number): string {
  const { leadCount, usedAtMs, createdBy, createdAtMs } = key
  return [
    countOf(leadCount, 'lead', 'leads'),
    ...(usedAtMs === null ? [] : [`último ${formatRelative(usedAtMs, nowMs)}`]),
    `limite: ${perMinute(key.perMinute)}`,
    `criada por ${createdBy} em ${formatDate(createdAtMs)}`,
  ].join(' · ')
}
