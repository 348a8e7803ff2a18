// A file on its way up: told how far, renewed once, ended when nothing moves, stopped when the person says so.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { upload } from '#api/upload.ts'
import { eventually } from '#tests/support/eventually.ts'

const { accessToken, renewToken, forgetSession } = vi.hoisted(() => ({
  accessToken: vi.fn<() => Promise<string | null>>(),
  renewToken: vi.fn<() => Promise<string | null>>(),
  forgetSession: vi.fn<() => Promise<void>>(),
}))
vi.mock('#api/auth.ts', () => ({ accessToken, renewToken, forgetSession }))

/** A request as the browser makes it; the test plays the network. */
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

it('tells how far it is and answers the JSON, with the session’s token', async () => {
  const answer = begin()
  const sent = await request()
  expect(sent).toMatchObject({ path: '/api/messages/media', headers: { Authorization: 'Bearer token-1' } })
  sent.progress(25, 100)
  sent.answer(200, { message: 7 })
  await expect(answer).resolves.toEqual({ message: 7 })
  expect(onProgress).toHaveBeenCalledWith(0.25)
})

it('a token that was refused is renewed once, and the file goes up again', async () => {
  const answer = begin()
  ;(await request()).answer(401, {})
  const second = await request(1)
  expect(second.headers['Authorization']).toBe('Bearer token-2')
  second.answer(200, {})
  await expect(answer).resolves.toEqual({})
  expect(forgetSession).not.toHaveBeenCalled()
})

it('refused again the session is over', async () => {
  const answer = begin()
  ;(await request()).answer(401, {})
  ;(await request(1)).answer(401, {})
  await expect(answer).rejects.toMatchObject({ code: 'session.lost' })
  expect(forgetSession).toHaveBeenCalledOnce()
})

it('says what the server says', async () => {
  const answer = begin()
  ;(await request()).answer(413, {
    error: { code: 'media.too-large', message: 'O arquivo é grande demais.' },
  })
  await expect(answer).rejects.toMatchObject({ code: 'media.too-large', status: 413 })
})

it('without a network it says so', async () => {
  const answer = begin()
  ;(await request()).end('error')
  await expect(answer).rejects.toMatchObject({ code: 'network.offline', status: 0 })
})

it('as long as something moves it goes on; when nothing does any more it ends', async () => {
  const answer = begin()
  // Caught from the beginning, since it ends before it is looked at.
  const outcome = answer.catch((error: unknown) => error)
  const sent = await request()
  for (let part = 1; part <= 10; part++) {
    vi.advanceTimersByTime(29_000)
    sent.progress(part, 100)
  }
  vi.advanceTimersByTime(30_000)
  expect(await outcome).toMatchObject({ code: 'network.timeout', status: 0 })
})

it('stopped by the person it ends with the reason of that', async () => {
  const controller = new AbortController()
  const answer = begin(controller.signal)
  const sent = await request()
  const aborted = vi.spyOn(sent, 'abort')
  controller.abort()
  await expect(answer).rejects.toBe(controller.signal.reason)
  expect(aborted).toHaveBeenCalledOnce()
})

it('stopped before it began nothing is sent', async () => {
  await expect(begin(AbortSignal.abort())).rejects.toThrow('abort')
  expect(FakeRequest.all).toEqual([])
})
