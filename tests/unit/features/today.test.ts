// A broker's day, computed from the board.
import { describe, expect, it } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import type { Later } from '#domain/next-action/later.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { pastWords } from '#domain/next-action/words.ts'
import { dayTitle } from '#features/today/texts.ts'
import { daysAhead, promisesOf } from '#features/today/after-today.ts'
import { firstWaiting, pressingCount, todayOf } from '#features/today/today-view.ts'
import { board, lead, stage } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

const NOW = Date.parse('2026-11-23T09:41-03:00')
const MINUTE = 60_000
const STAGES = [stage({ slug: 'new' }), stage({ slug: 'fechado', kind: 'won' })]
const due = (minutes: number, id = 1): NextAction => ({
  id,
  operationId: null,
  kind: 'call',
  dueAtMs: NOW + minutes * MINUTE,
  note: '',
})
const dayAt = (nowMs: number, ...leads: Parameters<typeof lead>[0][]) =>
  todayOf(
    board(
      leads.map((part) => lead(part)),
      { stages: STAGES },
    ),
    nowMs,
  )
const dayOf = (...leads: Parameters<typeof lead>[0][]) => dayAt(NOW, ...leads)
const names = ({ waiting, late, due: today, idle }: ReturnType<typeof todayOf>) => ({
  waiting: waiting.map(({ id }) => id),
  late: late.map((one) => [one.lead.id, 'action' in one ? one.action.id : `text ${one.text.id}`]),
  due: today.map((one) => [one.lead.id, 'action' in one ? one.action.id : `text ${one.text.id}`]),
  idle: idle.map(({ id }) => id),
})

it('puts the newest wait first, then late actions, actions due today, and leads without one', () => {
  const today = dayOf(
    { id: 1, waitingSinceMs: NOW - 9 * MINUTE },
    { id: 2, waitingSinceMs: NOW - 124 * MINUTE },
    { id: 3, next: [due(-90, 31), due(60, 32)] },
    { id: 4, next: [due(-1_500, 41)] },
    { id: 5, next: [due(5 * 60, 51)] },
    { id: 6, next: [due(24 * 60, 61)] },
    { id: 7 },
    { id: 8, stageSlug: 'fechado' },
  )
  expect(names(today)).toEqual({
    waiting: [1, 2],
    late: [
      [4, 41],
      [3, 31],
    ],
    due: [
      [3, 32],
      [5, 51],
    ],
    idle: [7],
  })
  expect(pressingCount(today)).toBe(4)
})

it('scheduled messages of today, or stopped ones, are among the due actions at their hour, and do not count as urgent', () => {
  const text = (minutes: number | null, id: number, why: string | null = null): Later => ({
    id,
    operationId: null,
    dueAtMs: minutes === null ? null : NOW + minutes * MINUTE,
    unlessAnswered: true,
    why,
    text: null,
  })
  const today = dayOf(
    { id: 1, next: [due(60, 11)], later: [text(90, 12), text(30, 13), text(24 * 60, 14)] },
    { id: 2, later: [text(-300, 21, 'answered')] },
    { id: 3, later: [text(null, 31)] },
  )
  expect(names(today).due).toEqual([
    [2, 'text 21'],
    [3, 'text 31'],
    [1, 'text 13'],
    [1, 11],
    [1, 'text 12'],
  ])
  expect(pressingCount(today)).toBe(0)
})

it('a scheduled message of an earlier day is among the late ones, with its date', () => {
  const text: Later = {
    id: 1,
    operationId: null,
    dueAtMs: NOW - 48 * 60 * MINUTE,
    unlessAnswered: false,
    why: null,
    text: null,
  }
  const today = dayOf({ id: 1, later: [text] })
  expect(names(today)).toMatchObject({ late: [[1, 'text 1']], due: [] })
  expect(pressingCount(today)).toBe(1)
  expect(pastWords(NOW - 48 * 60 * MINUTE, NOW)).toBe('sáb 21/11, 9h41')
  expect(pastWords(NOW - 24 * 60 * MINUTE, NOW)).toBe('ontem, 9h41')
})

it('shows at most four recent leads, and folds older ones', () => {
  const shownOf = (...minutes: number[]) => {
    const { waiting } = dayOf(
      ...minutes.map((ago, at) => ({ id: at + 1, waitingSinceMs: NOW - ago * MINUTE })),
    )
    const { shown, ...others } = firstWaiting(
      waiting,
      ({ waitingSinceMs }) => (waitingSinceMs ?? 0) < NOW - 581 * MINUTE,
    )
    return { shown: shown.map(({ id }) => id), ...others }
  }
  expect(shownOf(5, 9, 47_520, 60)).toEqual({ shown: [1, 2, 4], others: 1, areOld: true })
  expect(shownOf(1, 2, 3, 4, 5, 47_520)).toEqual({ shown: [1, 2, 3, 4], others: 2, areOld: false })
  expect(shownOf(1_500, 47_520)).toEqual({ shown: [1, 2], others: 0, areOld: true })
})

it('an opted-out lead waits only on the board', () => {
  const today = dayOf({ id: 1, waitingSinceMs: NOW - MINUTE, isOptedOut: true })
  expect(names(today)).toEqual({ waiting: [], late: [], due: [], idle: [] })
})

