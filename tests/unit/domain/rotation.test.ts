// Properties of a fair rotation: shares by weight, no broker starved, every decision repeatable from its log.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decide,
  isOnShift,
  nextStep,
  simulate,
  type SeatState,
  type WallClock,
} from '#domain/rotation/rotation.ts'
import { eventText, ownReasons, reasonCounts, seatOutcomeText } from '#domain/rotation/reasons.ts'

const NOON: WallClock = { weekday: 2, minute: 720, day: '2026-11-17' }

function seat(part: Partial<SeatState> = {}): SeatState {
  return {
    instanceName: 'corretor_camila',
    weight: 1,
    shifts: null,
    dailyCap: null,
    isActive: true,
    position: 1,
    credit: 0,
    isPaused: false,
    isLinked: true,
    receivedToday: 0,
    wasTried: false,
    ...part,
  }
}

const NAMES = ['ana', 'bia', 'caio', 'davi', 'eva', 'fabio', 'gil', 'hugo'].map((name) => `corretor_${name}`)
const seatsOf = (weights: readonly number[]) =>
  weights.map((weight, index) =>
    seat({ instanceName: NAMES[index] ?? 'corretor_x', weight, position: index + 1 }),
  )
const weights = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: NAMES.length })

/** Decides and keeps the credits for the next decision. */
function handOut(seats: SeatState[], able: (seat: SeatState) => boolean = () => true): string | null {
  const now = seats.map((each) => ({ ...each, isLinked: able(each) }))
  const { picked, credits } = decide(now, NOON)
  for (const each of seats) each.credit = credits[each.instanceName] ?? each.credit
  return picked
}

describe('shares', () => {
  test('without skips nobody differs from the weighted share by a whole lead', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 400 }), (given, leads) => {
        const seats = seatsOf(given)
        const total = given.reduce((sum, weight) => sum + weight, 0)
        const counts = new Map<string, number>()
        let farthest = 0
        for (let n = 1; n <= leads; n++) {
          const picked = handOut(seats) ?? ''
          counts.set(picked, (counts.get(picked) ?? 0) + 1)
          for (const { instanceName, weight } of seats)
            farthest = Math.max(farthest, Math.abs((counts.get(instanceName) ?? 0) - (n * weight) / total))
        }
        expect(farthest).toBeLessThan(1)
      }),
      { numRuns: 300 },
    )
  })

  test('equal weights take turns in the order of the seats', () => {
    const seats = seatsOf([1, 1, 1])
    expect(Array.from({ length: 7 }, () => handOut(seats))).toEqual(
      [0, 1, 2, 0, 1, 2, 0].map((index) => NAMES[index]),
    )
  })

  test('a heavy seat alternates with a light one in every round', () => {
    const seats = seatsOf([3, 1])
    expect(
      Array.from({ length: 8 }, () => handOut(seats))
        .map((name) => name?.at(9))
        .join(''),
    ).toBe('aaabaaab')
  })

  test('as brokers come and go, no present one waits longer than the weights say', () => {
    const presences = fc.array(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), { maxLength: 120 })
    fc.assert(
      fc.property(weights, presences, (given, rounds) => {
        const seats = seatsOf(given)
        for (const present of rounds) handOut(seats, (each) => present[each.position - 1] === true)
        const total = given.reduce((sum, weight) => sum + weight, 0)
        const later = Array.from({ length: 4 * total }, () => handOut(seats))
        for (const { instanceName } of seats) expect(later).toContain(instanceName)
        // From then on the shares equal the weights again.
        const last = Array.from({ length: total }, () => handOut(seats))
        for (const { instanceName, weight } of seats)
          expect(Math.abs(last.filter((name) => name === instanceName).length - weight)).toBeLessThanOrEqual(
            1,
          )
      }),
      { numRuns: 200 },
    )
  })

  test('someone is picked if anyone can be, and only such a broker', () => {
    const states = fc.array(
      fc.record({
        weight: fc.integer({ min: 1, max: 9 }),
        credit: fc.integer({ min: -60, max: 60 }),
        isActive: fc.boolean(),
        isPaused: fc.boolean(),
        isLinked: fc.boolean(),
        wasTried: fc.boolean(),
        dailyCap: fc.option(fc.integer({ min: 1, max: 3 })),
        receivedToday: fc.nat(4),
      }),
      { maxLength: NAMES.length },
    )
    fc.assert(
      fc.property(states, (given) => {
        const seats = given.map((state, index) =>
          seat({ ...state, instanceName: NAMES[index] ?? '', position: index + 1 }),
        )
        const able = seats.filter(
          (each) =>
            each.isActive &&
            !each.isPaused &&
            each.isLinked &&
            !each.wasTried &&
            (each.dailyCap === null || each.receivedToday < each.dailyCap),
        )
        const decision = decide(seats, NOON)
        if (able.length === 0) expect(decision.picked).toBeNull()
        else expect(able.map(({ instanceName }) => instanceName)).toContain(decision.picked)
        expect(decision.verdicts.filter(({ reason }) => reason === 'picked')).toHaveLength(
          able.length === 0 ? 0 : 1,
        )
        // The log contains the whole input: parsed again, it gives the same decision.
        expect(decide(JSON.parse(JSON.stringify(seats)) as SeatState[], NOON)).toEqual(decision)
        // The order of the rows has no effect.
        expect(decide(seats.toReversed(), NOON)).toEqual(decision)
      }),
    )
  })
})

