// Reading a body up to a limit, with or without a declared length.
import * as fc from 'fast-check'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from '#server/http/requests.ts'
import { bytesUpTo, statedBytes } from '#server/request-bytes.ts'

const ADDRESS = 'http://portal.test/'
const LIMIT = 50

const inPieces = (pieces: readonly Uint8Array[]) =>
  new Request(ADDRESS, {
    method: 'POST',
    body: new ReadableStream<Uint8Array>({
      start: (stream) => {
        for (const piece of pieces) stream.enqueue(piece)
        stream.close()
      },
    }),
    ...({ duplex: 'half' } as RequestInit),
  })

const stating = (length: number, bytes: Uint8Array<ArrayBuffer>) =>
  new Request(ADDRESS, { method: 'POST', body: bytes, headers: { 'content-length': String(length) } })

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }), { maxLength: 4 })

test('a body within the limit is unchanged, a larger one gives nothing', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (sent) => {
      const whole = Buffer.concat(sent)
      const expected = whole.length > LIMIT ? null : whole
      expect(await bytesUpTo(inPieces(sent), LIMIT)).toEqual(expected)
      expect(await bytesUpTo(stating(whole.length, whole), LIMIT)).toEqual(expected)
    }),
  )
})

test('a false length allows nothing more', async () => {
  const tooLong = Buffer.alloc(LIMIT + 1)
  expect(await bytesUpTo(stating(1, tooLong), LIMIT)).toBeNull()
  expect(await bytesUpTo(stating(LIMIT + 1, Buffer.alloc(1)), LIMIT)).toBeNull()
})

test('a chunked body ignores any declared length', () => {
  const headers = { 'content-length': '3', 'transfer-encoding': 'chunked' }
  expect(statedBytes(new Request(ADDRESS, { method: 'POST', body: 'abc', headers }))).toBeNull()
  expect(statedBytes(new Request(ADDRESS))).toBeNull()
})

test('a body over the limit is refused before the route in either form, and a request without a body may stream', async () => {
  const routes = new Hono()
  routes.use(limitBody(LIMIT))
  routes.all('*', async (context) => context.text(String((await context.req.arrayBuffer()).byteLength)))
  routes.onError((error, context) => context.text(error.message, 413))
  const answerTo = async (request: Request) => {
    const answer = await routes.fetch(request)
    return `${answer.status} ${await answer.text()}`
  }
  const fits = Buffer.alloc(LIMIT)
  const tooLong = Buffer.alloc(LIMIT + 1)
  for (const made of [
    (bytes: typeof fits) => stating(bytes.length, bytes),
    (bytes: typeof fits) => inPieces([bytes]),
  ]) {
    expect(await answerTo(made(fits))).toBe(`200 ${LIMIT}`)
    expect(await answerTo(made(tooLong))).toBe('413 O pedido é grande demais.')
  }
  expect(await answerTo(new Request(ADDRESS))).toBe('200 0')
})
