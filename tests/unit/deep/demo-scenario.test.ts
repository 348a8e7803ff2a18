// The demonstration's data at many moments: counts, order in time, and the fixed cards on camila's board.
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#server/demo/calendar.ts'
import { ROTATIONS } from '#server/demo/agency/rotations.ts'
import { lastActivity, stageAt, type DemoLead } from '#server/demo/leads/story.ts'
import { makeScenario, type Scenario } from '#server/demo/scenario.ts'

const SAO_PAULO = -3 * HOUR
const seconds = (iso: string) => Date.parse(iso) / 1000

/** Every weekday, night and day, a new month and year, and another time zone. */
const MOMENTS: readonly (readonly [string, number])[] = [
  ['2026-11-20T12:41:00Z', SAO_PAULO],
  ['2026-11-21T03:00:20Z', SAO_PAULO],
  ['2026-11-22T05:30:00Z', SAO_PAULO],
  ['2027-01-01T02:59:59Z', SAO_PAULO],
  ['2027-03-01T22:15:00Z', SAO_PAULO],
  ['2028-02-29T15:00:00Z', SAO_PAULO],
  ['2027-06-16T11:00:00Z', 0],
  ['2027-08-05T19:45:00Z', 9 * HOUR],
]

describe.each(MOMENTS)('at %s', (iso, offset) => {
  const now = seconds(iso)
  const scenario = makeScenario(now, offset)
  const of = (username: string) => scenario.leads.filter(({ broker }) => broker.username === username)

  test('there are two thousand leads of sixteen brokers over eleven developments', () => {
    expect(scenario.leads).toHaveLength(2000)
    expect(new Set(scenario.leads.map(({ broker }) => broker.username)).size).toBe(16)
    for (const broker of scenario.brokers) expect(of(broker.username)).toHaveLength(broker.leadCount)
    expect(new Set(scenario.leads.flatMap(({ development }) => development ?? [])).size).toBe(11)
  })

  test('camila has her board, with the fixed cards on top at their fixed ages', () => {
    expect(countBy(of('camila'), (lead) => stageAt(lead.moves, now))).toEqual({
      new: 12,
      conversa: 8,
      negociacao: 5,
      fechado: 3,
      arquivado: 21,
    })
    const cards = of('camila')
      .filter((lead) => stageAt(lead.moves, now) === 'new')
      .toSorted((one, other) => lastActivity(other) - lastActivity(one))
      .map(({ person, messages, notes }) => ({
        title: person.name ?? person.number,
        minutesAgo: Math.floor((now - (messages.at(-1)?.at ?? 0)) / 60),
        body: messages.at(-1)?.body,
        notes,
      }))
    expect(cards.slice(0, 5)).toEqual([
      {
        title: 'Marina Tavares',
        minutesAgo: 0,
        body: 'Oi Camila! A unidade com varanda do Mirante do Lago ainda está disponível?',
        notes: null,
      },
      {
        title: 'Rogério Bastos',
        minutesAgo: 3,
        body: 'Consigo visitar no sábado de manhã, umas 10h?',
        notes: 'Quer 3 quartos, até R$ 640 mil. Tem carta de crédito.',
      },
      {
        title: 'Luciana Prado',
        minutesAgo: 22,
        body: 'Obrigada! Vou conversar com meu marido e te retorno ainda hoje.',
        notes: null,
      },
      {
        title: '5511955500142',
        minutesAgo: 64,
        body: 'Vi o anúncio do Reserva Ipê no Instagram, qual o valor da entrada?',
        notes: null,
      },
      {
        title: 'Wesley Nogueira',
        minutesAgo: 126,
        body: 'Segue a tabela atualizada do Jardim das Acácias.',
        notes: null,
      },
    ])
  })

  test('nothing happens before its lead, after now, or out of order', () => {
    for (const lead of scenario.leads) {
      const { createdAt, messages, moves } = lead
      expect(createdAt).toBeGreaterThan(now - 91 * DAY)
      expect(lastActivity(lead)).toBeLessThanOrEqual(now)
      expectAscending([createdAt, ...messages.map(({ at }) => at)])
      expectAscending([createdAt, ...moves.map(({ at }) => at)])
      expect(moves.every(({ to }, index) => to !== (moves[index - 1]?.to ?? 'new'))).toBe(true)
    }
  })

  test('a broker has a person once, under one number that no carrier assigns', () => {
    const seats = scenario.leads.map(({ broker, person }) => `${broker.username} ${person.number}`)
    expect(new Set(seats).size).toBe(seats.length)
    for (const { person } of scenario.leads)
      expect(person.number).toMatch(/^55\d\d(90[1-9]\d{6}|955500\d{3})$/)
    const shared = countBy(scenario.leads, ({ person }) => person.number)
    expect(Object.values(shared).filter((count) => count > 1).length).toBeGreaterThan(3)
  })

  test('campaigns count exactly the leads that got their message, and nobody who opted out before', () => {
    for (const campaign of scenario.campaigns) {
      const reached = scenario.leads.filter(
        ({ broker, messages }) =>
          broker === campaign.broker &&
          messages.some(
            ({ by, at }) => by === 'campaign' && at >= campaign.createdAt && at < campaign.createdAt + HOUR,
          ),
      )
      expect(reached).toHaveLength(campaign.processed)
      expect(campaign.status === 'completed').toBe(campaign.processed === campaign.total)
      expect(reached.every(({ remarketingSentAt }) => remarketingSentAt !== null)).toBe(true)
      expect(reached.every(({ moves }) => stageAt(moves, campaign.createdAt) === campaign.stage)).toBe(true)
    }
    expect(new Set(scenario.campaigns.map(({ status }) => status))).toEqual(
      new Set(['completed', 'stopped', 'error']),
    )
    for (const { person, optedOutAt } of scenario.leads.filter((lead) => lead.optedOutAt !== null))
      for (const { messages } of scenario.leads.filter((lead) => lead.person === person))
        expect(messages.some(({ by, at }) => by === 'campaign' && at > (optedOutAt ?? 0))).toBe(false)
  })

  test('rotations distribute leads in turn', () => {
    for (const { development, seats } of ROTATIONS) {
      const turns = scenario.leads
        .filter((lead) => lead.isDistributed && lead.development === development)
        .toSorted((one, other) => one.createdAt - other.createdAt)
        .map(({ broker }) => broker.username)
      const first = seats.filter(({ joinsInRound }) => joinsInRound === 1).map(({ username }) => username)
      expect(turns.slice(0, 2 * first.length)).toEqual([...first, ...first])
    }
  })
})

