// A pull starts with the stored board: shown before the server answers, completed, then updated.
import 'fake-indexeddb/auto'
import { hashKey, QueryClient } from '@tanstack/react-query'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '#data/keys.ts'
import type { Board, BoardDelta } from '#data/board/rows.ts'
import { boardQuery } from '#data/board/leads.ts'
import { PortalError } from '#domain/errors.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { readBoard, saveBoard } from '#offline/board-store.ts'
import { readDraft, writeDraft } from '#offline/drafts.ts'
import { setOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer } from '#offline/query-cache.ts'
import { SNAPSHOT_NAMES } from '#offline/snapshot-pages.ts'
import { eventually } from '#tests/support/eventually.ts'
import { boardDelta, leadRow, lead } from '#tests/support/make-app.ts'

type Ask = { cursor: unknown; answer: (delta: BoardDelta) => void; fail: (error: Error) => void }

const { rpc } = vi.hoisted(() => ({
  rpc: vi.fn<(name: string, args: Record<string, unknown>) => Promise<unknown>>(),
}))
vi.mock('#api/client.ts', () => ({ rpc }))

const INSTANCE = 'corretor_camila'
const NOW_MS = Date.UTC(2026, 10, 28, 15)
const HOUR_AGO = NOW_MS - 3_600_000
const NO_SIGNAL = new PortalError('network.offline', 'Sem conexão.', { status: 0 })

let owner: string
let nextOwner = 1
let client: QueryClient
let shown: Board[]
let asks: Ask[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
  owner = `owner-${nextOwner++}`
  setOwner(owner)
  client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  shown = []
  asks = []
  rpc.mockImplementation(
    (_, { p_cursor: cursor }) => new Promise((answer, fail) => void asks.push({ cursor, answer, fail })),
  )
  client.getQueryCache().subscribe(({ query }) => {
    const board = query.state.data as Board | undefined
    if (board && shown.at(-1) !== board) shown.push(board)
  })
})
afterEach(() => {
  client.clear()
  rpc.mockReset()
  vi.useRealTimers()
})

const row = (id: number, status = 'new') =>
  leadRow(id, {
    name: `Pessoa ${id}`,
    number: null,
    status,
    instanceName: INSTANCE,
    created_at: '2026-11-21T12:00:00+00:00',
  })
const delta = (part: Partial<BoardDelta>) => boardDelta({ cursor: 'e.2', ...part })
const key = () => ({ owner, instanceName: INSTANCE })
const onDevice = async () => (await readBoard(key()))?.leads.map(({ id }) => id)

/** The state of an earlier visit: this many leads in 'new', pulled an hour ago. */
async function keepBefore(count: number) {
  const leads = new Map<number, Lead>()
  for (let id = 1; id <= count; id++) leads.set(id, lead({ id, createdAtMs: id }))
  const head = { cursor: 'e.1', stages: [], counts: new Map([['new', count]]), pulledAtMs: HOUR_AGO }
  await saveBoard(key(), { head, base: null, changed: [], removed: [], whole: leads })
}

const conversationOf = (id: number) => ({
  owner,
  name: hashKey(keys.conversation(id)),
  kind: 'conversation',
  version: 1,
  most: 50,
})

const pull = () => client.fetchQuery(boardQuery(INSTANCE))
const asked = async (count = 1) => {
  await eventually(() => expect(asks).toHaveLength(count))
  return asks[count - 1] as Ask
}
const state = () => client.getQueryState<Board>(keys.board(INSTANCE))

