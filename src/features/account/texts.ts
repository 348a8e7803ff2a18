// Words on a broker's line to WhatsApp.
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

export const EXIT_QUESTION = 'Sair sem enviar?'
export const STAY = 'Continuar aqui'
export const lostByExit = (count: number) =>
  count === 1
    ? '1 alteração ainda não foi enviada. Saindo agora, ela se perde.'
    : `${count} alterações ainda não foram enviadas. Saindo agora, elas se perdem.`
