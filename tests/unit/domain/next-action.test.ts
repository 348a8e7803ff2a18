// A lead's state after local changes of a next action, applied to rows that may contain them already.
import { describe, expect, it } from 'vitest'
import {
  type ActionDeed,
  afterDeed,
  type NextAction,
  refOf,
  seenOf,
  UNKNOWN_ACTION,
} from '#domain/next-action/next-action.ts'
import { lastMessage, lead } from '#tests/support/make-app.ts'

const OP = '9f0c2d5e-0000-4000-8000-000000000001'
const DUE = '2026-11-23T20:00:00.000Z'
const row = (part: Partial<NextAction> = {}): NextAction => ({
  id: 12,
  operationId: OP.slice(0, 8),
  kind: 'call',
  dueAtMs: Date.parse(DUE),
  note: '',
  ...part,
})
const saving = (part: object = {}): ActionDeed => ({
  kind: 'action.save',
  given: { ...UNKNOWN_ACTION, kind: 'call', dueAt: DUE, note: '', seenAt: null, ...part },
})
const finishing = (part: object): ActionDeed => ({
  kind: 'action.finish',
  given: { ...UNKNOWN_ACTION, outcome: 'done', seenAt: null, ...part },
})
const carried = (deed: ActionDeed, next: readonly NextAction[] = [], operation = OP) =>
  afterDeed(lead({ next }), deed, operation).next

describe('an action that was set here', () => {
  it('has its operation as id until the server assigns one', () => {
    expect(carried(saving())).toEqual([row({ id: null, operationId: OP })])
  })
  it('is not duplicated when its row arrives before its response', () => {
    expect(carried(saving(), [row()])).toEqual([row({ operationId: OP })])
  })
  it('is finished by either id, also when applied again after its row was finished', () => {
    const [named] = carried(saving(), [row()])
    const ref = refOf(named!)
    expect(ref).toEqual({ actionId: 12, actionOperation: OP })
    expect(carried(finishing(ref), carried(saving()))).toEqual([])
  })
  it('known only from its row is found by its id', () => {
    expect(refOf(row())).toEqual({ actionId: 12, actionOperation: null })
    expect(carried(finishing({ actionId: 12 }), [row(), row({ id: 13, operationId: null })])).toEqual([
      row({ id: 13, operationId: null }),
    ])
  })
  it('replaces the action that it names and keeps that id', () => {
    expect(carried(saving({ actionId: 12, kind: 'visit' }), [row()], 'another operation')).toEqual([
      row({ kind: 'visit' }),
    ])
  })
  it('the one due first is in front', () => {
    const later = row({ id: 13, operationId: null, dueAtMs: Date.parse(DUE) + 1 })
    const dueAt = new Date(later.dueAtMs + 1).toISOString()
    expect(
      carried({ kind: 'action.snooze', given: { actionId: 12, actionOperation: null, dueAt } }, [
        row(),
        later,
      ]),
    ).toEqual([later, row({ dueAtMs: Date.parse(dueAt) })])
  })
})

describe('a waiting lead', () => {
  const wrote = lead({ lastMessage: lastMessage({ sentAtSeconds: 1_000 }), waitingSinceMs: 400_000 })
  const waits = (deed: ActionDeed) => afterDeed(wrote, deed, OP).waitingSinceMs
  it('stops waiting once a next action is set or no answer is needed', () => {
    expect(waits(saving({ seenAt: seenOf(wrote) }))).toBeNull()
    expect(waits(finishing({ outcome: 'not_needed', seenAt: seenOf(wrote) }))).toBeNull()
  })
  it('still waits because of messages after those that were seen', () => {
    expect(waits(saving({ seenAt: new Date(900_000).toISOString() }))).toBe(1_000_000)
  })
  it('still waits when an action is finished or postponed', () => {
    expect(waits(finishing({}))).toBe(400_000)
    expect(waits({ kind: 'action.snooze', given: { ...UNKNOWN_ACTION, dueAt: DUE } })).toBe(400_000)
  })
  it("the last seen message is the lead's newest one; none if the lead never wrote", () => {
    expect(seenOf(wrote)).toBe(new Date(1_000_000).toISOString())
    expect(seenOf(lead())).toBeNull()
  })
})