describe('with a stored board', () => {
  it('shows its first screen with true counts, then the rest, then what changed', async () => {
    await keepBefore(100)
    const pulling = pull()
    const { cursor, answer } = await asked()
    expect(cursor).toBe('e.1')
    // The stored first screen is shown although the server has not answered yet.
    expect(shown[0]?.leads.size).toBe(16)
    expect(shown[0]?.missing).toEqual(new Map([['new', 84]]))
    expect(shown[0]?.leads.has(100)).toBe(true)
    await eventually(() => expect(shown).toHaveLength(2))
    expect(shown[1]?.leads.size).toBe(100)
    expect(shown[1]?.missing.size).toBe(0)
    expect(state()).toMatchObject({ dataUpdatedAt: HOUR_AGO, fetchStatus: 'fetching' })

    answer(delta({ leads: [row(5, 'conversa'), row(101)], removed: [7] }))
    const board = await pulling
    expect(board.leads.size).toBe(100)
    expect(board.leads.get(5)?.stageSlug).toBe('conversa')
    expect(board.leads.has(7)).toBe(false)
    expect(state()?.dataUpdatedAt).toBeGreaterThan(HOUR_AGO)
    await eventually(async () => expect((await readBoard(key()))?.head.cursor).toBe('e.2'))
    expect(new Set(await onDevice())).toEqual(new Set(board.leads.keys()))
    expect((await readBoard(key()))?.head.counts).toEqual(
      new Map([
        ['new', 99],
        ['conversa', 1],
      ]),
    )
  })

  it('a lead that left takes its conversation and drafts with it; one that only changed boards does not', async () => {
    await keepBefore(9)
    for (const id of [6, 7, 8]) {
      await saveAnswer(conversationOf(id), 'dito', HOUR_AGO)
      for (const place of ['conversation', 'notes']) await writeDraft(`${place}:${id}`, 'escrito')
      client.setQueryData(keys.conversation(id), 'dito')
    }
    const elsewhere = { leads: new Map([[8, lead({ id: 8 })]]) } as unknown as Board
    client.setQueryData(keys.board('corretor_rafael'), elsewhere)
    const pulling = pull()
    ;(await asked()).answer(delta({ removed: [7, 8] }))
    await pulling
    const stored = async (id: number) => [
      (await readAnswer(conversationOf(id)))?.data ?? null,
      await readDraft(`conversation:${id}`),
      await readDraft(`notes:${id}`),
      client.getQueryData(keys.conversation(id)) ?? null,
    ]
    await eventually(async () => expect(await stored(7)).toEqual([null, '', '', null]))
    for (const id of [6, 8]) expect(await stored(id)).toEqual(['dito', 'escrito', 'escrito', 'dito'])
  })

  const pages = SNAPSHOT_NAMES.map((name) => ({ name, kind: 'page', version: 1, most: 9 }))
  const keptPages = async () =>
    (await Promise.all(pages.map((page) => readAnswer({ owner, ...page })))).filter(Boolean).length

  it.each([
    ['was handed over', { removed: [7] }],
    ['is not there where the server starts anew', { reset: true, leads: [row(1)] }],
  ])('a lead that %s is removed from stored page snapshots, too', async (_, part) => {
    await keepBefore(7)
    for (const page of pages) await saveAnswer({ owner, ...page }, '<p>Pessoa 7</p>', HOUR_AGO)
    await saveAnswer(conversationOf(7), 'dito', HOUR_AGO)
    const pulling = pull()
    // A snapshot shows no more than the stored board does until the server answers.
    const { answer } = await asked()
    expect(await onDevice()).toContain(7)
    expect(await keptPages()).toBe(2)
    answer(delta({ cursor: 'f.1', ...part }))
    await pulling
    await eventually(async () => expect(await keptPages()).toBe(0))
    await eventually(async () => expect(await readAnswer(conversationOf(7))).toBeNull())
  })

  it('without leads that left, snapshots stay', async () => {
    await keepBefore(2)
    for (const page of pages) await saveAnswer({ owner, ...page }, '<p>Pessoa 1</p>', HOUR_AGO)
    const pulling = pull()
    ;(await asked()).answer(delta({ cursor: 'f.1', reset: true, leads: [row(1), row(2)] }))
    await pulling
    await eventually(async () => expect((await readBoard(key()))?.head.cursor).toBe('f.1'))
    expect(await keptPages()).toBe(2)
  })

  it('offline it shows all of it with the time of the last pull', async () => {
    await keepBefore(100)
    const pulling = pull()
    ;(await asked()).fail(NO_SIGNAL)
    await expect(pulling).rejects.toBe(NO_SIGNAL)
    await eventually(() => expect(state()?.data?.leads.size).toBe(100))
    expect(state()).toMatchObject({ dataUpdatedAt: HOUR_AGO })
  })

  it('an error that comes before the stored board stays visible', async () => {
    await keepBefore(100)
    rpc.mockRejectedValueOnce(NO_SIGNAL)
    await expect(pull()).rejects.toBe(NO_SIGNAL)
    await eventually(() => expect(state()?.data?.leads.size).toBe(100))
    expect(state()).toMatchObject({ status: 'error', error: NO_SIGNAL })
  })

  it('waits for the rest, however fast the server is', async () => {
    await keepBefore(100)
    const pulling = pull()
    ;(await asked()).answer(delta({ leads: [row(101)] }))
    expect((await pulling).leads.size).toBe(101)
  })

  it('requests everything if the device lost the rest meanwhile', async () => {
    await keepBefore(100)
    const other = await openDB('portal')
    // right after the first screen, before the rest is read
    client.getQueryCache().subscribe(() => {
      if (shown.length === 1)
        void other.transaction(['boards', 'leads'], 'readwrite').objectStore('boards').clear()
    })
    const pulling = pull()
    ;(await asked()).answer(delta({ leads: [row(101)] }))
    const second = await asked(2)
    expect(second.cursor).toBeNull()
    second.answer(delta({ reset: true, leads: [row(1), row(2)] }))
    expect([...(await pulling).leads.keys()]).toEqual([1, 2])
    await eventually(async () => expect(await onDevice()).toEqual([1, 2]))
    other.close()
  })

  it('starts anew if the server resets', async () => {
    await keepBefore(30)
    const pulling = pull()
    ;(await asked()).answer(delta({ cursor: 'f.1', reset: true, leads: [row(1), row(2)] }))
    expect([...(await pulling).leads.keys()]).toEqual([1, 2])
    await eventually(async () => expect(await onDevice()).toEqual([1, 2]))
  })
})

describe('without a stored board', () => {
  it('requests everything, and stores it', async () => {
    const pulling = pull()
    const { cursor, answer } = await asked()
    expect(cursor).toBeNull()
    answer(delta({ reset: true, leads: [row(1), row(2, 'conversa')] }))
    expect((await pulling).leads.size).toBe(2)
    await eventually(async () => expect(await onDevice()).toEqual([1, 2]))
    // the next pull continues from it
    const again = pull()
    const next = await asked(2)
    expect(next.cursor).toBe('e.2')
    next.answer(delta({ cursor: 'e.3', removed: [1] }))
    await again
    await eventually(async () => expect(await onDevice()).toEqual([2]))
  })

  it('stores nothing for a person who left during the request', async () => {
    const pulling = pull()
    const { answer } = await asked()
    setOwner(null)
    answer(delta({ reset: true, leads: [row(1)] }))
    await pulling
    expect(await readBoard(key())).toBeNull()
  })

  it('shows no other person’s board', async () => {
    await keepBefore(30)
    setOwner('somebody else')
    const pulling = pull()
    const { cursor, fail } = await asked()
    fail(NO_SIGNAL)
    await expect(pulling).rejects.toBe(NO_SIGNAL)
    expect(cursor).toBeNull()
    expect(shown).toEqual([])
  })
})
