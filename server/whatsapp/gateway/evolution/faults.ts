// Maps an error of the Evolution API to a fault of the portal, by status and text. The status alone is too vague.
import * as v from 'valibot'
import type { GatewayError, GatewayFault } from '#server/gateway.ts'
import { gatewayError, isSend, strangerFault, type Operation } from '../faults.ts'

/** The error for a server that is no Evolution API, or too old. */
export const unsupportedError = (operation: Operation, status?: number): GatewayError =>
  gatewayError(operation, 'unsupported', {
    ...(status === undefined ? {} : { status }),
    detail: 'este servidor não é uma Evolution API 2.3 ou mais nova',
  })

/** The error for an answer outside 2xx. */
export function answerError(operation: Operation, status: number, body: unknown): GatewayError {
  const licence = v.safeParse(Licence, body)
  if (licence.success) return unlicensedError(operation, status, licence.output.register_url)
  const fault = faultOf(operation, status, body)
  return fault === 'unsupported'
    ? unsupportedError(operation, status)
    : gatewayError(operation, fault, { status })
}

const Licence = v.object({ code: v.literal('LICENSE_REQUIRED'), register_url: v.optional(v.unknown()) })
const RegisterUrl = v.pipe(v.string(), v.url(), v.startsWith('https://'), v.maxLength(500))

function unlicensedError(operation: Operation, status: number, registerUrl: unknown): GatewayError {
  const url = v.safeParse(RegisterUrl, registerUrl)
  if (!url.success) return gatewayError(operation, 'unlicensed', { status })
  return gatewayError(operation, 'unlicensed', { status, more: url.output })
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

const Envelope = v.object({ response: v.object({ message: v.unknown() }) })
const NotOnWhatsApp = v.array(v.object({ exists: v.literal(false) }))
const isNotOnWhatsApp = (said: unknown) => v.is(NotOnWhatsApp, said) && said.length > 0

function textOf(said: unknown): string {
  if (typeof said === 'string') return said
  return Array.isArray(said) ? said.map(textOf).join('\n') : ''
}
