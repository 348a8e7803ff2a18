// Plays a story: its moments become dated messages, up to now.
import type { Arc, OpeningStep, Step } from './arcs.ts'
import { BEATS, type BeatName } from './beats.ts'
import type { Calendar } from '../calendar.ts'
import { chooseVisit, nextMoment, type Visit } from './reply-times.ts'
import type { Random } from '../random.ts'
import type { DemoMessage, DemoMove } from './story.ts'
import type { Scene } from '../dialogue/slots.ts'
import { createVoice } from '../dialogue/voice.ts'

/** How a lead arrives: by a message, through a development's assistant, or by a form. */
export type Arrival = 'message' | 'assistant' | 'form'

const OPENINGS: Record<Arrival, Record<OpeningStep, readonly BeatName[]>> = {
  message: { first: ['open'], again: ['insist'], firstWord: ['reply'], firstAnswer: ['reply', 'purpose'] },
  assistant: {
    first: [
      'open',
      'agentHello',
      'agentName',
      'agentMoveIn',
      'agentPurpose',
      'agentSize',
      'agentRooms',
      'agentHandover',
    ],
    again: ['insist'],
    firstWord: ['takeOver'],
    firstAnswer: ['takeOver'],
  },
  form: { first: [], again: [], firstWord: ['formFirst'], firstAnswer: ['formFirst', 'formReply', 'answer'] },
}

export type StorySpan = { arc: Arc; arrival: Arrival; createdAt: number; until: number }
type Means = { calendar: Calendar; random: Random }

/** Messages and moves up to `until`; the rest of the story is in the future. */
export function writeStory(
  scene: Scene,
  { arc, arrival, createdAt, until }: StorySpan,
  { calendar, random }: Means,
) {
  const messages: DemoMessage[] = []
  const moves: DemoMove[] = []
  const say = createVoice(scene, { calendar, random })
  let visit: Visit | null = null
  let at = createdAt

  for (const step of arc.flatMap((step) => expand(step, arrival, random))) {
    if (typeof step === 'object') {
      at += random.between(20, 240)
      if (at > until) break
      moves.push({ at, to: step.move })
      continue
    }
    const { by, after, messages: phrases } = BEATS[step]
    at = nextMoment({ at, by, after, paceMinutes: scene.broker.paceMinutes, visit }, calendar, random)
    if (at > until) break
    if (step === 'invite') visit = chooseVisit(at, calendar, random)
    for (const body of say(phrases, { at, by, visit })) {
      if (at <= until) messages.push({ at, by, body })
      at += random.between(3, 25)
    }
  }
  return { messages, moves }
}

function expand(step: Step, arrival: Arrival, random: Random): Exclude<Step, OpeningStep | 'topics'>[] {
  if (typeof step === 'object') return [step]
  if (step === 'topics') {
    const rounds = random.between(1, 3)
    return Array.from({ length: rounds }, () => ['ask', 'answer'] as const).flat()
  }
  const openings = OPENINGS[arrival]
  return isOpening(step) ? [...openings[step]] : [step]
}

const isOpening = (step: BeatName | OpeningStep): step is OpeningStep => step in OPENINGS.message
