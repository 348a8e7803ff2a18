// What stands around each import() of the built app: a part's sheets and chunks load at the same time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { loadPart } from '#app/load-part.ts'

class Link extends EventTarget {
  #href = ''
  get href() {
    return this.#href
  }
  set href(address: string) {
    this.#href = new URL(address, 'http://portal').href
  }
  remove() {
    inPage = inPage.filter((link) => link !== this)
  }
  loads = () => this.dispatchEvent(new Event('load'))
  fails = () => this.dispatchEvent(new Event('error'))
}

const FILES = ['assets/board-1234567.js', 'assets/board-1234567.css']
let inPage: Link[] = []
let chunks: string[] = []
let reported: unknown[] = []
let part: typeof loadPart

beforeEach(async () => {
  inPage = []
  chunks = []
  reported = []
  vi.stubGlobal('document', {
    createElement: () => new Link(),
    querySelectorAll: () => inPage,
    head: { append: (link: Link) => inPage.push(link) },
  })
  vi.stubGlobal('chunk', { load: (name: string) => Promise.resolve(chunks.push(name)) })
  vi.stubGlobal('dispatchEvent', ({ type, detail }: CustomEvent) => reported.push([type, detail]))
  vi.resetModules()
  ;({ loadPart: part } = await import('#app/load-part.ts'))
})
afterEach(() => vi.unstubAllGlobals())

const load = vi.fn<() => Promise<string>>(() => Promise.resolve('part'))
beforeEach(() => void load.mockClear())

test('its chunks are asked for at once, and it runs when its sheets are there', async () => {
  const loaded = part(load, FILES)
  expect(chunks).toEqual(['board-1234567.js'])
  expect(inPage.map(({ href }) => href)).toEqual(['http://portal/assets/board-1234567.css'])
  expect(load).not.toHaveBeenCalled()
  inPage[0]?.loads()
  expect(await loaded).toBe('part')
})

test('two parts wait for one sheet, and one of the page is not loaded again', async () => {
  const both = [part(load, FILES), part(load, FILES)]
  expect(inPage).toHaveLength(1)
  inPage[0]?.loads()
  expect(await Promise.all(both)).toEqual(['part', 'part'])
  const saved = new Link()
  saved.href = '/assets/saved-1234567.css'
  inPage.push(saved)
  await part(load, ['assets/saved-1234567.css'])
  expect(inPage).toHaveLength(2)
})

test('a sheet that fails is reported and loaded with the next part; this one works without it', async () => {
  const loaded = part(load, FILES)
  inPage[0]?.fails()
  expect(await loaded).toBe('part')
  expect(reported).toEqual([['part-missing', new TypeError('Failed to load /assets/board-1234567.css')]])
  expect(inPage).toEqual([])
  void part(load, FILES)
  expect(inPage).toHaveLength(1)
})

test('a script that fails is reported, and the part fails', async () => {
  const fault = new TypeError('Failed to load /assets/board-1234567.js')
  load.mockRejectedValueOnce(fault)
  await expect(part(load)).rejects.toBe(fault)
  expect(reported).toEqual([['part-missing', fault]])
})
