// Checks the pages for developers: the table of settings, the names and files that they mention, the diagrams, the
// decision records.
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { withSettingsTable } from '#server/ops/cli/settings-table.ts'

const root = path.resolve(import.meta.dirname, '../..')
const at = (...parts: string[]) => path.join(root, ...parts)
const read = (...parts: string[]) => readFile(at(...parts), 'utf8')
const Package = v.object({ scripts: v.record(v.string(), v.string()) })
/** The text of all sources below a folder. */
async function textOf(folder: string): Promise<string> {
  const names = await readdir(at(folder), { recursive: true })
  return (
    await Promise.all(
      names.filter((name) => /\.(?:tsx?|mjs|sql)$/u.test(name)).map((name) => read(folder, name)),
    )
  ).join('\n')
}

test('the table of settings equals server/env.ts (if not, run npm run docs:env)', async () => {
  const file = at('docs/configuration.md')
  const page = await readFile(file, 'utf8')
  const printed = await format(withSettingsTable(page), { ...(await resolveConfig(file)), filepath: file })
  expect(page).toBe(printed)
})

describe('names in the pages for developers exist', async () => {
  const sql = await textOf('supabase/schemas')
  const code = (await Promise.all(['src', 'server', 'service-worker', 'tests/support'].map(textOf))).join(
    '\n',
  )
  const scripts = Object.keys(v.parse(Package, JSON.parse(await read('package.json'))).scripts)
  const has = (text: string, name: string) =>
    new RegExp(`\\b${name.replaceAll('*', '\\w+')}\\b`, 'u').test(text)

  /** Whether a table, function, trigger, column, address, identifier or script of this name does not exist. */
  function isMissing(name: string): boolean {
    const script = /^npm run ([\w:]+)/u.exec(name)?.[1]
    if (script !== undefined) return !scripts.includes(script)
    const address = /^(?:(?:GET|POST|PUT|DELETE|PATCH) )?\/([\w/-]*\w)/u.exec(name)?.[1]
    if (address !== undefined) return !address.split('/').every((part) => has(code, part))
    if (/^(?:portal|public)\.[\w.]+$/u.test(name))
      return !name
        .split('.')
        .slice(1)
        .every((part) => has(sql, part))
    if (/^[a-z*]+(?:_[a-z*]+)+$/u.test(name)) return !has(sql, name)
    if (/^[a-z]+[A-Z]\w+$/u.test(name)) return !has(code, name)
    return false
  }

  test.each([
    'docs/architecture.md',
    'docs/glossary.md',
    'docs/misleading.md',
    'CONTRIBUTING.md',
    'README.md',
  ])('%s', async (page) => {
    const text = await read(page)
    const spoken = [...text.matchAll(/`([^`\n]+)`/gu)].map(([, name = '']) => name)
    const diagrams = [...text.matchAll(/^```mermaid$.*?^```$/gmsu)].map(([diagram]) => diagram)
    const drawn = [...diagrams.join('').matchAll(/\bportal\.(?!ts\b)\w+/gu)].map(([name]) => name)
    expect(spoken.length + drawn.length).toBeGreaterThan(10)
    expect([...spoken, ...drawn].filter(isMissing)).toEqual([])
  })

  test.each([
    'portal.no_such_table',
    'portal.visits.no_such_column',
    'no_such_trigger',
    'none_*_none',
    'noSuchFunction',
    'GET /api/no-such-address',
    'npm run no-such-script',
  ])('%s is reported as missing', (name) => {
    expect(isMissing(name)).toBe(true)
  })
})

describe('files in the pages exist', async () => {
  const folders = ['src', 'server', 'service-worker', 'supabase', 'tests', 'deploy', 'docs', 'public']
  const below = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(at(folder), { recursive: true })).map((name) => `/${folder}/${name}`),
    ),
  )
  const all = [...(await readdir(root)).map((name) => `/${name}`), ...below.flat()]
  /** A file or folder by its whole path. A file also by the end of its path, since a page names the folder once. */
  const exists = (name: string) =>
    all.includes(`/${name}`) || (/\.\w+$/u.test(name) && all.some((file) => file.endsWith(`/${name}`)))
  const isPath = (name: string) =>
    /^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|cjs|sql|css|md|json|yaml|sh)$/u.test(name) ||
    (/^[\w-]+(?:\/[\w-]+)+$/u.test(name) && folders.includes(name.split('/')[0] ?? ''))
  const pages = all
    .filter((file) => /^\/(?:docs\/.*|README|CONTRIBUTING)\.md$/u.test(file))
    .map((file) => file.slice(1))

  test.each(pages)('%s', async (page) => {
    const text = await read(page)
    const named = [...text.matchAll(/`([^`\n]+)`/gu)].map(([, name = '']) => name.replace(/\/$/u, ''))
    expect(named.filter((name) => isPath(name) && !exists(name))).toEqual([])
    const linked = [...text.matchAll(/\]\(([^)#:\s]+)(?=[)#])/gu)].map(([, to = '']) => to)
    const gone = linked.filter((to) => !all.includes(`/${path.join(path.dirname(page), to)}`))
    expect(gone).toEqual([])
  })

  test.each(['server/ports.ts', 'no-such-file.ts', 'src/no-such-folder'])(
    '%s is reported as missing',
    (name) => {
      expect(isPath(name) && !exists(name)).toBe(true)
    },
  )
})

test('each of the first six flows in the architecture has one diagram', async () => {
  const ways = (await read('docs/architecture.md')).split(/^## (?=\d)/mu).slice(1, 7)
  for (const way of ways) expect(way.match(/^```mermaid$/gmu), way.slice(0, 40)).toHaveLength(1)
})

test('decisions are numbered without a gap, and each has its four parts', async () => {
  const names = (await readdir(at('docs/decisions'))).toSorted()
  for (const [index, name] of names.entries()) {
    expect(Number(name.slice(0, 4)), name).toBe(index + 1)
    const text = await read('docs/decisions', name)
    for (const part of ['Context', 'Decision', 'Consequences', 'Alternatives'])
      expect(text, name).toContain(`\n## ${part}\n`)
  }
})

test('a superseded decision and the one that supersedes it name each other', async () => {
  const names = await readdir(at('docs/decisions'))
  const pairs = await Promise.all(
    names.map(async (name) => {
      const text = await read('docs/decisions', name)
      const linked = (word: string) =>
        [...text.matchAll(new RegExp(`${word} \\[(\\d+)\\]`, 'gu'))].map(([, number]) => Number(number))
      const number = Number(name.slice(0, 4))
      return {
        by: linked('Superseded by').map((later) => `${String(number)} by ${String(later)}`),
        of: linked('Supersedes').map((earlier) => `${String(earlier)} by ${String(number)}`),
      }
    }),
  )
  const superseded = pairs.flatMap(({ by }) => by)
  expect(superseded.length).toBeGreaterThan(0)
  expect(superseded.toSorted()).toEqual(pairs.flatMap(({ of }) => of).toSorted())
})

test('the pictures of the first hour take at most 300 kB together', async () => {
  const names = (await readdir(at('docs/images'))).filter((name) => name.startsWith('primeira-hora-'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(at('docs/images', name))).size))
  expect(sizes).toHaveLength(6)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(300_000)
})
