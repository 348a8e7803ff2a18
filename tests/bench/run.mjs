// `npm run bench [-- part …]`: all benchmarks, or the named parts and engines. `npm run bench:bundle`: only sizes, the
// same in each run. `npm run bench -- soak [minutes] [webhooks a second]`: a long run under load, with two kills. `npm
// run bench -- attacks`: another broker's board during an attack. `npm run bench -- crowd postgres`: 200 brokers at work
// for five minutes. `npm run bench -- intake`: forms at a fixed rate. `npm run bench -- import`: an import of 50,000
// leads beside another broker's board. `npm run bench -- outages [minutes]`: what people see of a stop, a full disk and
// silent connections; needs the right to mount a small disk.
import { command, inRoot, root } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true })
  // Imported here, because it exists only after the packages are installed.
  const { runnerImport } = await import('vite')
  /** @type {{ module: typeof import('./bench.ts') }} */
  const { module } = await runnerImport(inRoot('tests/bench/bench.ts'), { root, configFile: false })
  const [wanted, minutes, perSecond = '500'] = process.argv.slice(2)
  const isAllWithin =
    wanted === 'soak'
      ? await module.soak({ minutes: Number(minutes ?? '10'), perSecond: Number(perSecond) })
      : wanted === 'outages'
        ? await module.outages(Number(minutes ?? '5'))
        : await module.bench(process.argv.slice(2))
  if (!isAllWithin) process.exitCode = 1
})
