// Comments and pages cite only what the repository contains: files, sections, decisions, pictures.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { headingsOf, missingIn, type Held } from '#tests/support/citations.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => file !== '' && existsSync(path.join(root, file)))
const pages = files.filter((file) => file.endsWith('.md'))
const held: Held = { files, headings: new Map(pages.map((file) => [file, headingsOf(read(file))])) }

/** Printed pages, stored history, and this check itself. */
const APART =
  /^(?:package-lock\.json|docs\/licencas\.md|supabase\/migrations\/|tests\/(?:unit|support)\/citations\.)/u
const TEXT = /(?:\.(?:ts|tsx|mjs|cjs|css|sql|md|html|toml|ya?ml|sh)|Dockerfile|Caddyfile)$/u

test('the repository contains what comments and pages cite', () => {
  const texts = files.filter((file) => TEXT.test(file) && !APART.test(file))
  expect(texts.length).toBeGreaterThan(0)
  const missing = texts.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((text, index) =>
        missingIn({ file, text }, held).map((what) => `${file}:${String(index + 1)}: ${what}`),
      ),
  )
  expect(missing).toEqual([])
})

test('the code names no agency except the demonstration’s', () => {
  const code = files.filter((file) =>
    /^(?:(?:src|server|service-worker|public|supabase\/schemas)\/|index\.html)/u.test(file),
  )
  expect(code.length).toBeGreaterThan(0)
  expect(code.filter((file) => /\bRHS\b/u.test(read(file)))).toEqual(['server/demo/seed/seed.ts'])
})

test.each([
  ['// As ROADMAP.md 7 says.', 'ROADMAP.md 7'],
  ['// As ROADMAP 7 says.', 'ROADMAP 7'],
  ['// Speed when lifted. BLUEPRINT (units).', 'BLUEPRINT (u'],
  ["test('a move (Chapter 2.9)', () => {", 'Chapter 2'],
  ['const a = 1 // see docs/none.md', 'docs/none.md'],
  ['{/* see docs/none.md */}', 'docs/none.md'],
  ['-- see docs/none', 'docs/none'],
  ['<!-- src/features/none -->', 'src/features/none'],
  ['/** why: decision 99 */', 'decision 99'],
  ['# The picture next-1.png', 'next-1.png'],
  ['// The cards of the mockups.', 'mockups'],
])('in code %s is refused', (text, what) => {
  expect(missingIn({ file: 'src/app/a.tsx', text }, held)).toContain(what)
})

test.each([
  ['See [the floors](architecture.md#none).', 'architecture.md#none'],
  ['See [nothing](none.md#floors).', 'none.md'],
  ['![A picture](images/none.png)', 'images/none.png'],
])('on a page %s is refused', (text, what) => {
  expect(missingIn({ file: 'docs/testing.md', text }, held)).toContain(what)
})

test.each([
  ['// As server/env.ts says, by decision 30, in src/features/board/gestures.'],
  ["const file = 'none.ts'"],
  ['// WCAG 1.4.11 and RFC 8188; a POST (201).'],
])('%s is let through', (text) => {
  expect(missingIn({ file: 'src/app/a.tsx', text }, held)).toEqual([])
})

test('a link to a heading is let through', () => {
  const text =
    'See [the floors](architecture.md#floors), [decisions](decisions) and [outside](https://example.com/x.md).'
  expect(missingIn({ file: 'docs/testing.md', text }, held)).toEqual([])
})
