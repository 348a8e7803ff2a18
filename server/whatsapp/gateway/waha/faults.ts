// The meaning of an error of WAHA: by its status and its words. Its answers echo bodies and keys, so nothing of them is kept.
import * as v from 'valibot'
import type { GatewayError, GatewayFault } from '#server/gateway.ts'
import { gatewayError, isSend, strangerFault, type Operation } from '../faults.ts'

export const NEEDED = 'use o WAHA 2026.6.1 ou mais novo, com o motor NOWEB'

/** The error for an answer outside 2xx. */
export function answerError(operation: Operation, status: number, body: unknown): GatewayError {
  const fault = faultOf(operation, status, body)
  const detail = fault === 'unsupported' ? { detail: `este servidor não serve; ${NEEDED}` } : {}
  return gatewayError(operation, fault, { status, ...detail })
}

/** `status` is a number for an HTTP status, and a word for that of the session. */
const Said = v.union([
  v.object({ exception: v.object({ message: v.string() }) }),
  v.object({ error: v.string(), status: v.string() }),
  v.object({ error: v.string(), session: v.string() }),
  v.object({ message: v.union([v.string(), v.array(v.string())]), statusCode: v.number() }),
])

export function faultOf(operation: Operation, status: number, body: unknown): GatewayFault {
  const said = v.safeParse(Said, body)
  if (!said.success) return strangerFault(operation, status)
  const words = wordsOf(said.output)
  if (status === 401 || status === 403) return 'unauthorized'
  if (/Session .*(not found|does not exist)|find a session/i.test(words)) return 'unknown-instance'
  if (status === 422) {
    if ('status' in said.output) return 'not-linked'
    return words.includes('already exists') ? 'name-taken' : 'refused'
  }
  if (status === 501 || /^Cannot [A-Z]+ /.test(words)) return 'unsupported'
  if (status < 500) return 'refused'
  if (words.includes('Connection Closed')) return 'not-linked'
  // Before the send nothing has left, so the message can wait.
  if (operation === 'prepareSend') return 'unreachable'
  return isSend(operation) ? 'unknown-outcome' : 'failed'
}

function wordsOf(said: v.InferOutput<typeof Said>): string {
  if ('exception' in said) return said.exception.message
  if ('error' in said) return said.error
  return Array.isArray(said.message) ? said.message.join('\n') : said.message
}
