// Words on a broker's line to WhatsApp. Spec 2.17, 4, 8; DESIGN-SYSTEM 2.1, 9.
import type { Link } from '#domain/link.ts'

const STATE = {
  open: 'Conectado',
  dead: 'Parou de responder',
  connecting: 'Conectando',
  close: 'Desconectado',
  unconfigured: 'Não configurado',
  unreachable: 'Sem resposta',
} satisfies Record<Link['state'], string>

export const linkWords = (state: Link['state']) => STATE[state]

export const DISCONNECT_QUESTION = 'Desconectar o WhatsApp?'
export const DISCONNECT_CONSEQUENCE =
  'Mensagens novas deixam de chegar aqui até você conectar de novo. As conversas continuam guardadas.'
export const disconnectFailed = (message: string) => `Erro ao desconectar: ${message}`
