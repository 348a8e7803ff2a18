// The boards of several brokers as one (SPEC.md 2.12).
import { expect, it } from 'vitest'
import { createBoardMerge } from '#data/crm.ts'
import type { Pending } from '#data/pending.ts'
import { board, lead, stage } from '#tests/support/make-app.ts'

const NOTHING: Pending = { entries: [], calmSinceMs: 0 }

it('has the leads of all, the newest stages, and what is still to be read', () => {
  const ana = board([lead({ id: 1 })], {
    stages: [stage({ slug: 'new' })],
    missing: new Map([['new', 2]]),
    askedAtMs: 5,
  })
  const bia = board([lead({ id: 2 })], {
    stages: [stage({ slug: 'new' }), stage({ slug: 'visita' })],
    missing: new Map([
      ['new', 1],
      ['visita', 4],
    ]),
    askedAtMs: 9,
  })
  for (const boards of [
    [ana, bia],
    [bia, ana],
  ]) {
    const merged = createBoardMerge()(boards, NOTHING)
    expect([...(merged?.leads.keys() ?? [])].toSorted((a, b) => a - b)).toEqual([1, 2])
    expect(merged?.stages).toBe(bia.stages)
    expect(merged?.missing).toEqual(
      new Map([
        ['new', 3],
        ['visita', 4],
      ]),
    )
  }
})

it('shows a lead that is just handed over where the later answer has it', () => {
  const before = board([lead({ id: 1, instanceName: 'corretor_ana' })], { askedAtMs: 5 })
  const after = board([lead({ id: 1, instanceName: 'corretor_bia' })], { askedAtMs: 6 })
  for (const boards of [
    [before, after],
    [after, before],
  ])
    expect(createBoardMerge()(boards, NOTHING)?.leads.get(1)?.instanceName).toBe('corretor_bia')
})

it('stays the same as long as it is given the same, and keeps each lead the same object', () => {
  const merge = createBoardMerge()
  const [ana, bia] = [board([lead({ id: 1 })]), board([lead({ id: 2 })])]
  const first = merge([ana, bia], NOTHING)
  expect(merge([ana, bia], NOTHING)).toBe(first)
  const second = merge([ana, { ...bia }], NOTHING)
  expect(second).not.toBe(first)
  expect(second?.leads.get(1)).toBe(ana.leads.get(1))
  expect(merge([], NOTHING)).toBeUndefined()
})
