// `npm run test:again -- [--times 10] [--busy 4]` runs `npm test` several times while busy loops hold the processors. It finds tests
// that fail by chance. An interrupted run continues where it stopped.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { command, inRoot, say } from '#server/ops/cli/root.mjs'
import { toCountsOfLine } from './support/runner/counts.mjs'
import { openRecord } from './support/runner/proof-record.mjs'

/** Keeps one processor busy until its parent process is gone, even if the parent was killed. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);'
const startBusyLoop = () => spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' })

/** Runs a whole `npm test`, passes its output on, and resolves to the counts of its last line. */
function runOnce() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inRoot('tests/run.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (words) => {
      output += words
      process.stdout.write(words)
    })
    child.once('error', reject)
    child.once('close', () => resolve(toCountsOfLine(output.trimEnd().split('\n').at(-1) ?? '')))
  })
}

await command(import.meta.url, async () => {
  const { values } = parseArgs({
    options: { times: { type: 'string', default: '10' }, busy: { type: 'string', default: '4' } },
  })
  const record = await openRecord('again')
  const loops = Array.from({ length: Number(values.busy) }, startBusyLoop)
  try {
    for (let time = 1; time <= Number(values.times); time++) {
      const name = `run ${time}, ${values.busy} busy loops`
      if (record.results[name]) continue
      const startedAt = Date.now()
      const counts = await runOnce()
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      await record.add(name, { counts, seconds })
      say(`── ${name}: ${counts.failed} failed, ${seconds} s`)
    }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
  await record.print()
  if (Object.values(record.results).some(({ counts }) => counts.failed > 0)) process.exitCode = 1
})