test.each([
  [{ isActive: false }, 'inactive'],
  [{ wasTried: true }, 'tried'],
  [{ isPaused: true }, 'paused'],
  [{ shifts: [{ days: [1], from: 0, to: 1440 }] }, 'off-shift'],
  [{ isLinked: false }, 'not-linked'],
  [{ dailyCap: 2, receivedToday: 2 }, 'daily-cap'],
])('%o is skipped', (part, reason) => {
  const { picked, verdicts, credits } = decide([seat(part)], NOON)
  expect(picked).toBeNull()
  expect(verdicts).toEqual([{ instanceName: 'corretor_camila', reason }])
  expect(credits).toEqual({})
})

test.each([
  ['within', { from: 540, to: 1080 }, { weekday: 2, minute: 540 }, true],
  ['at its end', { from: 540, to: 1080 }, { weekday: 2, minute: 1080 }, false],
  ['on another day', { from: 540, to: 1080 }, { weekday: 3, minute: 600 }, false],
  ['over midnight, before it', { from: 1320, to: 360 }, { weekday: 2, minute: 1400 }, true],
  ['over midnight, after it', { from: 1320, to: 360 }, { weekday: 3, minute: 100 }, true],
  ['over midnight, the morning before', { from: 1320, to: 360 }, { weekday: 2, minute: 100 }, false],
])('a shift %s', (_, hours, at, expected) => {
  expect(isOnShift([{ days: [2], ...hours }], { ...at, day: '2026-11-17' })).toBe(expected)
})

test('a shift on Sunday night extends into Monday', () => {
  expect(isOnShift([{ days: [7], from: 1320, to: 360 }], { weekday: 1, minute: 10, day: '' })).toBe(true)
})

describe('the next step', () => {
  const rotation = { id: 1, needsAcceptance: true, maxHops: 3, seats: [seat()] }
  const course = { ended: null, theirs: null, hops: 0, moment: NOON, roleta: rotation }
  test.each([
    ['the owner wrote', { ended: 'answered' as const }, 'answered'],
    ['the person has a broker', { theirs: 'corretor_bia' }, 'theirs'],
    ['no rotation', { roleta: null }, 'inbox'],
    ['the last hop', { hops: 3 }, 'pooled'],
    ['accepting is wanted', {}, 'offered'],
    ['accepting is not', { roleta: { ...rotation, needsAcceptance: false } }, 'given'],
    ['nobody there yet', { roleta: { ...rotation, seats: [] } }, 'waiting'],
    ['nobody there any more', { hops: 1, roleta: { ...rotation, seats: [] } }, 'pooled'],
  ])('%s', (_, part, kind) => {
    expect(nextStep({ ...course, ...part }).kind).toBe(kind)
  })

  test('the broker of the listing comes first, without costing a share', () => {
    const lister = { ...seat(), instanceName: 'corretor_dono' }
    const step = (part: Partial<SeatState>) =>
      nextStep({ ...course, roleta: { ...rotation, lister: { ...lister, ...part } } })
    expect(step({})).toEqual({
      kind: 'offered',
      to: 'corretor_dono',
      decision: {
        picked: 'corretor_dono',
        verdicts: [{ instanceName: 'corretor_dono', reason: 'lister' }],
        credits: {},
      },
    })
    for (const away of [{ isPaused: true }, { isLinked: false }, { wasTried: true }, { isActive: false }])
      expect(step(away).to).toBe(seat().instanceName)
  })
})

test('a simulated month under other weights', () => {
  const arrivals = Array.from({ length: 40 }, (_, n) => ({
    moment: { ...NOON, day: `d${Math.floor(n / 10)}` },
    away: n < 4 ? [NAMES[0] ?? ''] : [],
  }))
  const rules = seatsOf([1, 1])
  expect(simulate(arrivals, rules)).toEqual({
    byBroker: { corretor_ana: 18, corretor_bia: 22 },
    withoutBroker: 0,
  })
  const capped = rules.map((each) => ({ ...each, dailyCap: 2 }))
  expect(simulate(arrivals, capped)).toEqual({
    byBroker: { corretor_ana: 8, corretor_bia: 8 },
    withoutBroker: 24,
  })
})

test('texts of reasons and steps', () => {
  expect(seatOutcomeText({ instanceName: 'corretor_camila', reason: 'off-shift' })).toBe(
    'Camila: estava fora do plantão',
  )
  expect(reasonCounts('corretor_bia', { paused: 1, 'not-linked': 4, 'not-their-turn': 2 })).toEqual([
    '4 leads: estava com o WhatsApp desconectado',
    '2 leads: estava disponível, mas não era a vez de Bia',
    '1 lead: estava em pausa',
  ])
  expect(ownReasons({ 'not-their-turn': 21, picked: 4, paused: 1 })).toEqual([
    '4 vieram para você',
    '21 foram para outros, não era a sua vez',
    '1 foi para outros, você estava em pausa',
  ])
  expect(eventText({ kind: 'expired', instanceName: 'corretor_bia', changedBy: 'portal' })).toBe(
    'Bia não aceitou a tempo.',
  )
  expect(eventText({ kind: 'closed', instanceName: 'corretor_bia', changedBy: 'chefe' })).toBe(
    'Entregue a Bia por chefe.',
  )
})
