// The boards of several brokers as one.
import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { createBoardMerge, createBoardWatch } from '#data/crm.ts'
import { keys } from '#data/keys.ts'
import type { Pending } from '#data/pending.ts'
import { eventually } from '#tests/support/eventually.ts'
import { board, lead, stage } from '#tests/support/make-app.ts'

const NOTHING: Pending = { entries: [], calmSinceMs: 0 }

it('has the leads of all, the newest stages, and what is not read yet', () => {
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

it('shows a transferred lead where the later response has it', () => {
  const before = board([lead({ id: 1, instanceName: 'corretor_ana' })], { askedAtMs: 5 })
  const after = board([lead({ id: 1, instanceName: 'corretor_bia' })], { askedAtMs: 6 })
  for (const boards of [
    [before, after],
    [after, before],
  ])
    expect(createBoardMerge()(boards, NOTHING)?.leads.get(1)?.instanceName).toBe('corretor_bia')
})

it("stays the same object for the same input, and keeps each lead's object", () => {
  const merge = createBoardMerge()
  const [ana, bia] = [board([lead({ id: 1 })]), board([lead({ id: 2 })])]
  const first = merge([ana, bia], NOTHING)
  expect(merge([ana, bia], NOTHING)).toBe(first)
  const second = merge([ana, { ...bia }], NOTHING)
  expect(second).not.toBe(first)
  expect(second?.leads.get(1)).toBe(ana.leads.get(1))
  expect(merge([], NOTHING)).toBeUndefined()
})

it('follows the selected boards, and keeps those that stay selected', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  for (const name of ['ana', 'bia', 'caio'])
    client.setQueryData(keys.board(name), board([], { cursor: name }))
  const readersOf = (name: string) =>
    client
      .getQueryCache()
      .find({ queryKey: keys.board(name) })
      ?.getObserversCount()
  const watch = createBoardWatch(client)
  const changed = vi.fn<() => void>()
  watch.subscribe(changed)
  const cursors = () => [...watch.results()].map(([name, { data }]) => [name, data?.cursor])

  watch.follow(['ana', 'bia'])
  expect(cursors()).toEqual([
    ['ana', 'ana'],
    ['bia', 'bia'],
  ])
  watch.follow(['bia', 'caio'])
  expect(['ana', 'bia', 'caio'].map(readersOf)).toEqual([0, 1, 1])
  changed.mockClear()
  client.setQueryData(keys.board('bia'), board([], { cursor: 'later' }))
  await eventually(() => expect(changed).toHaveBeenCalled())
  expect(cursors()).toEqual([
    ['bia', 'later'],
    ['caio', 'caio'],
  ])
  watch.follow([])
  expect(['bia', 'caio'].map(readersOf)).toEqual([0, 0])
  client.clear()
})
