// An upload: progress, one token renewal, an end when nothing moves, cancellation.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { upload } from '#api/upload.ts'
import { eventually } from '#tests/support/eventually.ts'

const { accessToken, renewToken, forgetSession } = vi.hoisted(() => ({
  accessToken: vi.fn<() => Promise<string | null>>(),
  renewToken: vi.fn<() => Promise<string | null>>(),
  forgetSession: vi.fn<() => Promise<void>>(),
}))
vi.mock('#api/auth.ts', () => ({ accessToken, renewToken, forgetSession }))

/** The browser's request; the test acts as the network. */
class FakeRequest extends EventTarget {
  static all: FakeRequest[] = []
  upload = new EventTarget()
  headers: Record<string, string> = {}
  status = 0
  responseText = ''
  path = ''
  constructor() {
    super()
    FakeRequest.all.push(this)
  }
  open(_: string, path: string) {
    this.path = path
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getResponseHeader() {
    return null
  }
  send() {
    return undefined
  }
  abort() {
    this.end('abort')
  }
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  }
  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.end('load')
  }
  end(kind: 'load' | 'error' | 'abort') {
    this.dispatchEvent(new Event(kind))
    this.dispatchEvent(new Event('loadend'))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeRequest.all = []
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  accessToken.mockResolvedValue('token-1')
  renewToken.mockReset().mockResolvedValue('token-2')
  forgetSession.mockReset().mockResolvedValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const onProgress = vi.fn<(ratio: number) => void>()
function begin(signal = new AbortController().signal) {
  return upload({ path: '/api/messages/media', body: new Blob(['x']), onProgress, signal })
}
async function request(index = 0): Promise<FakeRequest> {
  await eventually(() => expect(FakeRequest.all.length).toBeGreaterThan(index))
  return FakeRequest.all[index]!
}

it('reports progress and returns the JSON, with the session’s token', async () => {
  const answer = begin()
  const sent = await request()
  expect(sent).toMatchObject({ path: '/api/messages/media', headers: { Authorization: 'Bearer token-1' } })
  sent.progress(25, 100)
  sent.answer(200, { message: 7 })
  await expect(answer).resolves.toEqual({ message: 7 })
  expect(onProgress).toHaveBeenCalledWith(0.25)
})

it('a refused token is renewed once, and the file is sent again', async () => {
  const answer = begin()
  ;(await request()).answer(401, {})
  const second = await request(1)
  expect(second.headers['Authorization']).toBe('Bearer token-2')
  second.answer(200, {})
  await expect(answer).resolves.toEqual({})
  expect(forgetSession).not.toHaveBeenCalled()
})

it('a second refusal ends the session', async () => {
  const answer = begin()
  ;(await request()).answer(401, {})
  ;(await request(1)).answer(401, {})
  await expect(answer).rejects.toMatchObject({ code: 'session.lost' })
  expect(forgetSession).toHaveBeenCalledOnce()
})

it("reports the server's text", async () => {
  const answer = begin()
  ;(await request()).answer(413, {
    error: { code: 'media.too-large', message: 'O arquivo é grande demais.' },
  })
  await expect(answer).rejects.toMatchObject({ code: 'media.too-large', status: 413 })
})

it('reports a missing network', async () => {
  const answer = begin()
  ;(await request()).end('error')
  await expect(answer).rejects.toMatchObject({ code: 'network.offline', status: 0 })
})

it('continues while bytes move, and fails when none do', async () => {
  const answer = begin()
  // The test catches the error from the start, because the upload fails before it is awaited.
  const outcome = answer.catch((error: unknown) => error)
  const sent = await request()
  for (let part = 1; part <= 10; part++) {
    vi.advanceTimersByTime(29_000)
    sent.progress(part, 100)
  }
  vi.advanceTimersByTime(30_000)
  expect(await outcome).toMatchObject({ code: 'network.timeout', status: 0 })
})

it("cancellation rejects with the signal's reason", async () => {
  const controller = new AbortController()
  const answer = begin(controller.signal)
  const sent = await request()
  const aborted = vi.spyOn(sent, 'abort')
  controller.abort()
  await expect(answer).rejects.toBe(controller.signal.reason)
  expect(aborted).toHaveBeenCalledOnce()
})

it('an upload cancelled before its start sends nothing', async () => {
  await expect(begin(AbortSignal.abort())).rejects.toThrow('abort')
  expect(FakeRequest.all).toEqual([])
})
