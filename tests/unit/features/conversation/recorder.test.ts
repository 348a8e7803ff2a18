// The microphone: what it records in, how it ends, and what is said when there is none.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openRecorder, pickType } from '#features/conversation/voice/recorder.ts'

it.each([
  [['audio/webm;codecs=opus', 'audio/ogg;codecs=opus'], 'audio/ogg;codecs=opus'],
  [['audio/webm;codecs=opus', 'audio/mp4'], 'audio/webm;codecs=opus'],
  [['audio/mp4'], 'audio/mp4'],
  [['video/webm'], null],
])('of %j it records %s', (known, type) => {
  expect(pickType((each) => known.includes(each))).toBe(type)
})

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

it('answers all that was recorded and lets the microphone go', async () => {
  const recorder = await opened()
  const { file, seconds } = await recorder.finish()
  expect(await file.text()).toBe('som')
  expect(file.type).toBe('audio/webm;codecs=opus')
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(stopTrack).toHaveBeenCalledOnce()
})

it('thrown away it lets the microphone go, too', async () => {
  const recorder = await opened()
  recorder.discard()
  expect(stopTrack).toHaveBeenCalled()
})

it('says when the microphone goes away by itself', async () => {
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
])('%s is told as %s', async (name, fault) => {
  getUserMedia.mockRejectedValue(new DOMException('no', name))
  await expect(openRecorder(() => undefined)).resolves.toEqual({ ok: false, fault })
})

it('a browser that cannot record is not asked for its microphone', async () => {
  vi.stubGlobal('window', {})
  await expect(openRecorder(() => undefined)).resolves.toEqual({ ok: false, fault: 'unsupported' })
  expect(getUserMedia).not.toHaveBeenCalled()
})
