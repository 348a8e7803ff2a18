// The meaning of an error of the gateway: by its text, not by its status.
import * as v from 'valibot'
import { GatewayError, type GatewayFault } from '#server/gateway.ts'

/** Our operation, as Portuguese text. */
const OPERATIONS = {
  version: 'Erro ao verificar o serviço de WhatsApp',
  create: 'Erro ao criar instância',
  connect: 'Erro ao conectar',
  restart: 'Erro ao reiniciar',
  find: 'Erro ao buscar instância',
  list: 'Erro ao buscar instâncias',
  remove: 'Erro ao excluir',
  logout: 'Erro ao desconectar',
  webhook: 'Erro ao configurar webhook',
  settings: 'Erro ao configurar instância',
  sendText: 'Erro ao enviar mensagem de texto',
  sendMedia: 'Erro ao enviar mídia',
  sendLocation: 'Erro ao enviar localização',
  sendContact: 'Erro ao enviar contato',
  sendReaction: 'Erro ao enviar reação',
  showTyping: 'Erro ao mostrar que se escreve',
  sendEdit: 'Erro ao editar mensagem',
  sendDeletion: 'Erro ao apagar mensagem',
  findMessages: 'Erro ao buscar mensagens',
  fetchMedia: 'Erro ao baixar mídia',
} as const
export type Operation = keyof typeof OPERATIONS

const REASONS: Record<GatewayFault, string> = {
  unreachable: 'o serviço de WhatsApp não respondeu; tente de novo em instantes',
  unsupported: 'este servidor não é uma Evolution API 2.3 ou mais nova',
  unlicensed: 'o serviço de WhatsApp ainda não foi ativado pelo administrador',
  unauthorized: 'a chave do serviço de WhatsApp foi recusada',
  'unknown-instance': 'esta conexão não existe no serviço de WhatsApp',
  'name-taken': 'este nome já está em uso no serviço de WhatsApp',
  'not-linked': 'o WhatsApp está desconectado; conecte o celular de novo',
  'not-on-whatsapp': 'este número não tem WhatsApp',
  'unknown-outcome': 'não foi possível confirmar o envio; confira no celular antes de repetir',
  refused: 'o serviço de WhatsApp não aceitou o pedido',
  failed: 'o serviço de WhatsApp falhou; tente de novo em instantes',
}

const isSend = (operation: Operation) => operation.startsWith('send')

/** `detail` replaces the fault's general reason. */
export function gatewayError(
  operation: Operation,
  fault: GatewayFault,
  { status, detail = REASONS[fault] }: { status?: number; detail?: string } = {},
): GatewayError {
  const message = [OPERATIONS[operation], status === undefined ? detail : `${status} - ${detail}`].join(': ')
  return new GatewayError(fault, message, status === undefined ? {} : { status })
}

/** No answer. If the connection was established, a send may have succeeded. */
export const silenceError = (operation: Operation, wasReached: boolean): GatewayError =>
  gatewayError(operation, wasReached && isSend(operation) ? 'unknown-outcome' : 'unreachable')

/** A 2xx that cannot be parsed: a send has succeeded all the same. */
export function unreadableError(operation: Operation): GatewayError {
  if (isSend(operation)) return gatewayError(operation, 'unknown-outcome')
  if (operation === 'findMessages') return new GatewayError('failed', 'Resposta inválida ao buscar mensagens')
  const detail =
    operation === 'create'
      ? 'Resposta inválida da API'
      : 'a resposta do serviço de WhatsApp não pôde ser lida'
  return gatewayError(operation, 'failed', { detail })
}

/** The error for an answer outside 2xx. */
export function answerError(operation: Operation, status: number, body: unknown): GatewayError {
  const licence = v.safeParse(Licence, body)
  if (licence.success) return unlicensedError(operation, status, licence.output.register_url)
  return gatewayError(operation, faultOf(operation, status, body), { status })
}

const Licence = v.object({ code: v.literal('LICENSE_REQUIRED'), register_url: v.optional(v.unknown()) })
const RegisterUrl = v.pipe(v.string(), v.url(), v.startsWith('https://'), v.maxLength(500))

function unlicensedError(operation: Operation, status: number, registerUrl: unknown): GatewayError {
  const url = v.safeParse(RegisterUrl, registerUrl)
  if (!url.success) return gatewayError(operation, 'unlicensed', { status })
  return gatewayError(operation, 'unlicensed', { status, detail: `${REASONS.unlicensed}: ${url.output}` })
}

const NOT_LINKED = /Connection Closed|onWhatsApp|is not connected|presenceSubscribe|reading 'sendMessage'/i
/** Errors that the gateway catches around sending and storing, so the message may have left. */
const CAUGHT_WHILE_SENDING = /\w*Error\b/

export function faultOf(operation: Operation, status: number, body: unknown): GatewayFault {
  const envelope = v.safeParse(Envelope, body)
  if (!envelope.success) return strangerFault(operation, status)
  const said = envelope.output.response.message
  const text = textOf(said)

  if (status === 401) return 'unauthorized'
  if (status === 403) return /already in use/i.test(text) ? 'name-taken' : 'unauthorized'
  if (status === 404) {
    if (text.startsWith('Message not found')) return 'refused'
    return /^Cannot [A-Z]+ /.test(text) ? 'unsupported' : 'unknown-instance'
  }
  if (NOT_LINKED.test(text)) return 'not-linked'
  if (isSend(operation)) {
    if (isNotOnWhatsApp(said)) return 'not-on-whatsapp'
    if (/Timed Out/i.test(text)) return 'unknown-outcome'
    if (status < 500 && CAUGHT_WHILE_SENDING.test(text)) return 'unknown-outcome'
  }
  return status < 500 ? 'refused' : 'failed'
}

/** Not Evolution's error format: a proxy, or another server. */
function strangerFault(operation: Operation, status: number): GatewayFault {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 413) return 'refused'
  if (status === 429) return 'failed'
  if (status === 503) return 'unreachable'
  if (status === 408 || status >= 500) return isSend(operation) ? 'unknown-outcome' : 'unreachable'
  return 'unsupported'
}

const Envelope = v.object({ response: v.object({ message: v.unknown() }) })
const NotOnWhatsApp = v.array(v.object({ exists: v.literal(false) }))
const isNotOnWhatsApp = (said: unknown) => v.is(NotOnWhatsApp, said) && said.length > 0

function textOf(said: unknown): string {
  if (typeof said === 'string') return said
  return Array.isArray(said) ? said.map(textOf).join('\n') : ''
}
