// `npm run test:again -- [--times 10] [--busy 4]`: `npm test` again and again while busy loops hold the processors. What fails by
// chance shows here; one that was cut off goes on where it stopped.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { command, inRoot, say } from '#server/ops/cli/root.mjs'
import { toCountsOfLine } from './support/runner/counts.mjs'
import { openRecord } from './support/runner/proof-record.mjs'

/** Holds one processor until whoever started it is gone, however that came. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);'
const startBusyLoop = () => spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' })

/** One whole `npm test`, its output passed on; what its last line counted. */
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
