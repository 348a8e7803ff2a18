// Stores the results of a long run outside the repository, so that an interrupted run continues over the same sources.
// At its end it prints all results as a table, to the terminal and to a file.
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

const KEPT_IN = inRoot('node_modules/.cache/proof')
/** Documents and findings do not affect the results. */
const PLACES = ['--', '.', ':!docs', ':!findings', ':!README.md', ':!CONTRIBUTING.md']
const execute = promisify(execFile)

/** @param {...string} args */
const git = async (...args) => (await execute('git', args, { cwd: inRoot('.'), maxBuffer: 1 << 30 })).stdout

/** Whether all changes of the sources are committed. */
export const isTreeClean = async () => (await git('status', '--porcelain', ...PLACES)) === ''

/** Covers everything that git tracks, with uncommitted changes, except the documents. @returns {Promise<string>} */
async function hashOfSources() {
  const parts = await Promise.all([
    git('ls-files', '--stage', ...PLACES),
    git('diff', 'HEAD', ...PLACES),
    git('status', '--porcelain', ...PLACES),
  ])
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

/**
 * The stored results, by name, for the current sources. `add` writes another one to the disk.
 * @param {Proof} proof
 * @param {{ folder?: string, sources?: string }} [over] the folder and the hash of the sources, given by the test
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
      await mkdir(folder, { recursive: true })
      await writeFile(file, `${JSON.stringify({ sources, results }, null, 2)}\n`)
    },
    /** Prints all results as a table, and writes it beside the record. */
    print: async () => {
      const table = tableOf(results, (await git('rev-parse', '--short', 'HEAD')).trim())
      const page = path.join(folder, `${proof}.md`)
      await mkdir(folder, { recursive: true })
      await writeFile(page, `${table}\n`)
      say(`\n${table}\n\nA tabela está em ${path.relative(inRoot('.'), page)}.`)
    },
  }
}

/**
 * @param {Record<string, Result>} results
 * @param {string} commit
 */
function tableOf(results, commit) {
  const seconds = Object.values(results).reduce((total, result) => total + result.seconds, 0)
  const rows = Object.entries(results).map(
    ([name, result]) => `| ${name} | ${result.words ?? closingLine(result.counts)} | ${result.seconds} |`,
  )
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${(seconds / 60).toFixed(1)} minutes:`,
    ['| | result | seconds |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}
