// Sentences of Saúde do sistema.
import { countOf } from '#domain/format.ts'

export const CHECK_AGAIN = 'Verificar de novo'
export const CHECKING = 'Verificando...'
export const REACHABLE = 'Acessível'
export const UNREACHABLE = 'Sem resposta'
export const LOG_TITLE = 'Registro deste aparelho'
export const LOG_HINT = 'O que o aplicativo anotou desde que foi aberto, para mandar ao suporte.'
export const LOG_EMPTY = 'Nenhuma anotação.'
export const COPY_LOG = 'Copiar registro'
export const LOG_COPIED = 'Registro copiado.'
export const LOG_COPY_FAILED = 'Não foi possível copiar. Selecione o registro e copie.'
export const PROBES_TITLE = 'Funções do banco'
export const PROBE_WORDS = { answered: 'Responde', refused: 'Sem acesso', failed: 'Falhou' }
export const PROBES_FAILED = 'Não foi possível consultar as funções.'

/** How the gateway last answered, as a person reads it (server/ports.ts). */
export const GATEWAY: Readonly<Record<string, string>> = {
  none: 'Não configurado',
  unknown: 'Verificando...',
  ok: REACHABLE,
  unreachable: UNREACHABLE,
  unsupported: 'Versão não suportada',
  unlicensed: 'Servidor não ativado',
  unauthorized: 'Chave recusada',
  failed: 'Com erro',
  refused: 'Pedido recusado',
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** '12 s', '3 min', '2 h', '4 dias' */
export function spanOf(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`
  return countOf(Math.floor(seconds / DAY), 'dia', 'dias')
}

/** 'Vazia', '3, a mais antiga há 2 min' */
export function queueWords(waiting: number, oldestSeconds: number | null): string {
  if (waiting === 0) return 'Vazia'
  const count = waiting.toLocaleString('pt-BR')
  return oldestSeconds === null ? count : `${count}, a mais antiga há ${spanOf(oldestSeconds)}`
}
