// Recording a voice message: by holding, by tapping, pulled left or up.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CANCEL_PULL,
  type Deed,
  IDLE,
  LOCK_PULL,
  nextVoice,
  pullVerdict,
  type Voice,
  type VoiceEvent,
} from '#features/conversation/voice/voice-steps.ts'

function play(events: readonly VoiceEvent[]): { voice: Voice; deeds: Deed[] } {
  const deeds: Deed[] = []
  let voice: Voice = IDLE
  for (const event of events) {
    const [next, deed] = nextVoice(voice, event)
    voice = next
    if (deed !== null) deeds.push(deed)
  }
  return { voice, deeds }
}

const press: VoiceEvent = { kind: 'press', atMs: 1000 }
const granted: VoiceEvent = { kind: 'granted', atMs: 1100 }
const pull = (dx: number, dy: number): VoiceEvent => ({ kind: 'pull', pull: { dx, dy } })
const release = (atMs: number): VoiceEvent => ({ kind: 'release', atMs })

it.each<[string, VoiceEvent[], Deed[], Voice['step']]>([
  ['held and let go it is sent', [press, granted, release(5000)], ['open', 'send'], 'idle'],
  [
    'let go at once after holding it was no message',
    [press, granted, release(1700)],
    ['open', 'tooShort'],
    'idle',
  ],
  ['tapped it records on', [press, granted, release(1250)], ['open'], 'recording'],
  ['tapped before the microphone answered', [press, release(1050), granted], ['open'], 'recording'],
  [
    'the system asked first: nobody held on',
    [press, { kind: 'lost' }, granted, release(9000)],
    ['open'],
    'recording',
  ],
  [
    'pulled to the left it is gone',
    [press, granted, pull(-95, 3), pull(-96, 3)],
    ['open', 'discard'],
    'idle',
  ],
  ['pulled up the pointer may go', [press, granted, pull(0, -72), release(9000)], ['open'], 'recording'],
  ['locked, pulling does nothing more', [press, granted, pull(0, -80), pull(-200, 0)], ['open'], 'recording'],
  [
    'a call takes the pointer: it records on',
    [press, granted, { kind: 'lost' }, release(9000)],
    ['open'],
    'recording',
  ],
  [
    'locked and stopped it is listened to',
    [press, granted, pull(0, -80), { kind: 'stop' }],
    ['open', 'stop'],
    'review',
  ],
  [
    'listened to and sent',
    [press, granted, pull(0, -80), { kind: 'stop' }, { kind: 'send' }],
    ['open', 'stop', 'send'],
    'idle',
  ],
  [
    'listened to and thrown away',
    [press, granted, pull(0, -80), { kind: 'stop' }, { kind: 'discard' }],
    ['open', 'stop', 'discard'],
    'idle',
  ],
  ['refused by the person', [press, { kind: 'failed' }], ['open', 'discard'], 'idle'],
  ['the microphone was pulled out', [press, granted, { kind: 'stop' }], ['open', 'stop'], 'review'],
  ['nothing happens without a press', [granted, release(1), { kind: 'send' }, { kind: 'stop' }], [], 'idle'],
])('%s', (_, events, deeds, step) => {
  const played = play(events)
  expect(played.deeds).toEqual(deeds)
  expect(played.voice.step).toBe(step)
})

it.each([
  [-CANCEL_PULL, 0, 'cancel'],
  [-CANCEL_PULL + 1, 0, null],
  [0, -LOCK_PULL, 'lock'],
  [0, -LOCK_PULL + 1, null],
  [-100, -99, 'cancel'],
  [-99, -100, 'lock'],
  [300, 0, null],
  [0, 300, null],
] as const)('a pull of %i, %i means %s', (dx, dy, verdict) => expect(pullVerdict({ dx, dy })).toBe(verdict))

it('an opened recording ends once: sent, discarded or kept for review', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant('press' as const), atMs: fc.nat(10_000) }),
    fc.record({ kind: fc.constant('granted' as const), atMs: fc.nat(10_000) }),
    fc.record({ kind: fc.constant('release' as const), atMs: fc.nat(10_000) }),
    fc.record({
      kind: fc.constant('pull' as const),
      pull: fc.record({ dx: fc.integer({ min: -200, max: 200 }), dy: fc.integer({ min: -200, max: 200 }) }),
    }),
    fc.constantFrom<VoiceEvent>(
      { kind: 'failed' },
      { kind: 'lost' },
      { kind: 'stop' },
      { kind: 'send' },
      { kind: 'discard' },
    ),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let isOpen = false
      for (const deed of play(events).deeds) {
        expect(deed === 'open').toBe(!isOpen)
        isOpen = deed === 'open' || deed === 'stop'
      }
    }),
  )
})
