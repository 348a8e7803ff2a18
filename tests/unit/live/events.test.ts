// What is refetched after changes, how often, and how the event stream stays open.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as eventStream from '#api/event-stream.ts'
import { keys } from '#data/keys.ts'
import type { PortalEvent } from '#domain/events.ts'
import { followEvents } from '#live/events.ts'
import { isOnline } from '#offline/connectivity.ts'

type Line = { tell: (event: PortalEvent) => void; end: (error?: Error) => void; signal: AbortSignal }

const { lines, drain, done } = vi.hoisted(() => ({
  lines: [] as Line[],
  drain: vi.fn<(reason: string) => unknown>(),
  done: { entries: [] as { id: string; command: { kind: string } }[] },
}))
vi.mock('#offline/flush.ts', () => ({ drain }))
vi.mock('#offline/outbox.ts', () => ({ listOutbox: async () => done.entries }))
vi.mock('#api/event-stream.ts', async (load) => ({
  ...(await load<typeof eventStream>()),
  readEvents: (onEvent: (event: PortalEvent) => void, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        signal.removeEventListener('abort', over)
        if (error) reject(error)
        else resolve()
      }
      const over = () => end()
      lines.push({ tell: onEvent, signal, end })
      signal.addEventListener('abort', over)
    }),
}))

