// An unchanged board is answered from the cache, after the REST layer has confirmed it for this caller.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createBoardCache } from '#server/http/board-cache.ts'

type Asked = { p_instance: string; p_cursor?: string | null }

/** A REST layer with one board, which the test changes. */
function openWire() {
  const asked: (Asked & { token: string | null })[] = []
  const state = { version: 1, refused: 0 }
  const serve = async (request: Request) => {
    const body = (await request.json()) as Asked
    asked.push({ ...body, token: request.headers.get('authorization') })
    if (state.refused > 0) return Response.json({ code: 'PGRST301' }, { status: state.refused })
    const cursor = `epoch.${state.version}.1:${state.version}:`
    const isSame = body.p_cursor === cursor
    return Response.json({
      cursor,
      reset: !body.p_cursor,
      leads: isSame ? [] : [{ id: 1, name: `Lead ${state.version}` }],
    })
  }
  const boards = createBoardCache()
  const ask = (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(body)
    return boards(
      new Request('http://portal/rest/v1/rpc/sync_board', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': String(text.length),
          'accept-encoding': 'br',
          authorization: 'Bearer ana',
          ...headers,
        },
        body: text,
      }),
      serve,
    )
  }
  return { ask, asked, state }
}

const WHOLE = { p_instance: 'corretor_ana', p_cursor: null }

async function read(answer: Response): Promise<unknown> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const encoding = answer.headers.get('content-encoding')
  const plain =
    encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
  return JSON.parse(plain.toString())
}

test('the second request gets the cached board, after the changes were requested as the caller', async () => {
  const { ask, asked } = openWire()
  const first = await read(await ask(WHOLE))
  const second = await ask(WHOLE, { authorization: 'Bearer bia' })
  expect(second.headers.get('content-type')).toBe('application/json')
  expect(second.headers.get('vary')).toBe('accept-encoding')
  expect(await read(second)).toEqual(first)
  expect(asked).toEqual([
    { ...WHOLE, token: 'Bearer ana' },
    { p_instance: 'corretor_ana', p_cursor: 'epoch.1.1:1:', token: 'Bearer bia' },
  ])
})

test('a changed board is read again and cached', async () => {
  const { ask, asked, state } = openWire()
  await ask(WHOLE)
  state.version = 2
  expect(await read(await ask(WHOLE))).toMatchObject({ leads: [{ name: 'Lead 2' }] })
  expect(await read(await ask(WHOLE))).toMatchObject({ leads: [{ name: 'Lead 2' }] })
  expect(asked.map(({ p_cursor }) => p_cursor)).toEqual([null, 'epoch.1.1:1:', null, 'epoch.2.1:2:'])
})

test.each([401, 403, 404])(
  'a caller who is refused (%i) is refused even with a cached board',
  async (status) => {
    const { ask, state } = openWire()
    await ask(WHOLE)
    state.refused = status
    const answer = await ask(WHOLE)
    expect(answer.status).toBe(status)
    expect(await read(answer)).toEqual({ code: 'PGRST301' })
  },
)

test('each encoding has its own entry', async () => {
  const { ask } = openWire()
  const inBrotli = await read(await ask(WHOLE))
  const zipped = await ask(WHOLE, { 'accept-encoding': 'gzip' })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(await read(zipped)).toEqual(inBrotli)
})

test.each([
  ['changes since a cursor', { p_instance: 'corretor_ana', p_cursor: 'epoch.1.1:1:' }, {}],
  ['an argument it does not know', { ...WHOLE, other: 1 }, {}],
  ['a preference', WHOLE, { prefer: 'count=exact' }],
  ['another kind of answer', WHOLE, { accept: 'text/csv' }],
  ['no compression', WHOLE, { 'accept-encoding': 'identity' }],
])('%s is passed on unchanged', async (_what, body, headers: Record<string, string>) => {
  const { ask, asked } = openWire()
  await ask(WHOLE)
  const answer = await ask(body, headers)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(asked.at(-1)).toEqual({ ...body, token: 'Bearer ana' })
})