it('marks each future action on its day, a week at a time', () => {
  const { leads } = board([
    lead({ id: 1, next: [due(10, 11), due(24 * 60, 12), due(24 * 60 - 30, 13), due(7 * 24 * 60, 14)] }),
    lead({ id: 2, next: [due(8 * 24 * 60, 21)] }),
  ])
  const marks = (weeks: number) =>
    daysAhead(leads, NOW, weeks).map(({ label, marked }) => [
      label,
      marked.map((one) => 'action' in one && one.action.id),
    ])
  expect(marks(0)).toEqual([
    ['ter 24', [13, 12]],
    ['qua 25', []],
    ['qui 26', []],
    ['sex 27', []],
    ['sáb 28', []],
    ['dom 29', []],
    ['seg 30', [14]],
  ])
  expect(marks(1)[0]).toEqual(['ter 1', [21]])
})

describe('promises without a day', () => {
  const said = (body: string, part: Partial<NonNullable<Lead['lastMessage']>> = {}) => ({
    lastMessage: {
      body,
      sentAtSeconds: NOW / 1000 - 3_600,
      direction: 'outgoing',
      delivery: 'sent',
      ...part,
    } as const,
  })
  const found = (part: Parameters<typeof lead>[0], dropped: string[] = []) =>
    promisesOf(board([lead({ id: 1, ...part })], { stages: STAGES }), NOW, dropped).map(
      ({ sentence }) => sentence,
    )

  table('%s', (body) => found(said(body))[0], [
    ['Bom dia! Te aviso assim que sair a tabela nova.', 'Te aviso assim que sair a tabela nova.'],
    ['Vejo com o banco e te respondo', 'Vejo com o banco e te respondo'],
    ['Amanhã cedo mando a planta pra você.', 'Amanhã cedo mando a planta pra você.'],
    ['Você pode amanhã?', undefined],
    ['Até amanhã!', undefined],
    ['A tabela está no anexo.', undefined],
    ['O correligionário tem avisos', undefined],
  ])

  it('ends with an action, an answer, another stage, fourteen days, or when the broker says that it was none', () => {
    const promise = said('Te aviso.')
    expect(found(promise)).toHaveLength(1)
    expect(found({ ...promise, next: [due(60)] })).toEqual([])
    expect(found({ ...promise, waitingSinceMs: NOW })).toEqual([])
    expect(found({ ...promise, stageSlug: 'fechado' })).toEqual([])
    expect(found(said('Te aviso.', { direction: 'incoming', delivery: null }))).toEqual([])
    expect(found(said('Te aviso.', { byAssistant: true }))).toEqual([])
    expect(found(said('Te aviso.', { sentAtSeconds: NOW / 1000 - 15 * 86_400 }))).toEqual([])
    expect(found({ ...promise, remarketingSentAtMs: NOW - 3_600_000 })).toEqual([])
    expect(found(promise, [`1 ${NOW / 1000 - 3_600}`])).toEqual([])
  })
})

it("the day ends at midnight in the portal's zone", () => {
  const lastMinute = (Date.parse('2026-11-23T23:59-03:00') - NOW) / MINUTE
  expect(names(dayOf({ id: 1, next: [due(lastMinute)] })).due).toHaveLength(1)
  expect(names(dayOf({ id: 1, next: [due(lastMinute + 1)] })).due).toHaveLength(0)
})

it.each([
  // Set forward at midnight: the previous day ends with its last minute, the day itself has 23 hours.
  ['2018-11-03T22:00-03:00', '2018-11-03T23:59-03:00', '2018-11-04T01:00-02:00'],
  ['2018-11-04T01:00-02:00', '2018-11-04T23:59-02:00', '2018-11-05T00:00-02:00'],
  // Set back at midnight: the last hour of the day comes twice.
  ['2019-02-16T23:30-02:00', '2019-02-16T23:59-03:00', '2019-02-17T00:00-03:00'],
])('at %s, on a clock change, the day ends after %s and before %s', (now, last, next) => {
  const nowMs = Date.parse(now)
  const dueAt = (text: string) => [{ ...due(0), dueAtMs: Date.parse(text) }]
  const today = dayAt(nowMs, { id: 1, next: dueAt(last) }, { id: 2, next: dueAt(next) })
  expect(names(today).due).toEqual([[1, 1]])
})

it('an action is late once its instant has passed, even in a repeated hour', () => {
  const firstPass = Date.parse('2019-02-16T23:30-02:00')
  const dueTwice = [{ ...due(0), dueAtMs: Date.parse('2019-02-16T23:30-03:00') }]
  expect(names(dayAt(firstPass, { id: 1, next: dueTwice }))).toMatchObject({ late: [], due: [[1, 1]] })
  expect(names(dayAt(firstPass + 61 * MINUTE, { id: 1, next: dueTwice }))).toMatchObject({ late: [[1, 1]] })
})

table('the title of %s', (text) => dayTitle(Date.parse(text)), [
  ['2026-11-23T09:41-03:00', 'Seg, 23 de novembro'],
  ['2026-11-29T23:59-03:00', 'Dom, 29 de novembro'],
  ['2027-01-01T00:00-03:00', 'Sex, 1 de janeiro'],
])
