// Stores the results of a long run outside the repository, so that an interrupted run continues over the same sources.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inRoot, say } from '#server/ops/cli/root.mjs'
import { closingLine } from './counts.mjs'

/**
 * @typedef {{ counts: import('./counts.mjs').Counts, seconds: number, words?: string }} Result `words`: the result where
 *   counts do not say it
 */

/** Documents and findings do not affect the results. */
const PLACES = ['--', '.', ':!docs', ':!findings', ':!README.md', ':!CONTRIBUTING.md']

/** @param {...string} args */
const git = (...args) => execFileSync('git', [...args, ...PLACES], { cwd: inRoot('.'), maxBuffer: 1 << 30 })

/** Whether all changes of the sources are committed. */
export const isTreeClean = () => git('status', '--porcelain').length === 0

/** Covers everything that git tracks, with uncommitted changes, except the documents. */
const hashOfSources = () =>
  [git('ls-files', '--stage'), git('diff', 'HEAD'), git('status', '--porcelain')]
    .reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256'))
    .digest('hex')

/**
 * The stored results, by name, for the current sources. `add` writes another one to the disk, `print` prints them all.
 * @param {'deep' | 'again' | 'mutations'} proof
 * @param {{ folder?: string, sources?: string }} [over] the folder and the hash of the sources, given by the test
 */
export async function openRecord(
  proof,
  { folder = inRoot('node_modules/.cache/proof'), sources = hashOfSources() } = {},
) {
  const file = path.join(folder, `${proof}.json`)
  /** @type {{ sources: string, results: Record<string, Result> } | null} */
  const found = await readFile(file, 'utf8').then(JSON.parse, () => null)
  const results = found?.sources === sources ? found.results : {}
  return {
    results,
    /** @param {string} name @param {Result} result */
    add: async (name, result) => {
      results[name] = result
      await mkdir(folder, { recursive: true })
      await writeFile(file, `${JSON.stringify({ sources, results }, null, 2)}\n`)
    },
    print: () => {
      for (const [name, { counts, seconds, words = closingLine(counts) }] of Object.entries(results))
        say(`${String(seconds).padStart(6)} s  ${name}: ${words}`)
      say(`Em ${file}`)
    },
  }
}
