// The errors of every gateway's client. Their Portuguese text names the operation and the reason.
import { GatewayError, type GatewayFault } from '#server/gateway.ts'

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
  prepareSend: 'Erro ao preparar o envio',
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
  unsupported: 'este servidor não é um serviço de WhatsApp que o portal conheça',
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

/** Whether an operation is a send. A send that may have left is never repeated. */
export const isSend = (operation: Operation) => operation.startsWith('send')

type Details = { status?: number | undefined; detail?: string | undefined; more?: string | undefined }

/** `detail` replaces the fault's general reason, and `more` follows it. */
export function gatewayError(
  operation: Operation,
  fault: GatewayFault,
  { status, detail = REASONS[fault], more }: Details = {},
): GatewayError {
  const said = more === undefined ? detail : `${detail}: ${more}`
  const message = [OPERATIONS[operation], status === undefined ? said : `${status} - ${said}`].join(': ')
  return new GatewayError(fault, message, status === undefined ? {} : { status })
}

type Found = { status?: number; version?: string }

/** The error for another server, or another version of it. `needed`: what a person must use instead. */
export function unsupportedError(operation: Operation, needed: string, found: Found = {}): GatewayError {
  const version = (found.version ?? '').replace(/[^\w. -]/g, '').slice(0, 40)
  const what = version.trim() === '' ? 'este servidor' : `a versão ${version.trim()}`
  return gatewayError(operation, 'unsupported', {
    status: found.status,
    detail: `${what} não serve; use ${needed}`,
  })
}

/** The error for a missing answer. If the connection was established, a send may have succeeded. */
export const silenceError = (operation: Operation, wasReached: boolean): GatewayError =>
  gatewayError(operation, wasReached && isSend(operation) ? 'unknown-outcome' : 'unreachable')

/** The error for a 2xx that cannot be parsed. A send may have succeeded all the same. */
export function unreadableError(operation: Operation): GatewayError {
  if (isSend(operation)) return gatewayError(operation, 'unknown-outcome')
  if (operation === 'findMessages') return new GatewayError('failed', 'Resposta inválida ao buscar mensagens')
  const detail =
    operation === 'create'
      ? 'Resposta inválida da API'
      : 'a resposta do serviço de WhatsApp não pôde ser lida'
  return gatewayError(operation, 'failed', { detail })
}

/** The fault for an error that is not in the gateway's format: a proxy or another server has answered. */
export function strangerFault(operation: Operation, status: number): GatewayFault {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 413) return 'refused'
  if (status === 429) return 'failed'
  if (status === 503) return 'unreachable'
  if (status === 408 || status >= 500) return isSend(operation) ? 'unknown-outcome' : 'unreachable'
  return 'unsupported'
}
