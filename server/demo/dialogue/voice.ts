// Produces the lines of a scene's people as bubbles, and keeps the thread of questions and answers.
import type { Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'
import { fill, type Slots } from './fill.ts'
import { momentSlots, sceneSlots, type Scene, type Utterance } from './slots.ts'
import { TOPICS } from './topics.ts'

/** A line with '{q}' asks about the next topic, '{a}' answers the last question. */
export function createVoice(scene: Scene, means: { calendar: Calendar; random: Random }) {
  const { random } = means
  const constant = sceneSlots(scene)
  const topics = random.shuffle(TOPICS)
  let asked = -1

  return (messages: readonly string[], utterance: Utterance): string[] => {
    const template = random.pick(messages)
    const isQuestion = template.includes('{q}')
    if (isQuestion) asked = (asked + 1) % topics.length
    const moment = [momentSlots(scene, utterance, means), constant]
    const { ask = [], answer = [] } = topics[asked] ?? {}
    const say = (phrases: readonly string[]) => fill(random.pick(phrases), moment, random).join(' ')
    const thread: Slots = {
      ...(isQuestion && { q: say(ask) }),
      ...(template.includes('{a}') && { a: say(answer) }),
    }
    return fill(template, [thread, ...moment], random)
  }
}
