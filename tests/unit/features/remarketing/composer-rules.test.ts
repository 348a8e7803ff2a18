// A campaign's recipients, whether it may start, and when it ends.
import { describe, expect, it } from 'vitest'
import type { Pacing } from '#features/remarketing/campaigns-data.ts'
import {
  audienceOf,
  developmentsIn,
  forecastOf,
  longestText,
  startProblem,
  type StartState,
} from '#features/remarketing/composer/composer-rules.ts'
import { forecastWords } from '#features/remarketing/texts.ts'
import { lead } from '#tests/support/make-app.ts'
import { SENDING_POLICY } from '#tests/support/make-app.ts'

describe('the audience of a stage', () => {
  it("is in the board's order, without excluded leads", () => {
    const leads = [
      lead({ id: 1, createdAtMs: 1 }),
      lead({ id: 2, createdAtMs: 3 }),
      lead({ id: 3, createdAtMs: 2 }),
      lead({ id: 4, stageSlug: 'conversa' }),
    ]
    const { may, leftOut } = audienceOf(leads, { stageSlug: 'new' }, new Map([[3, 'recent' as const]]))
    expect(may.map(({ id }) => id)).toEqual([2, 1])
    expect(leftOut).toEqual([{ lead: leads[2], exclusion: 'recent' }])
  })

  it('takes only leads interested in a development, the first or a further one', () => {
    const leads = [
      lead({ id: 1, stageSlug: 'new', development: 'Mirante' }),
      lead({ id: 2, stageSlug: 'new', development: 'Vista', interests: ['Vista', 'Mirante'] }),
      lead({ id: 3, stageSlug: 'new', development: 'Vista' }),
      lead({ id: 4, stageSlug: 'conversa', development: 'Porto' }),
    ]
    expect(developmentsIn(leads, 'new')).toEqual(['Mirante', 'Vista'])
    const { may } = audienceOf(leads, { stageSlug: 'new', development: 'Mirante' }, undefined)
    expect(new Set(may.map(({ id }) => id))).toEqual(new Set([1, 2]))
  })

  it('uses only the cards while the server has not answered', () => {
    const leads = [lead({ id: 1, isOptedOut: true }), lead({ id: 2, number: null }), lead({ id: 3 })]
    const { may, leftOut } = audienceOf(leads, { stageSlug: 'new' }, undefined)
    expect(may.map(({ id }) => id)).toEqual([3])
    expect(leftOut.map(({ exclusion }) => exclusion)).toEqual(['no-number', 'opted-out'])
  })

  it('excludes a new opt-out before the server is asked again', () => {
    const { may } = audienceOf(
      [lead({ id: 1, isOptedOut: true })],
      { stageSlug: 'new' },
      new Map([[1, null]]),
    )
    expect(may).toEqual([])
  })
})

describe("obstacles to a campaign's start", () => {
  const ready: StartState = {
    isOnline: true,
    stageSlug: 'new',
    isLoading: false,
    contactCount: 3,
    message: 'Oi, {nome}!',
    textLength: 11,
    hasFile: false,
    isPreparing: false,
    isFileLost: false,
    hasUnsent: false,
    startsAtMs: null,
    nowMs: 1_000,
  }
  it.each<[string | null, Partial<StartState>]>([
    [null, {}],
    [null, { startsAtMs: 1_001 }],
    ['offline', { isOnline: false, stageSlug: '' }],
    ['no-stage', { stageSlug: '', message: '' }],
    ['empty', { message: ' \n', contactCount: 0 }],
    ['too-long', { textLength: 10_001 }],
    [null, { textLength: 1_025 }],
    ['too-long', { textLength: 1_025, hasFile: true }],
    ['preparing', { isPreparing: true }],
    ['file-lost', { isFileLost: true }],
    ['loading', { isLoading: true, contactCount: 0 }],
    ['no-contacts', { contactCount: 0 }],
    ['unsent', { hasUnsent: true }],
    ['no-time', { startsAtMs: NaN }],
    ['past', { startsAtMs: 1_000 }],
  ])('the obstacle is %s with %o', (problem, part) => {
    expect(startProblem({ ...ready, ...part })).toBe(problem)
  })

  it('counts the text with the longest name', () => {
    const leads = [lead({ name: null }), lead({ name: 'Maximiliano Souza' }), lead({ name: 'Eva' })]
    expect(longestText('{nome}!', leads)).toBe('Maximiliano!'.length)
    expect(longestText('Oi!', [])).toBe(3)
  })
})

describe('the forecast', () => {
  const pacing: Pacing = {
    ...SENDING_POLICY,
    restDays: 7,
    sentToday: 0,
    earlierDays: 30,
    stepMs: 30_000,
    zone: 'America/Sao_Paulo',
  }
  /** A Friday, nine in the morning in São Paulo. */
  const friday9 = Date.parse('2026-11-20T12:00:00Z')
  const words = (count: number, part: Partial<Pacing> = {}, atMs = friday9) =>
    forecastWords(forecastOf({ ...pacing, ...part }, count, { atMs, nowMs: friday9 }), friday9)

  it.each([
    [1, {}, 'Termina por volta das 9h.'],
    [101, {}, 'Termina por volta das 9h50.'],
    [300, {}, 'Hoje este número envia até 200. Termina amanhã às 8h49.'],
    [30, { earlierDays: 0 }, 'Hoje este número envia até 20. Termina amanhã às 8h04.'],
    [5, { sentToday: 200 }, 'Começa amanhã às 8h e termina amanhã às 8h02.'],
  ])('of %d contacts with %o is %j', (...[count, part, said]) => {
    expect(words(count, part)).toBe(said)
  })

  it('for a later day counts with that whole day', () => {
    const monday9 = Date.parse('2026-11-23T12:00:00Z')
    expect(words(200, { sentToday: 150 }, monday9)).toBe(
      'Começa segunda-feira, 23/11, às 9h e termina segunda-feira, 23/11, às 10h39.',
    )
  })

  it('for a Sunday begins on Monday', () => {
    const sunday = Date.parse('2026-11-22T15:00:00Z')
    expect(words(1, {}, sunday)).toContain('Começa segunda-feira, 23/11, às 8h')
  })
})
