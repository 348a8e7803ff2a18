// What long proofs have shown over the sources as they are, kept with the repository, so that one that was cut off goes on,
// here or in another checkout; and their last whole results, which stand in docs/testing.md.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { inRoot, say } from '#server/ops/cli/root.mjs'
import { closingLine } from './counts.mjs'

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {{ counts: Counts, seconds: number, words?: string }} Result `words`: the result where counts do not say it
 * @typedef {'deep' | 'again' | 'mutations'} Proof
 */

const DOC = inRoot('docs/testing.md')
/** Outside what the hash of the sources covers: keeping a result changes no source. */
const KEPT_IN = inRoot('docs/proof')
const PLACES = ['--', '.', ':!docs', ':!README.md']
const execute = promisify(execFile)

/** @param {...string} args */
const git = async (...args) => (await execute('git', args, { cwd: inRoot('.'), maxBuffer: 1 << 30 })).stdout

/** Whether nothing of the sources waits for a commit. */
export const isTreeClean = async () => (await git('status', '--porcelain', ...PLACES)) === ''

/**
 * Of everything that git tracks and what the working tree changes in it, the documents apart.
 * @returns {Promise<string>}
 */
async function hashOfSources() {
  const parts = await Promise.all([
    git('ls-files', '--stage', ...PLACES),
    git('diff', 'HEAD', ...PLACES),
    git('status', '--porcelain', ...PLACES),
  ])
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

/**
 * The results by name that this proof already has over the same sources; `add` keeps one more on the disk.
 * @param {Proof} proof
 * @param {{ folder?: string, sources?: string }} [over] for the test of it: where it is kept, over which sources
 */
export async function openRecord(proof, { folder = KEPT_IN, sources: given } = {}) {
  const file = path.join(folder, `${proof}.json`)
  const sources = given ?? (await hashOfSources())
  /** @type {{ sources: string, results: Record<string, Result> } | null} */
  const found = await readFile(file, 'utf8').then(JSON.parse, () => null)
  const results = found?.sources === sources ? found.results : {}
  return {
    results,
    /**
     * @param {string} name
     * @param {Result} result
     */
    add: async (name, result) => {
      results[name] = result
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, `${JSON.stringify({ sources, results }, null, 2)}\n`)
    },
    /** Writes all results into docs/testing.md, between the proof's marks. */
    print: () => print(proof, results),
  }
}

/**
 * @param {Proof} proof
 * @param {Record<string, Result>} results
 */
async function print(proof, results) {
  const commit = (await git('rev-parse', '--short', 'HEAD')).trim()
  const seconds = Object.values(results).reduce((total, result) => total + result.seconds, 0)
  const rows = Object.entries(results).map(
    ([name, result]) => `| ${name} | ${result.words ?? closingLine(result.counts)} | ${result.seconds} |`,
  )
  const text = [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${(seconds / 60).toFixed(1)} minutes:`,
    ['| | result | seconds |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
  const marks = new RegExp(`(<!-- ${proof}: printed -->\\n)[\\s\\S]*?(<!-- /${proof} -->)`)
  const doc = await readFile(DOC, 'utf8')
  await writeFile(
    DOC,
    doc.replace(marks, (_, start, end) => `${start}\n${text}\n\n${end}`),
  )
  say('\nO resultado está em docs/testing.md.')
}
