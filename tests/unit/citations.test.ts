// Nothing cites what the repository does not hold: a file, a section of a document, a number of an issue.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => file !== '' && existsSync(path.join(root, file)))
const known = new Set(files.flatMap((file) => endings(file)))

/** Printed from elsewhere, or history that is kept as it ran. */
const APART =
  /^(?:package-lock\.json|docs\/licencas\.md|supabase\/(?:before-baseline|migrations)\/|tests\/unit\/citations\.test\.ts)/u
const TEXT = /(?:\.(?:ts|tsx|mjs|cjs|css|sql|md|html|toml|ya?ml|sh)|Dockerfile|Caddyfile)$/u
const COMMENT = /^\s*(?:\/\/|\/\*|\*|--|#)|\s(?:\/\/|--|\/\*) /u
const FILE = /(?<![\w.<*{/-])(?:#|\.{0,2}\/)?(?:[\w.-]+\/)*[\w.-]*\w\.(?:tsx?|mjs|cjs|sql|md|css)(?![\w(*])/gu
const SECTION =
  /\b(?:[sS]pec|[sS]ection|[cC]hapter|[iI]ssue|§) ?#?\d|\b(?!WCAG|APPNOTE)[A-Z][A-Z-]{3,}(?:\.md)? \d+(?:\.\d+)?\b(?! kB)/u
/** What is built or downloaded, and the names that Supabase's own tools use. */
const MADE = /^(?:main\.mjs|schema\.sql|data\.sql|roles\.sql)$/u

test('what a comment or a page cites is here', async () => {
  const texts = files.filter((file) => TEXT.test(file) && !APART.test(file))
  const missing = await Promise.all(texts.map(missingFrom))
  expect(texts.length).toBeGreaterThan(0)
  expect(missing.flat()).toEqual([])
})

async function missingFrom(file: string): Promise<string[]> {
  const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
  return lines.flatMap((line, index) => {
    if (!file.endsWith('.md') && !COMMENT.test(line)) return []
    const cited = [...line.matchAll(FILE)].map(([name]) => name).filter((name) => !isHere(name))
    const section = SECTION.exec(line)?.[0]
    return [...cited, ...(section ? [section] : [])].map((what) => `${file}:${String(index + 1)}: ${what}`)
  })
}

function isHere(name: string): boolean {
  const plain = name.replace(/^(?:#|(?:\.{1,2}\/)+|\/)/u, '')
  return known.has(plain) || MADE.test(plain)
}

/** `a/b/c.ts` is cited as that, as `b/c.ts` or as `c.ts`. */
function endings(file: string): string[] {
  const parts = file.split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}
