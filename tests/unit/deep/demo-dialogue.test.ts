// The demonstration's dialogues: every template works in every scene, in correct Portuguese.
import { describe, expect, test } from 'vitest'
import { AGENTS } from '#server/demo/agency/agents.ts'
import { BEATS } from '#server/demo/leads/beats.ts'
import { createCalendar, DAY, HOUR } from '#server/demo/calendar.ts'
import { developmentNamed } from '#server/demo/agency/developments.ts'
import { createRandom, type Random } from '#server/demo/random.ts'
import { fill } from '#server/demo/dialogue/fill.ts'
import { momentSlots, sceneSlots, type Scene } from '#server/demo/dialogue/slots.ts'
import { TOPICS } from '#server/demo/dialogue/topics.ts'
import { makeScenario } from '#server/demo/scenario.ts'

const NOW = 1_795_178_460
const scenario = makeScenario(NOW, -3 * HOUR)
const said = scenario.leads.flatMap(({ messages, notes }) => [
  ...messages.map(({ body }) => body),
  ...(notes ? [notes] : []),
])

describe('the text', () => {
  test('has no leftover of a template, no double space, nothing missing', () => {
    const faults = said.filter((text) =>
      /[{}[\]|]|\b(?:undefined|null|nan)\b| {2}| [,.!?;:]|,,|\.\.|[,;:]$|^[,.!? ]|[!?.],|(?<!\p{L})(\p{L}{3,}) \1(?!\p{L})/iu.test(
        text,
      ),
    )
    expect(faults).toEqual([])
  })

  test('starts with a capital letter, a number or a greeting, unless it is only a name', () => {
    expect(said.filter((text) => !/^[\p{Lu}\d]/u.test(text))).toEqual([])
  })

  test('agrees in gender with its speaker', () => {
    const wrong = scenario.leads.flatMap(({ person, broker, messages }) =>
      messages.filter(
        ({ by, body }) =>
          (by === 'lead' &&
            new RegExp(person.gender === 'f' ? 'obrigado|sozinho' : 'obrigada|sozinha', 'i').test(body)) ||
          (by === 'broker' &&
            new RegExp(broker.gender === 'f' ? 'obrigado|corretor ' : 'obrigada|corretora', 'i').test(body)),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('greets by the hour', () => {
    const wrong = scenario.leads.flatMap(({ messages }) =>
      messages.filter(({ at, by, body }) => {
        const hour = Number(new Date((at - 3 * HOUR) * 1000).toISOString().slice(11, 13))
        const greeting = hour < 5 || hour >= 18 ? 'Boa noite' : hour < 12 ? 'Bom dia' : 'Boa tarde'
        const [used] = /^(Bom dia|Boa tarde|Boa noite)/.exec(body) ?? []
        return by !== 'campaign' && used !== undefined && used !== greeting
      }),
    )
    expect(wrong).toEqual([])
  })

  test('is varied: few texts are frequent', () => {
    const openings = scenario.leads.flatMap(({ messages }) => messages[0]?.body ?? [])
    expect(new Set(openings).size / openings.length).toBeGreaterThan(0.5)
  })
})

test('every template works with every choice of its parts', () => {
  const calendar = createCalendar(NOW, -3 * HOUR)
  const [lead] = scenario.leads
  const [broker] = scenario.brokers
  expect.assert(lead && broker)
  const scene: Scene = {
    person: lead.person,
    broker,
    development: developmentNamed('Mirante do Lago'),
    plan: { rooms: 1, size: 40, price: 1240, parking: 1 },
    source: 'site',
    assistant: 'Lia',
  }
  const visit = { at: calendar.atHour(NOW + 3 * DAY, 10.5), otherHour: 12 }
  const questions = TOPICS.flatMap(({ ask, answer }) => [...ask, ...answer])
  for (const { by, messages: lines } of Object.values(BEATS))
    for (const template of [...lines, ...questions])
      for (let place = 0; place < 6; place++) {
        const random = choosing(place)
        const moment = momentSlots(scene, { at: NOW, by, visit }, { calendar, random })
        const bubbles = fill(template, [{ q: 'Q?', a: 'A.' }, moment, sceneSlots(scene)], random)
        expect(bubbles.join('')).not.toMatch(/[{}[\]]|^$/)
      }

  /** Always takes the option at that index, if there are so many. */
  function choosing(place: number): Random {
    const random = createRandom(1)
    return {
      ...random,
      pick: (list) =>
        random.pick(
          list
            .slice(place, place + 1)
            .concat(list)
            .slice(0, 1),
        ),
    }
  }
})

test('an unknown slot is a fault of the template', () => {
  expect(() => fill('Oi {ninguem}', [{ nome: 'Ana' }], createRandom(1))).toThrow('{ninguem}')
})

test('the agents have their prompts', () => {
  expect(AGENTS.map(({ nome_agente }) => nome_agente)).toEqual([
    'Mirante do Lago',
    'Jardim das Acácias',
    'Vista Serrana',
  ])
  const [mirante] = AGENTS
  expect(mirante?.regras_atendimento).toHaveLength(616)
  expect(mirante?.regras_agendamento).toBe('')
  for (const agent of AGENTS) {
    expect(agent.introducao_atendimento).toContain(agent.nome_agente)
    expect(agent.listar_horarios).not.toBe('')
  }
})
