// Maps an error of the Evolution API to a fault of the portal, by status and text. The status alone is too vague.
import * as v from 'valibot'
import type { GatewayFault } from '#server/gateway.ts'
import { isSend, strangerFault, type Operation } from '../faults.ts'
import type { Dialect } from '../http.ts'

const Unlicensed = v.object({ code: v.literal('LICENSE_REQUIRED') })
const RegisterUrl = v.pipe(v.string(), v.url(), v.startsWith('https://'), v.maxLength(500))
const Registration = v.object({ ...Unlicensed.entries, register_url: RegisterUrl })

const NOT_LINKED = /Connection Closed|onWhatsApp|is not connected|presenceSubscribe|reading 'sendMessage'/i
/** Errors that the gateway catches around sending and storing, so the message may have left. */
const CAUGHT_WHILE_SENDING = /\w*Error\b/

function faultOf(operation: Operation, status: number, body: unknown): GatewayFault {
  if (v.is(Unlicensed, body)) return 'unlicensed'
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
    if (v.is(NotOnWhatsApp, said)) return 'not-on-whatsapp'
    if (/Timed Out/i.test(text)) return 'unknown-outcome'
    if (status < 500 && CAUGHT_WHILE_SENDING.test(text)) return 'unknown-outcome'
  }
  return status < 500 ? 'refused' : 'failed'
}

const Envelope = v.object({ response: v.object({ message: v.unknown() }) })
const NotOnWhatsApp = v.pipe(v.array(v.object({ exists: v.literal(false) })), v.minLength(1))

function textOf(said: unknown): string {
  if (typeof said === 'string') return said
  return Array.isArray(said) ? said.map(textOf).join('\n') : ''
}

export const DIALECT: Dialect = {
  keyHeader: 'apikey',
  needed: 'a Evolution API 2.3 ou mais nova',
  faultOf,
  /** The address where an administrator activates the gateway. */
  licenceOf: (body) => {
    const found = v.safeParse(Registration, body)
    return found.success ? found.output.register_url : undefined
  },
}