describe('the figures look like those of a working agency', () => {
  const now = seconds('2026-11-20T12:41:00Z')
  const { leads } = makeScenario(now, SAO_PAULO)
  const answers = leads.flatMap(toAnswerSeconds).toSorted((one, other) => one - other)
  const share = (isOne: (lead: DemoLead) => boolean, among = leads) =>
    among.filter(isOne).length / among.length

  test('first responses take from seconds to days, and some leads still wait', () => {
    expect(answers[0]).toBeLessThan(90)
    expect(answers.at(-1)).toBeGreaterThan(DAY)
    expect(answers[Math.floor(answers.length / 2)]).toBeGreaterThan(5 * 60)
    expect(answers[Math.floor(answers.length / 2)]).toBeLessThan(HOUR)
    const waiting = share(({ messages }) => messages.length > 0 && messages.every(({ by }) => by === 'lead'))
    expect(waiting).toBeGreaterThan(0.03)
    expect(waiting).toBeLessThan(0.15)
  })

  test('a share of the leads of the last thirty days is won', () => {
    const recent = leads.filter(({ createdAt }) => createdAt > now - 30 * DAY)
    expect(recent.length).toBeGreaterThan(500)
    const won = share(({ moves }) => moves.some(({ to }) => to === 'fechado'), recent)
    expect(won).toBeGreaterThan(0.04)
    expect(won).toBeLessThan(0.12)
  })

  test('leads come on every weekday, most on Tuesday to Thursday, from every source', () => {
    const weekdays = countBy(leads, ({ createdAt }) =>
      String(new Date((createdAt + SAO_PAULO) * 1000).getUTCDay()),
    )
    expect(Object.keys(weekdays)).toHaveLength(7)
    expect(weekdays['2']).toBeGreaterThan(2 * (weekdays['0'] ?? 0))
    expect(Object.keys(countBy(leads, ({ source }) => source))).toHaveLength(12)
    expect(Object.keys(countBy(leads, ({ adCampaign }) => adCampaign ?? 'none'))).toHaveLength(6)
  })

  test('some have no name, some opted out, some got notes, some only filled in a form', () => {
    for (const isOne of [
      ({ person }: DemoLead) => person.name === null,
      ({ optedOutAt }: DemoLead) => optedOutAt !== null,
      ({ notes }: DemoLead) => notes !== null,
      ({ messages }: DemoLead) => messages.length === 0,
      ({ messages }: DemoLead) => messages.some(({ by }) => by === 'agent'),
    ]) {
      expect(share(isOne)).toBeGreaterThan(0.002)
      expect(share(isOne)).toBeLessThan(0.4)
    }
  })
})

test('the same moment makes the same data, another moment other data', () => {
  const make = (now: number): Omit<Scenario, 'calendar' | 'random'> => {
    const { brokers, leads, campaigns } = makeScenario(now, SAO_PAULO)
    return { brokers, leads, campaigns }
  }
  expect(make(1_795_000_000)).toEqual(make(1_795_000_000))
  expect(make(1_795_000_000)).not.toEqual(make(1_795_000_060))
})

/** Response times are measured without assistants and campaigns. */
function toAnswerSeconds({ messages }: DemoLead): number[] {
  const first = messages.find(({ by }) => by === 'lead')
  const answer = messages.find(({ by, at }) => by === 'broker' && first && at >= first.at)
  return first && answer ? [answer.at - first.at] : []
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

function expectAscending(times: readonly number[]) {
  expect(times.every((at, index) => index === 0 || at >= (times[index - 1] ?? 0))).toBe(true)
}
