// Actions finished today on this device before the server confirms them, with a clock that may be wrong.
import { expect, it } from 'vitest'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { layOverLeads, withAdditions } from '#domain/outbox/overlay.ts'
import { doneHere, finishedOf, placeOf } from '#features/today/finished.ts'
import { dayLine } from '#features/today/today-view.ts'
import { entry as entryOf, lead } from '#tests/support/make-app.ts'

const NOON = Date.parse('2026-11-23T12:00-03:00')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ref = { id: 7, number: null, name: 'Rogério', instanceName: 'corretor_ana' }
const nothing = { actionId: null, actionOperation: null }
const set = (more: Partial<Entry> = {}) =>
  entry(
    {
      kind: 'action.save',
      lead: ref,
      given: {
        ...nothing,
        kind: 'call',
        dueAt: new Date(NOON + HOUR).toISOString(),
        note: 'Ia falar',
        seenAt: null,
      },
    },
    { id: 'set-it', ...more },
  )
const finish = (given: object, more: Partial<Entry> = {}) =>
  entry(
    { kind: 'action.finish', lead: ref, given: { ...nothing, outcome: 'done', seenAt: null, ...given } },
    more,
  )

const entry = (command: Command, part: Partial<Entry> = {}) =>
  entryOf(command, { createdAtMs: NOON, ...part })

const call = { id: 31, operationId: null, kind: 'call', dueAtMs: NOON - HOUR, note: '' } as const
const withCall = lead({ id: 7, instanceName: 'corretor_ana', next: [call] })
const done = (entries: Entry[], { aheadMs = 0, of = withCall } = {}) => {
  const leads = new Map([[7, of]])
  const here = doneHere({ leads, askedAtMs: 0 }, { entries }, { instanceName: 'corretor_ana', aheadMs })
  const shown = layOverLeads(withAdditions(leads, entries, 'corretor_ana'), entries, { calmSinceMs: 0 })
  return finishedOf(shown, here, NOON).map((one) => one.done)
}

it('an action set and finished offline is done; a removed, refused or other one is not', () => {
  const known = { kind: 'call', dueAtMs: call.dueAtMs, atMs: NOON, isMissed: false }
  expect(done([finish({ actionId: 31 })])).toMatchObject([known])
  expect(done([set(), finish({ actionOperation: 'set-it' }, { id: 'end' })])).toMatchObject([
    { ...known, dueAtMs: NOON + HOUR, note: 'Ia falar' },
  ])
  expect(done([finish({ actionId: 31, outcome: 'removed' })])).toEqual([])
  expect(done([finish({ actionId: 31 }, { state: 'refused' })])).toEqual([])
  expect(done([finish({ actionId: 99 })])).toEqual([])
})

it("an action finished on two devices is shown once after the server's answer", () => {
  const row = { id: 31, kind: 'call', due: call.dueAtMs / 1000, at: NOON / 1000, note: '' }
  const after = lead({ id: 7, instanceName: 'corretor_ana', next: [], done: [row] })
  const answered = finish({ actionId: 31 }, { state: 'applied', appliedAtMs: NOON })
  expect(done([answered], { of: after })).toHaveLength(1)
})

it('with a clock two days wrong it is done today', () => {
  for (const aheadMs of [2 * DAY, -2 * DAY]) {
    const [one] = done([finish({ actionId: 31 }, { createdAtMs: NOON + aheadMs })], { aheadMs })
    expect(one?.atMs).toBe(NOON)
  }
})

it("a missed visit is shown as missed; an outcome of the day before is not today's", () => {
  const visit = lead({ id: 7, instanceName: 'corretor_ana', next: [{ ...call, kind: 'visit' }] })
  const answer: Command = {
    kind: 'visit.outcome',
    lead: ref,
    given: { ...nothing, actionId: 31, outcome: 'missed', feeling: null },
  }
  expect(done([entry(answer)], { of: visit })).toMatchObject([{ kind: 'visit', isMissed: true }])
  expect(done([entry(answer, { createdAtMs: NOON - DAY })], { of: visit })).toEqual([])
})

it('an action is at its hour or, if due on another day, at the time it was done; open ones follow the current hour', () => {
  const [late] = done([finish({ actionId: 31 })], {
    of: lead({ id: 7, instanceName: 'corretor_ana', next: [{ ...call, dueAtMs: NOON - DAY }] }),
  })
  expect(late && placeOf(late)).toBe(NOON)
  const finished = [NOON - HOUR, NOON + 2 * HOUR].map((dueAtMs) => ({
    lead: withCall,
    done: { key: String(dueAtMs), kind: 'call' as const, dueAtMs, atMs: NOON, note: '', isMissed: false },
  }))
  const due = [{ lead: withCall, action: { ...call, dueAtMs: NOON + HOUR } }]
  const { before, after } = dayLine(due, finished, NOON)
  expect(before).toEqual([finished[0]])
  expect(after).toEqual([due[0], finished[1]])
})

it('a visit in progress follows the current time, because it has begun', () => {
  const visit = (dueAtMs: number) => ({
    lead: withCall,
    action: { ...call, kind: 'visit' as const, dueAtMs },
  })
  const [begun, ahead] = [visit(NOON - HOUR / 4), visit(NOON + HOUR)]
  expect(dayLine([begun, ahead], [], NOON)).toEqual({ before: [begun], after: [ahead] })
})
