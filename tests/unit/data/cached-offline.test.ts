// A stored result is shown at once, and the server's result replaces it.
import 'fake-indexeddb/auto'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachedOffline } from '#data/cached-offline.ts'
import { setOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer } from '#offline/query-cache.ts'

type List = { names: string[] }
const KEY: QueryKey = ['list', 7]
const NOW_MS = Date.UTC(2026, 10, 28, 15)
const HOUR_AGO = NOW_MS - 3_600_000

let owner: string
let nextOwner = 1
let client: QueryClient
/** The server's next answer. */
let answer: { resolve: (list: List) => void; reject: (error: Error) => void; promise: Promise<List> }

function openPromise(): typeof answer {
  let [resolve, reject]: [(list: List) => void, (error: Error) => void] = [() => undefined, () => undefined]
  const promise = new Promise<List>((...ways) => ([resolve, reject] = ways))
  return { resolve, reject, promise }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
  owner = `owner-${nextOwner++}`
  setOwner(owner)
  client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  answer = openPromise()
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

const slot = (part: { version?: number; owner?: string } = {}) => ({
  owner,
  name: JSON.stringify(KEY),
  kind: 'list',
  version: 1,
  most: 3,
  ...part,
})
const keepBefore = (list: List, part = {}) => saveAnswer(slot(part), list, HOUR_AGO)
const ask = (keeping: { trim?: (list: List) => List } = {}) =>
  client.fetchQuery({
    queryKey: KEY,
    queryFn: cachedOffline<List, QueryKey>(
      { kind: 'list', most: 3, version: 1, ...keeping },
      () => answer.promise,
    ),
  })
const shown = () => client.getQueryState<List>(KEY)

/** Calls back once something is shown. */
const shownSoon = () =>
  new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(({ type }) => {
      if (type !== 'updated' || shown()?.data === undefined) return
      stop()
      resolve()
    })
  })

describe('a query with a stored result', () => {
  it('shows the stored result with its own time, then the server’s', async () => {
    await keepBefore({ names: ['Ana'] })
    const coming = shownSoon()
    const asking = ask()
    await coming
    expect(shown()).toMatchObject({
      data: { names: ['Ana'] },
      dataUpdatedAt: HOUR_AGO,
      fetchStatus: 'fetching',
    })
    answer.resolve({ names: ['Ana', 'Bia'] })
    expect(await asking).toEqual({ names: ['Ana', 'Bia'] })
    expect(shown()?.dataUpdatedAt).toBeGreaterThan(HOUR_AGO)
  })

  it('still shows it when the request fails, with the error', async () => {
    await keepBefore({ names: ['Ana'] })
    const asking = ask()
    answer.reject(new Error('sem sinal'))
    await expect(asking).rejects.toThrow('sem sinal')
    expect(shown()).toMatchObject({ data: { names: ['Ana'] }, dataUpdatedAt: HOUR_AGO, status: 'error' })
  })

  it('never replaces a newer result with a stored one', async () => {
    await keepBefore({ names: ['Ana'] })
    answer.resolve({ names: ['Bia'] })
    expect(await ask()).toEqual({ names: ['Bia'] })
    await readAnswer(slot())
    expect(shown()?.data).toEqual({ names: ['Bia'] })
  })

  it("stores the server's result, trimmed", async () => {
    answer.resolve({ names: ['Ana', 'Bia', 'Caio'] })
    await ask({ trim: ({ names }) => ({ names: names.slice(-2) }) })
    expect(shown()?.data).toEqual({ names: ['Ana', 'Bia', 'Caio'] })
    expect((await readAnswer(slot()))?.data).toEqual({ names: ['Bia', 'Caio'] })
  })

  it.each([
    { name: 'another version', part: { version: 2 } },
    { name: 'another person', part: { owner: 'somebody' } },
  ])('shows nothing of $name', async ({ part }) => {
    await keepBefore({ names: ['Ana'] }, part)
    const asking = ask()
    answer.reject(new Error('sem sinal'))
    await expect(asking).rejects.toThrow('sem sinal')
    expect(shown()?.data).toBeUndefined()
  })

  it('stores nothing for a person who left during the request', async () => {
    const asking = ask()
    setOwner(null)
    answer.resolve({ names: ['Ana'] })
    await asking
    expect(await readAnswer(slot())).toBeNull()
  })
})

it('of one kind the newest results stay', async () => {
  for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) await saveAnswer({ ...slot(), name }, name, at)
  await saveAnswer({ ...slot(), name: 'other', kind: 'link' }, 'other', 0)
  const held = await Promise.all(['a', 'b', 'c', 'd', 'other'].map((name) => readAnswer({ ...slot(), name })))
  expect(held.map((each) => each?.data)).toEqual([undefined, 'b', 'c', 'd', 'other'])
})
