// `npm run test:again -- [--times 10] [--busy 4]` runs `npm test` several times while busy loops hold the processors.
// It finds tests that fail by chance. An interrupted run continues where it stopped.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { command, say } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'
import { secondsSince, test } from './run.mjs'
import { openRecord } from './support/runner/proof-record.mjs'

/** Keeps one processor busy until its parent process is gone, even if the parent was killed. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);'
const startBusyLoop = () => spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' })

await command(import.meta.url, async () => {
  const { values } = parseArgs({
    options: { times: { type: 'string', default: '10' }, busy: { type: 'string', default: '4' } },
  })
  await setUp({ isBuildWanted: false })
  const record = await openRecord('again')
  const loops = Array.from({ length: Number(values.busy) }, startBusyLoop)
  try {
    for (let time = 1; time <= Number(values.times); time++) {
      const name = `run ${time}, ${values.busy} busy loops`
      if (record.results[name]) continue
      const startedAt = Date.now()
      const counts = await test([])
      const seconds = secondsSince(startedAt)
      await record.add(name, { counts, seconds })
      say(`── ${name}: ${counts.failed} failed, ${seconds} s`)
    }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
  record.print()
  if (Object.values(record.results).some(({ counts }) => counts.failed > 0)) process.exitCode = 1
})
