// The microphone: its format, its end, and its error texts.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openRecorder, pickType } from '#features/conversation/voice/recorder.ts'
import { table } from '#tests/support/table.ts'

table('with support for %j it records %s', (known) => pickType((each) => known.includes(each)), [
  [['audio/webm;codecs=opus', 'audio/ogg;codecs=opus'], 'audio/ogg;codecs=opus'],
  [['audio/webm;codecs=opus', 'audio/mp4'], 'audio/webm;codecs=opus'],
  [['audio/mp4'], 'audio/mp4'],
  [['video/webm'], null],
])

class FakeMedia extends EventTarget {
  static isTypeSupported = (type: string) => type === 'audio/webm;codecs=opus'
  state = 'inactive'
  mimeType = 'audio/webm;codecs=opus'
  start() {
    this.state = 'recording'
  }
  stop() {
    this.state = 'inactive'
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['som']) }))
    this.dispatchEvent(new Event('stop'))
  }
}

const stopTrack = vi.fn<() => void>()
const track = Object.assign(new EventTarget(), { stop: stopTrack })
const getUserMedia = vi.fn<() => Promise<unknown>>()
beforeEach(() => {
  stopTrack.mockReset()
  getUserMedia.mockReset().mockResolvedValue({ getTracks: () => [track] })
  vi.stubGlobal('window', { MediaRecorder: FakeMedia })
  vi.stubGlobal('MediaRecorder', FakeMedia)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
})
afterEach(() => vi.unstubAllGlobals())

async function opened(onEnd = () => undefined as void) {
  const outcome = await openRecorder(onEnd)
  if (!outcome.ok) throw new Error(outcome.fault)
  return outcome.recorder
}

it('returns the whole recording and releases the microphone', async () => {
  const recorder = await opened()
  const { file, seconds } = await recorder.finish()
  expect(await file.text()).toBe('som')
  expect(file.type).toBe('audio/webm;codecs=opus')
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(stopTrack).toHaveBeenCalledOnce()
})

it('discarded, it releases the microphone, too', async () => {
  const recorder = await opened()
  recorder.discard()
  expect(stopTrack).toHaveBeenCalled()
})

it('reports when the microphone stops by itself', async () => {
  const onEnd = vi.fn<() => void>()
  await opened(onEnd)
  track.dispatchEvent(new Event('ended'))
  expect(onEnd).toHaveBeenCalledOnce()
})

it.each([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'unsupported'],
])('%s is reported as %s', async (name, fault) => {
  getUserMedia.mockRejectedValue(new DOMException('no', name))
  await expect(openRecorder(() => undefined)).resolves.toEqual({ ok: false, fault })
})

it('a browser that cannot record is not asked for permission', async () => {
  vi.stubGlobal('window', {})
  await expect(openRecorder(() => undefined)).resolves.toEqual({ ok: false, fault: 'unsupported' })
  expect(getUserMedia).not.toHaveBeenCalled()
})
