// Maps an error of WAHA to a fault of the portal, by status and text. WAHA's answers repeat bodies and keys, so nothing
// of them is kept.
import * as v from 'valibot'
import type { GatewayFault } from '#server/gateway.ts'
import { isSend, strangerFault, type Operation } from '../faults.ts'
import type { Dialect } from '../http.ts'

/** `status`: the session's state, given if the session is the reason. */
const Said = v.union([
  v.pipe(
    v.object({ exception: v.object({ message: v.string() }) }),
    v.transform(({ exception }) => exception),
  ),
  v.object({ message: v.pipe(v.union([v.string(), v.array(v.string())]), v.transform(String)) }),
  v.pipe(
    v.object({ error: v.string(), session: v.string(), status: v.optional(v.string()) }),
    v.transform(({ error, status }) => ({ message: error, status })),
  ),
])

function faultOf(operation: Operation, status: number, body: unknown): GatewayFault {
  const said = v.safeParse(Said, body)
  if (!said.success) return strangerFault(operation, status)
  const { message } = said.output
  if (status === 401 || status === 403) return 'unauthorized'
  if (/Session .*(not found|does not exist)|find a session/i.test(message)) return 'unknown-instance'
  if ('status' in said.output && said.output.status !== undefined) return 'not-linked'
  if (status === 422) return message.includes('already exists') ? 'name-taken' : 'refused'
  if (status === 501 || /^Cannot [A-Z]+ /.test(message)) return 'unsupported'
  if (status < 500) return 'refused'
  if (message.includes('Connection Closed')) return 'not-linked'
  // Nothing has been sent yet, so the message can wait.
  if (operation === 'prepareSend') return 'unreachable'
  return isSend(operation) ? 'unknown-outcome' : 'failed'
}

export const DIALECT: Dialect = {
  keyHeader: 'x-api-key',
  needed: 'o WAHA 2026.6.1 ou mais novo, com o motor NOWEB',
  faultOf,
}
