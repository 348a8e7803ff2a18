// The build's classic scripts behave like the modules that they were, and their loader like `import()`.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toClassic } from '#server/ops/build/classic-scripts.mjs'

class Script extends EventTarget {
  src = ''
}
type Chunk = { load: (name: string) => Promise<Record<string, unknown>> }

const MODULES = {
  'count-1234567': 'export let count = 0; export const add = () => { count += 1 }',
  'page-1234567': `import { count, add } from './count-1234567.js'
    add()
    export const seen = () => count
    export const where = import.meta.url
    export const later = () => import('./late-1234567.js')`,
  'late-1234567': `import { add, count } from './count-1234567.js'
    add()
    export { count as total }`,
}
let scripts: Script[] = []
let missing = new Set<string>()
let chunk: Chunk

/** Acts as the browser: runs the added script and reports its load, or reports an error. */
async function append(script: Script) {
  scripts.push(script)
  const name = script.src.replace('/assets/', '').replace('.js', '')
  await Promise.resolve()
  if (missing.has(name)) return script.dispatchEvent(new Event('error'))
  // All together, as in the build.
  const codes = await toClassic(
    new Map(Object.entries(MODULES).map(([other, code]) => [`assets/${other}.js`, code])),
  )
  // oxlint-disable-next-line typescript/no-implied-eval -- the build's own output
  new Function(codes.get(`assets/${name}.js`) ?? '')()
  return script.dispatchEvent(new Event('load'))
}

beforeEach(async () => {
  scripts = []
  missing = new Set()
  vi.stubGlobal('document', {
    createElement: () => new Script(),
    head: { append: (script: Script) => void append(script) },
  })
  vi.stubGlobal('location', { origin: 'http://portal' })
  vi.resetModules()
  await import('#app/chunk-loader.ts')
  ;({ chunk } = globalThis as unknown as { chunk: Chunk })
})
afterEach(() => vi.unstubAllGlobals())

test('imports are the other chunk’s values of now, and a chunk runs once', async () => {
  const [page, again] = await Promise.all([chunk.load('page-1234567.js'), chunk.load('page-1234567.js')])
  expect(again).toBe(page)
  expect(page).toMatchObject({ where: 'http://portal/assets/page-1234567.js' })
  expect((page['seen'] as () => unknown)()).toBe(1)
  expect(await (page['later'] as () => unknown)()).toEqual({ total: 2 })
  expect((page['seen'] as () => unknown)()).toBe(2)
  expect(scripts.map(({ src }) => src)).toEqual([
    '/assets/page-1234567.js',
    '/assets/count-1234567.js',
    '/assets/late-1234567.js',
  ])
})

test('a chunk fails with what it needs, and can be loaded again', async () => {
  missing = new Set(['count-1234567'])
  await expect(chunk.load('page-1234567.js')).rejects.toThrow('Failed to load /assets/count-1234567.js')
  missing.clear()
  const page = await chunk.load('page-1234567.js')
  expect((page['seen'] as () => unknown)()).toBe(1)
})

test('a file that is no chunk fails', async () => {
  await expect(chunk.load('none-1234567.js')).rejects.toThrow('Failed to load /assets/none-1234567.js')
})

test('a module that no script can replace stops the build', async () => {
  const modules = new Map([['assets/a-1234567.js', 'export const text = await fetch("/")']])
  await expect(toClassic(modules)).rejects.toThrow('await')
})
