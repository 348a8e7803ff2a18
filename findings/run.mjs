// `npm run findings [-- name …]` runs the scripts of this folder, one after the other, and prints which of them still
// hold. Each script installs public packages in a temporary folder of its own, so it needs a network and may take
// minutes.
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'

const folder = import.meta.dirname
/** A package that does not arrive within this time counts as not run. */
const TIME_LIMIT_MS = 10 * 60_000

/**
 * Runs one script and resolves to its exit code; null when it ran into the time limit.
 * @param {string} script
 * @returns {Promise<number | null>}
 */
function run(script) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [path.join(folder, script)], {
      cwd: folder,
      stdio: 'inherit',
      // A group of its own, so that the limit also ends what the script has started.
      detached: true,
    })
    const end = (/** @type {NodeJS.Signals} */ signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // The script ended before it was stopped.
      }
    }
    const timer = setTimeout(() => end('SIGTERM'), TIME_LIMIT_MS)
    const onInterrupt = () => {
      end('SIGTERM')
      process.exit(130)
    }
    process.once('SIGINT', onInterrupt)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', onInterrupt)
      resolve(code)
    })
  })
}

const { positionals: names } = parseArgs({ allowPositionals: true })
const scripts = (await readdir(folder))
  .filter((name) => name.endsWith('.sh') && (names.length === 0 || names.some((word) => name.includes(word))))
  .toSorted()

/** @type {Record<string, string[]>} */
const results = { same: [], changed: [], 'not run': [] }
for (const script of scripts) {
  console.log(`\n── ${script}`)
  const code = await run(script)
  const result = code === 0 ? 'same' : code === 1 ? 'changed' : 'not run'
  results[result]?.push(script)
  console.log(`── ${script}: ${result}${result === 'not run' ? ` (exit code ${String(code)})` : ''}`)
}

const total = Object.entries(results).map(([result, list]) => `${list.length} ${result}`)
console.log(`\n${total.join(', ')}`)
for (const result of ['changed', 'not run'])
  for (const script of results[result] ?? []) console.log(`${result}: ${script}`)
if (scripts.length === 0) console.log(names.length > 0 ? 'No script has such a name.' : 'No script is here.')
if (scripts.length === 0 ? names.length > 0 : results.same?.length !== scripts.length) process.exitCode = 1
