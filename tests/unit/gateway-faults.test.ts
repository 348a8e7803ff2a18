// Which fault each error of the gateway is, which its status alone does not tell.
import { describe, expect, test } from 'vitest'
import { DIALECT } from '#server/whatsapp/gateway/evolution/faults.ts'
import { silenceError, unreadableError, type Operation } from '#server/whatsapp/gateway/faults.ts'
import { answerError } from '#server/whatsapp/gateway/http.ts'
import type { GatewayFault } from '#server/gateway.ts'

const said = (message: unknown) => ({ status: 0, error: '', response: { message } })
const ON_WHATSAPP = "Cannot read properties of undefined (reading 'onWhatsApp')"

const SENDS: [string, number, unknown, GatewayFault][] = [
  [
    'not on WhatsApp',
    400,
    said([{ jid: '5@s.whatsapp.net', exists: false, number: '5' }]),
    'not-on-whatsapp',
  ],
  ['a field missing', 400, said([['instance requires property "text"']]), 'refused'],
  ['a blank text', 400, said(['Text is required']), 'refused'],
  ['never connected', 500, said(ON_WHATSAPP), 'not-linked'],
  ['link down, number unknown', 500, said('Connection Closed'), 'not-linked'],
  ['link down, number cached', 400, said(['Error: Connection Closed']), 'not-linked'],
  ['no answer of WhatsApp', 400, said(['Error: Timed Out']), 'unknown-outcome'],
  ['the same as a 500', 500, said('Timed Out'), 'unknown-outcome'],
  ['caught after relaying', 400, said(['PrismaClientKnownRequestError: P2002']), 'unknown-outcome'],
  ['a fault before relaying', 500, said('Input buffer contains unsupported image format'), 'failed'],
  ['unknown instance', 404, said(['The "x" instance does not exist']), 'unknown-instance'],
  ['another server', 404, said(['Cannot POST /message/sendText/x']), 'unsupported'],
  ['a message that the gateway does not have', 404, said(['Message not found']), 'refused'],
  [
    'a link that was never open',
    500,
    said("Cannot read properties of undefined (reading 'sendMessage')"),
    'not-linked',
  ],
  ['a wrong key', 401, said('Unauthorized'), 'unauthorized'],
  ['a proxy that lost the answer', 502, '<html>', 'unknown-outcome'],
  ['a proxy that waited too long', 504, undefined, 'unknown-outcome'],
  ['a proxy without a gateway', 503, undefined, 'unreachable'],
  ['a proxy that slows us down', 429, undefined, 'failed'],
  ['a proxy that hides it', 403, '<html>', 'unauthorized'],
  ['a redirect', 302, '', 'unsupported'],
  ['a page that is not there', 404, '<html>', 'unsupported'],
]

test.each(SENDS)('a send: %s', (...[, status, body, fault]) => {
  expect(DIALECT.faultOf('sendText', status, body)).toBe(fault)
  expect(DIALECT.faultOf('sendMedia', status, body)).toBe(fault)
})

const OTHERS: [Operation, number, unknown, GatewayFault][] = [
  ['create', 403, said(['This name "eva" is already in use.']), 'name-taken'],
  ['find', 404, said(['Instance "eva" not found']), 'unknown-instance'],
  ['logout', 400, said(['The "eva" instance is not connected']), 'not-linked'],
  ['remove', 500, said('Connection Closed'), 'not-linked'],
  ['list', 504, undefined, 'unreachable'],
  ['findMessages', 400, said(['Error: Timed Out']), 'refused'],
  ['webhook', 500, said("Cannot read properties of undefined (reading 'length')"), 'failed'],
]

test.each(OTHERS)('%s answered %i', (...[operation, status, body, fault]) => {
  expect(DIALECT.faultOf(operation, status, body)).toBe(fault)
})

describe('texts for users', () => {
  test.each([
    ['create', 'Erro ao criar instância: 500 - '],
    ['connect', 'Erro ao conectar: 500 - '],
    ['find', 'Erro ao buscar instância: 500 - '],
    ['list', 'Erro ao buscar instâncias: 500 - '],
    ['remove', 'Erro ao excluir: 500 - '],
    ['logout', 'Erro ao desconectar: 500 - '],
    ['webhook', 'Erro ao configurar webhook: 500 - '],
    ['sendText', 'Erro ao enviar mensagem de texto: 500 - '],
    ['sendMedia', 'Erro ao enviar mídia: 500 - '],
    ['findMessages', 'Erro ao buscar mensagens: 500 - '],
  ] as const)('%s begins as the specification says, with the status', (operation, start) => {
    const body = said('TypeError: x is not a function at /evolution/dist/main.js')
    const error = answerError(DIALECT, operation, { status: 500, body })
    expect(error.message.startsWith(start)).toBe(true)
    expect(error.message).not.toMatch(/TypeError|evolution\/dist/)
    expect(error.status).toBe(500)
  })

  test('the reason is our Portuguese text, and the log has the code', () => {
    const error = answerError(DIALECT, 'sendText', { status: 400, body: SENDS[0]?.[2] })
    expect(error.message).toBe('Erro ao enviar mensagem de texto: 400 - este número não tem WhatsApp')
    expect(error.code).toBe('gateway.not-on-whatsapp')
  })

  test('unreadable answers', () => {
    expect(unreadableError('findMessages')).toMatchObject({
      message: 'Resposta inválida ao buscar mensagens',
      fault: 'failed',
    })
    expect(unreadableError('sendText').fault).toBe('unknown-outcome')
    expect(unreadableError('list').fault).toBe('failed')
  })

  test('silence is an unknown result only for a send that reached the gateway', () => {
    expect(silenceError('sendText', true).fault).toBe('unknown-outcome')
    expect(silenceError('sendText', false).fault).toBe('unreachable')
    expect(silenceError('connect', true).fault).toBe('unreachable')
    expect(silenceError('connect', false).message).toBe(
      'Erro ao conectar: o serviço de WhatsApp não respondeu; tente de novo em instantes',
    )
  })

  test('an activation address is shown only if valid', () => {
    const licence = (register_url: unknown) =>
      answerError(DIALECT, 'list', {
        status: 503,
        body: { error: 'service not activated', code: 'LICENSE_REQUIRED', register_url },
      })
    expect(licence('https://evolution.example/r').message).toMatch(
      /ativado.*: https:\/\/evolution\.example\/r$/,
    )
    for (const url of ['javascript:alert(1)', 'http://x', undefined, 7])
      expect(licence(url)).toMatchObject({
        fault: 'unlicensed',
        message: expect.stringMatching(/administrador$/),
      })
  })
})
