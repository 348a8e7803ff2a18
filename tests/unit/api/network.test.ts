// The error texts for failures of servers and network.
import { expect, it } from 'vitest'
import { httpError, throttledError } from '#api/network.ts'

it.each([
  ['540', 'Muitas tentativas. Tente de novo em 9 minutos.'],
  ['541', 'Muitas tentativas. Tente de novo em 10 minutos.'],
  ['60', 'Muitas tentativas. Tente de novo em 1 minuto.'],
  ['1', 'Muitas tentativas. Tente de novo em 1 minuto.'],
  ['0', 'Muitas tentativas. Tente de novo em 1 minuto.'],
  [null, 'Muitas tentativas. Tente de novo em 1 minuto.'],
  ['Wed, 21 Oct 2025 07:28:00 GMT', 'Muitas tentativas. Tente de novo em 1 minuto.'],
])('Retry-After %s reads %s', (header, text) => {
  expect(throttledError(header)).toMatchObject({ message: text, status: 429, code: 'request.throttled' })
})

it.each([
  [0, 'network.offline'],
  [401, 'session.lost'],
  [403, 'access.denied'],
  [404, 'request.refused'],
  [422, 'request.refused'],
  [500, 'server.failed'],
  [503, 'server.failed'],
])('status %i is %s', (status, code) => {
  expect(httpError(status)).toMatchObject({ code, status })
})
