// A saved page is shown only while nothing that it depends on has changed.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { saveBoard } from '#offline/board-store.ts'
import { readDevice, writeDevice } from '#offline/database.ts'
import { changeOutbox } from '#offline/outbox.ts'
import { type PageSnapshot, readState, readUnchangedPage, snapshotName } from '#offline/page-snapshot.ts'
import { saveAnswer } from '#offline/query-cache.ts'
import { wipe, wipeCachesOfOthers } from '#offline/wipe.ts'
import { lead, waitingMove } from '#tests/support/make-app.ts'

const NOW_MS = Date.UTC(2026, 10, 28, 15)
const key = { owner: 'm1', instanceName: 'corretor_camila' }
const stand = (pathname: string, { search = '', width = 390 } = {}) => {
  vi.stubGlobal('location', { pathname, search })
  vi.stubGlobal('innerWidth', width)
}
const pull = (cursor: string) =>
  saveBoard(key, {
    head: { cursor, stages: [], counts: new Map([['new', 1]]), pulledAtMs: 1 },
    base: null,
    changed: [],
    removed: [],
    whole: new Map([[7, lead({ id: 7 })]]),
  })
const waiting = (userId: string) => waitingMove(userId, key.instanceName)

async function keep(untilMs = NOW_MS + 60_000) {
  const state = await readDevice((db) => readState(db, key))
  const page: PageSnapshot = { html: '<p>Marina</p>', state, theme: undefined, untilMs }
  const slot = { owner: key.owner, name: snapshotName('/broker'), kind: 'page', version: 1, most: 2 }
  await saveAnswer(slot, page, NOW_MS)
}
const seen = async () => (await readUnchangedPage(key))?.html ?? null

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
  stand('/broker')
  await pull('e.1')
  await keep()
  expect(await seen()).toBe('<p>Marina</p>')
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await changeOutbox(() => [])
  await writeDevice(async (db) => {
    await db.clear('answers')
    await db.clear('boards')
  })
})

it.each([
  ['the board was pulled further', () => pull('e.2')],
  ['something of this person waits', () => changeOutbox((entries) => [...entries, waiting('m1')])],
  ['the window is another', () => stand('/broker', { width: 844 })],
  ['the address says more', () => stand('/broker', { search: '?estagio=conversa' })],
  ['it is another page', () => stand('/broker/hoje')],
  ['what it shows may be over', () => keep(NOW_MS - 1)],
  ['its person left', () => wipe('m1')],
  ['another person came', () => wipeCachesOfOthers('z9')],
])('is not shown when %s', async (_, change) => {
  await Promise.resolve(change())
  expect(await seen()).toBeNull()
})

it("another user's entries on the phone change nothing", async () => {
  await changeOutbox((entries) => [...entries, waiting('z9')])
  expect(await seen()).toBe('<p>Marina</p>')
})
