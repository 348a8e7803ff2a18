// Several edits of stages at once: the list shows all of them, and no fetch overwrites it until the last is answered.
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keys } from '#data/keys.ts'
import { addStage, moveStage, saveStage, stagesQuery } from '#data/board/stage-changes.ts'
import type { Stage } from '#domain/stage.ts'
import { withMoved } from '#domain/stage-editing.ts'
import { eventually } from '#tests/support/eventually.ts'
import { stage } from '#tests/support/make-app.ts'

type Waiting = { name: string; args: Record<string, unknown>; answer: (isTaken: boolean) => void }

const { server } = vi.hoisted(() => ({
  server: { stages: [] as readonly Stage[], waiting: [] as Waiting[], readCount: 0 },
}))
vi.mock('#api/client.ts', () => ({
  rows: async () => {
    server.readCount++
    return server.stages.map(({ position: order_index, hue = 'new', ...each }) => ({
      ...each,
      hue,
      order_index,
    }))
  },
  rpc: (name: string, args: Record<string, unknown>) =>
    new Promise((resolve) => {
      const answer = (success: boolean) => resolve({ success, code: success ? 'done' : 'refused' })
      server.waiting.push({ name, args, answer })
    }),
}))

let client: QueryClient
let stopWatching: () => void

beforeEach(async () => {
  const names = ['a', 'b', 'c', 'd']
  server.stages = names.map((slug, index) => stage({ slug, id: String(index + 1), position: index + 1 }))
  server.waiting = []
  server.readCount = 0
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  stopWatching = new QueryObserver(client, stagesQuery()).subscribe(() => undefined)
  await eventually(() => expect(shown()).toBe('abcd'))
})
afterEach(() => {
  stopWatching()
  client.clear()
})

const list = () => client.getQueryData<readonly Stage[]>(keys.stages()) ?? []
const shown = () =>
  list()
    .map(({ slug }) => slug)
    .join('')
const find = (slug: string) => {
  const found = list().find((each) => each.slug === slug)
  if (!found) throw new Error(`no stage ${slug}`)
  return found
}
/** Each press has its own observer, although rows of the page share one. */
const moving = () => new MutationObserver(client, moveStage())
const pressDown = (observer: ReturnType<typeof moving>, slug: string) =>
  observer.mutate({ stage: find(slug), step: 1 }).catch(() => undefined)

/** The server performs the next request and answers. */
async function serve() {
  await eventually(() => expect(server.waiting).not.toHaveLength(0))
  const next = server.waiting.shift()
  if (next?.name === 'move_stage') server.stages = withMoved(server.stages, String(next.args['p_id']), 1)
  next?.answer(true)
}
/** The refetch of a live event. */
const reread = () => client.invalidateQueries({ queryKey: keys.stages() })

it('shows each press at once and refetches only after the last answer', async () => {
  const observer = moving()
  const first = pressDown(observer, 'a')
  await eventually(() => expect(shown()).toBe('bacd'))
  const second = pressDown(observer, 'a')
  await eventually(() => expect(shown()).toBe('bcad'))
  await serve()
  await first
  expect([shown(), server.readCount]).toEqual(['bcad', 1])
  await serve()
  await second
  expect([shown(), server.readCount]).toEqual(['bcad', 2])
})

it('stays the same when a fetch ends between the presses', async () => {
  const observer = moving()
  const first = pressDown(observer, 'a')
  const second = pressDown(observer, 'a')
  await eventually(() => expect(shown()).toBe('bcad'))
  await serve()
  await first
  await reread()
  expect(shown()).toBe('bcad')
  await serve()
  await second
  expect(shown()).toBe('bcad')
})

it("shows the server's list after the last answer, even if one was refused", async () => {
  const first = pressDown(moving(), 'a')
  const second = new MutationObserver(client, saveStage()).mutate({ stage: find('d'), name: 'Fim' })
  await eventually(() => expect([shown(), find('d').name]).toEqual(['bacd', 'Fim']))
  await eventually(() => expect(server.waiting).toHaveLength(1))
  server.waiting.shift()?.answer(false)
  await first
  expect(shown()).toBe('bacd')
  await serve()
  await second
  expect([shown(), find('d').name]).toEqual(['abcd', 'd'])
})

it('refetches after a single press, and for later changes from elsewhere', async () => {
  const adding = new MutationObserver(client, addStage()).mutate({ name: 'e', operationId: 'one-wish' })
  server.stages = [...server.stages, stage({ slug: 'e', id: '5', position: 5 })]
  await eventually(() => expect(server.waiting[0]?.args['p_operation_id']).toBe('one-wish'))
  await serve()
  await adding
  expect(shown()).toBe('abcde')
  server.stages = server.stages.slice(0, 2)
  await reread()
  expect(shown()).toBe('ab')
})
