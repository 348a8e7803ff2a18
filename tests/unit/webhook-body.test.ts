// A delivery larger than the memory limit: its files are streamed, in pieces of any size.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBody, type BodyLimits } from '#server/whatsapp/webhook/body.ts'

const STRING_BYTES = 40
const ADDRESS = 'http://portal.test/'

/** The text in pieces of these lengths, the last one with the rest. */
function inPieces(text: string, lengths: readonly number[]): Request {
  const bytes = Buffer.from(text)
  let at = 0
  const pieces = [...lengths, bytes.length].map((length) => bytes.subarray(at, (at += length)))
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      for (const piece of pieces) if (piece.length > 0) stream.enqueue(Uint8Array.from(piece))
      stream.close()
    },
  })
  return new Request(ADDRESS, { method: 'POST', body, ...({ duplex: 'half' } as RequestInit) })
}

/** A body in one piece with its length, as a gateway sends it. */
const inOne = (text: string) =>
  new Request(ADDRESS, {
    method: 'POST',
    body: text,
    headers: { 'content-length': String(Buffer.byteLength(text)) },
  })

/** The expected result: strings with too many bytes are empty, names included. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return isLong(value) ? '' : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [isLong(name) ? '' : name, shortened(inner)]),
  )
}
const isLong = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2 > STRING_BYTES

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('"', '\\', '\\"'.repeat(30)),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.constant(null), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 4 }),
})).value
const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })

const limits = (part: Partial<BodyLimits>): BodyLimits => ({
  plainBytes: 0,
  stringBytes: STRING_BYTES,
  fileBytes: 100_000,
  textBytes: 100_000,
  ...part,
})

test('a small delivery is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const text = JSON.stringify(value)
      const plainBytes = Buffer.byteLength(text)
      expect(await readBody(inOne(text), limits({ plainBytes }))).toEqual({ text, files: [] })
    }),
  )
})

test('a larger one loses its long strings and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(json, lengths, async (value, pieces) => {
      const sent = JSON.stringify({ value, file: 'A'.repeat(20_000) })
      const read = await readBody(inPieces(sent, pieces), limits({}))
      expect(JSON.parse(read?.text ?? '')).toEqual(shortened(JSON.parse(sent)))
      expect(await readBody(inOne(sent), limits({}))).toEqual(read)
    }),
  )
})

test('its files are decoded as they arrive, in pieces of any size, with or without escapes', async () => {
  const files = fc.array(fc.uint8Array({ minLength: STRING_BYTES, maxLength: 300 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(files, lengths, fc.boolean(), async (made, pieces, isEscaped) => {
      const plain = JSON.stringify({
        list: made.map((bytes) => ({ base64: Buffer.from(bytes).toString('base64') })),
      })
      const sent = isEscaped ? plain.replaceAll('/', '\\/') : plain
      for (const request of [inPieces(sent, pieces), inOne(sent)]) {
        const read = await readBody(request, limits({}))
        expect(read?.files.map((bytes) => Buffer.from(bytes ?? []))).toEqual(made.map((b) => Buffer.from(b)))
        expect(JSON.parse(read?.text ?? '')).toEqual({
          list: made.map((_, at) => ({ base64: `held:${at}` })),
        })
      }
    }),
  )
})

test.each([
  ['larger than is held', 'A'.repeat(400), 200],
  ['no base64', '*'.repeat(400), 100_000],
])('a file that is %s is left out', async (_, base64, fileBytes) => {
  const read = await readBody(inOne(JSON.stringify({ base64 })), limits({ fileBytes }))
  expect(read).toEqual({ text: '{"base64":"held:0"}', files: [null] })
})

test('a delivery too large even without files gives nothing, and is read to its end', async () => {
  const request = inPieces(JSON.stringify(Array.from({ length: 100 }, () => 'short')), [10, 10])
  expect(await readBody(request, limits({ textBytes: 100 }))).toBeNull()
  expect(await readBody(new Request(ADDRESS), limits({}))).toEqual({ text: '', files: [] })
  expect((await request.body?.getReader().read())?.done).toBe(true)
})
