// The two thousand leads: each broker's share, in a stage that fits the lead's age, with a story that leads
// there.
import { ARCS, type StageSlug } from './arcs.ts'
import { createArrivals, DEMO_DAYS, drawSource } from './arrivals.ts'
import type { DemoBroker } from '../agency/brokers.ts'
import { ASSISTANTS } from '../agency/assistants.ts'
import { DAY, HOUR, type Calendar } from '../calendar.ts'
import { developmentNamed, DEVELOPMENTS } from '../agency/developments.ts'
import { FIXTURE_NUMBERS, fixtureLeadsOf } from '../fixtures/leads.ts'
import { drawNotes } from './notes.ts'
import { createPeople, type DemoPerson } from './people.ts'
import type { Random } from '../random.ts'
import { handOut } from '../agency/rotations.ts'
import { stageAt, type DemoLead } from './story.ts'
import { sceneSlots, type Scene } from '../dialogue/slots.ts'
import { writeStory, type Arrival } from './write-story.ts'

/** Camila's board, stage by stage. */
const CAMILA_BOARD: Record<StageSlug, number> = {
  new: 12,
  conversa: 8,
  negociacao: 5,
  fechado: 3,
  arquivado: 21,
}
/** Drawn leads of camila are at least this old, so that they rank below the individually written ones. */
const CAMILA_QUIET = 4 * HOUR

const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado'] as const
/** Probability of each of STAGES for a lead of at most that many days. */
const STAGES_BY_AGE: readonly { days: number; weights: readonly number[] }[] = [
  { days: 0.5, weights: [80, 20, 0, 0, 0] },
  { days: 2, weights: [52, 42, 0, 0, 6] },
  { days: 7, weights: [40, 38, 10, 0, 12] },
  { days: 14, weights: [34, 28, 22, 0, 16] },
  { days: 30, weights: [25, 18, 20, 15, 22] },
  { days: DEMO_DAYS + 1, weights: [8, 8, 11, 13, 60] },
]
const DEVELOPMENT_SHARES = DEVELOPMENTS.map((development) => [development, development.share] as const)
const TELLINGS = 30
const REDRAWS = 2_000
/** Share of leads without a development. */
const UNKNOWN_DEVELOPMENT = 0.03

type Means = { calendar: Calendar; random: Random }
type Origin = { broker: DemoBroker; createdAt: number; distributedBy: string | null; until: number }

export function drawLeads(brokers: readonly DemoBroker[], { calendar, random }: Means): DemoLead[] {
  const drawPerson = createPeople(random, FIXTURE_NUMBERS)
  const drawTime = createArrivals(calendar, random)
  const handedOut = handOut(calendar, random)

  return brokers.flatMap((broker) => {
    const isCamila = broker.username === 'camila'
    const until = calendar.now - (isCamila ? CAMILA_QUIET : 0)
    const oldest = calendar.now - DEMO_DAYS * DAY
    const leads = fixtureLeadsOf(broker, calendar, random)
    const places = isCamila ? placesLeft(leads) : null

    const turns = handedOut.filter(({ username }) => username === broker.username)
    while (leads.length < broker.leadCount) {
      const turn = turns.shift()
      const person = drawPerson(broker.instanceName)
      leads.push(drawFitting(person, turn))
    }
    return leads

    function drawFitting(person: DemoPerson, turn: (typeof turns)[number] | undefined): DemoLead {
      for (let attempt = 0; attempt < REDRAWS; attempt++) {
        const createdAt = turn?.createdAt ?? drawTime(oldest, until)
        const lead = drawLead(
          person,
          { broker, createdAt, distributedBy: turn?.development ?? null, until },
          { calendar, random },
        )
        const stage = stageAt(lead.moves, calendar.now)
        if (places?.[stage] === 0) continue
        if (places) places[stage]--
        return lead
      }
      throw new Error(`no lead fits the board of ${broker.username}`)
    }
  })
}

function placesLeft(known: readonly DemoLead[]): Record<StageSlug, number> {
  const places = { ...CAMILA_BOARD }
  for (const { moves } of known) places[stageAt(moves, Infinity)]--
  return places
}

function drawLead(
  person: DemoPerson,
  { broker, createdAt, distributedBy, until }: Origin,
  means: Means,
): DemoLead {
  const { calendar, random } = means
  const { source, isFromCampaign, isForm } = drawSource(random)
  const development = distributedBy ? developmentNamed(distributedBy) : random.weigh(DEVELOPMENT_SHARES)
  const assistant = distributedBy && person.firstName ? (ASSISTANTS[distributedBy]?.name ?? null) : null
  const scene: Scene = {
    person,
    broker,
    development,
    plan: random.pick(development.plans),
    source,
    assistant,
  }
  const arrival: Arrival = assistant ? 'assistant' : isForm && !distributedBy ? 'form' : 'message'

  const story = writeStoryTowards(drawStage((calendar.now - createdAt) / DAY, random))
  const stage = stageAt(story.moves, until)
  const isUnknown = !distributedBy && random.chance(UNKNOWN_DEVELOPMENT)
  return {
    person,
    broker,
    source,
    adCampaign: isFromCampaign && !isUnknown ? development.adCampaign : null,
    development: isUnknown ? null : development.name,
    isDistributed: distributedBy !== null,
    notes: drawNotes(stage, sceneSlots(scene), random),
    createdAt,
    ...story,
    remarketingSentAt: null,
    optedOutAt: null,
  }

  /** A story that has reached the wanted stage by now, or the last attempt. */
  function writeStoryTowards(wanted: StageSlug): ReturnType<typeof writeStory> {
    for (let left = TELLINGS; ; left--) {
      const story = writeStory(scene, { arc: random.weigh(ARCS[wanted]), arrival, createdAt, until }, means)
      if (left === 1 || stageAt(story.moves, until) === wanted) return story
    }
  }
}

function drawStage(ageDays: number, random: Random): StageSlug {
  const weights = STAGES_BY_AGE.find(({ days }) => ageDays < days)?.weights ?? []
  return random.weigh(STAGES.map((stage, index) => [stage, weights[index] ?? 0] as const))
}