let page: EventTarget & { visibilityState: string }
let client: QueryClient
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
  drain.mockReset()
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const browser = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  vi.stubGlobal('dispatchEvent', browser.dispatchEvent.bind(browser))
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  stop = followEvents(client)
})
afterEach(() => {
  stop()
  client.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A query on the screen whose fetches the test answers one by one. */
function shown(queryKey: readonly unknown[]) {
  const reads: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<number>((resolve) => reads.push(() => resolve(reads.length))),
  })
  const hide = observer.subscribe(() => undefined)
  return {
    hide,
    count: () => reads.length,
    answer: async () => {
      reads.at(-1)?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

const opened = () => vi.advanceTimersByTimeAsync(1_000)
const tell = async (event: PortalEvent) => {
  lines.at(-1)?.tell(event)
  await vi.advanceTimersByTimeAsync(0)
}
const board: PortalEvent = { kind: 'board', instanceName: 'corretor_a' }

it('a reopened stream sends the outbox: the portal was down, not the network', async () => {
  await opened()
  await tell(board)
  expect(drain).not.toHaveBeenCalled()
  await tell({ kind: 'gap' })
  expect(drain).toHaveBeenCalledWith('online')
})

const answers = (status: number | null) =>
  vi.stubGlobal('fetch', async () => {
    if (status === null) throw new TypeError('Failed to fetch')
    return new Response('{}', { status })
  })

it.each([
  ['the portal is away', null, false],
  ['its database is down', 503, false],
  ['a proxy refuses the line alone', 200, true],
])('a line that is lost: %s', async (_, status, isSeen) => {
  await opened()
  await tell({ kind: 'still' })
  expect(isOnline()).toBe(true)
  answers(status)
  lines.at(-1)?.end(new Error('lost'))
  await vi.advanceTimersByTimeAsync(500)
  expect(isOnline()).toBe(isSeen)
  answers(200)
  await vi.advanceTimersByTimeAsync(2_000)
  await tell({ kind: 'gap' })
  expect(isOnline()).toBe(true)
})

it('a database that is away shows, although the line stays open', async () => {
  await opened()
  await tell({ kind: 'still' })
  await tell({ kind: 'away' })
  expect(isOnline()).toBe(false)
  expect(drain).not.toHaveBeenCalled()
  await tell({ kind: 'gap' })
  expect(isOnline()).toBe(true)
})

it.each([
  [board, 'board'],
  [{ kind: 'conversation', instanceName: 'corretor_a', contactId: 7 }, 'conversation'],
  [{ kind: 'link', instanceName: 'corretor_a' }, 'link, linkNow'],
  [{ kind: 'stages' }, 'nobodys, stages'],
  [{ kind: 'rotations' }, 'rotation'],
  [{ kind: 'gap' }, 'board, conversation, link, linkNow, stranger, nobodys, stages, rotation'],
] satisfies [PortalEvent, string][])('%o has refetched: %s', async (event, names) => {
  const queries = {
    board: shown(keys.board('corretor_a')),
    conversation: shown(keys.conversation(7)),
    link: shown(keys.link('corretor_a')),
    linkNow: shown(keys.linkNow('corretor_a')),
    stranger: shown(keys.board('corretor_b')),
    nobodys: shown(keys.board('')),
    stages: shown(keys.stages()),
    rotation: shown([...keys.rotations(), 'one', 3]),
  }
  for (const query of Object.values(queries)) await query.answer()
  await opened()
  await tell(event)
  const again = Object.entries(queries).filter(([, query]) => query.count() === 2)
  expect(again.map(([name]) => name).join(', ')).toBe(names)
})

it('if nothing changed, only data stored before this page is refetched', async () => {
  client.setQueryData(keys.board('corretor_a'), 1, { updatedAt: performance.timeOrigin - 1 })
  const stored = shown(keys.board('corretor_a'))
  const fresh = shown(keys.link('corretor_a'))
  await fresh.answer()
  await stored.answer()
  client.setQueryData(keys.board('corretor_a'), 1, { updatedAt: performance.timeOrigin - 1 })
  const before = [stored.count(), fresh.count()]
  await opened()
  await tell({ kind: 'still' })
  expect([stored.count(), fresh.count()]).toEqual([(before[0] ?? 0) + 1, before[1]])
  expect(drain).not.toHaveBeenCalled()
})

it("this device's own changes are refetched later, together; others' at once", async () => {
  done.entries = ['first', 'second'].map((id) => ({ id, command: { kind: 'lead.move' } }))
  const mine = shown(keys.board('corretor_a'))
  await mine.answer()
  await opened()
  await tell({ kind: 'board', instanceName: 'corretor_a', operationId: 'first' })
  await vi.advanceTimersByTimeAsync(20_000)
  await tell({ kind: 'board', instanceName: 'corretor_a', operationId: 'second' })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(mine.count()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(mine.count()).toBe(2)
  await mine.answer()

  await tell({ kind: 'board', instanceName: 'corretor_a', operationId: 'of another device' })
  expect(mine.count()).toBe(3)
  await mine.answer()
  // A text's response does not contain everything that it changed.
  done.entries = [{ id: 'text', command: { kind: 'message.send' } }]
  await tell({ kind: 'board', instanceName: 'corretor_a', operationId: 'text' })
  expect(mine.count()).toBe(4)
})

it('refetches a recently closed conversation, so that it is complete offline; nothing else unseen', async () => {
  const conversation = shown(keys.conversation(7))
  const mine = shown(keys.board('corretor_a'))
  await conversation.answer()
  await mine.answer()
  conversation.hide()
  mine.hide()
  await opened()
  await tell({ kind: 'conversation', instanceName: 'corretor_a', contactId: 7 })
  await tell(board)
  expect([conversation.count(), mine.count()]).toEqual([2, 1])
})

it('refetches the running campaign at each step, and long reports at most every 30 s', async () => {
  const queries = {
    active: shown(keys.activeCampaign('corretor_a')),
    history: shown([...keys.campaignResults('corretor_a'), 'history', 1]),
    stats: shown([...keys.campaignReport(), 'stats']),
  }
  const answerAll = async () => {
    for (const query of Object.values(queries)) await query.answer()
  }
  const counts = () => Object.values(queries).map((query) => query.count())
  await answerAll()
  await opened()
  for (let sent = 0; sent < 5; sent++) {
    await tell({ kind: 'campaign', instanceName: 'corretor_a' })
    await answerAll()
  }
  expect(counts()).toEqual([6, 2, 2])
  await vi.advanceTimersByTimeAsync(30_000)
  await answerAll()
  expect(counts()).toEqual([6, 3, 3])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts()).toEqual([6, 3, 3])
})

it('refetches long reports at once if no campaign was running', async () => {
  const history = shown([...keys.campaignResults('corretor_a'), 'history', 1])
  await history.answer()
  await opened()
  const campaign: PortalEvent = { kind: 'campaign', instanceName: 'corretor_a' }
  await tell(campaign)
  await history.answer()
  client.setQueryData(keys.activeCampaign('corretor_a'), null)
  await tell(campaign)
  expect(history.count()).toBe(3)
})

it('refetches once more for any number of events during a fetch', async () => {
  const query = shown(keys.board('corretor_a'))
  await query.answer()
  await opened()
  for (let count = 0; count < 5; count++) await tell(board)
  expect(query.count()).toBe(2)
  await query.answer()
  expect(query.count()).toBe(3)
  await query.answer()
  expect(query.count()).toBe(3)
})

it('lets a fetch from before the event finish, then refetches', async () => {
  const query = shown(keys.board('corretor_a'))
  await opened()
  await tell(board)
  expect(query.count()).toBe(1)
  await query.answer()
  expect(query.count()).toBe(2)
})

it('reconnects at growing intervals, and quickly again after an event', async () => {
  await opened()
  const waits = []
  for (let round = 0; round < 7; round++) {
    lines.at(-1)?.end(new Error('cut'))
    const before = lines.length
    let waited = 0
    while (lines.length === before) {
      await vi.advanceTimersByTimeAsync(500)
      waited += 500
    }
    waits.push(waited)
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  await tell(board)
  lines.at(-1)?.end()
  const before = lines.length
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toHaveLength(before + 1)
})

it('is closed while the app is hidden, and reopened when it is visible or online again', async () => {
  await opened()
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(lines[0]?.signal.aborted).toBe(true)
  dispatchEvent(new Event('online'))
  expect(lines).toHaveLength(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(lines).toHaveLength(2)
  dispatchEvent(new Event('online'))
  expect(lines[1]?.signal.aborted).toBe(true)
  expect(lines).toHaveLength(3)
})

it('receives nothing after it was stopped', async () => {
  await opened()
  stop()
  expect(lines[0]?.signal.aborted).toBe(true)
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toHaveLength(1)
})
