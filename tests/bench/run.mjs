// `npm run bench [-- part …]`: every measure, or those of the parts and engines named. `npm run bench:bundle`: the sizes alone, the same at each run.
// `npm run bench -- soak [minutes] [webhooks a second]`: a long run under load, killed twice.
// `npm run bench -- attacks`: another's board while one broker attacks. `npm run bench -- intake`: forms at a fixed rate.
// `npm run bench -- import`: a list of 50,000 leads beside another's board.
import { command, inRoot, root } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true })
  // Only there once the packages are installed.
  const { runnerImport } = await import('vite')
  /** @type {{ module: typeof import('./bench.ts') }} */
  const { module } = await runnerImport(inRoot('tests/bench/bench.ts'), { root, configFile: false })
  const [wanted, minutes = '10', perSecond = '500'] = process.argv.slice(2)
  const isAllWithin =
    wanted === 'soak'
      ? await module.soak({ minutes: Number(minutes), perSecond: Number(perSecond) })
      : await module.bench(process.argv.slice(2))
  if (!isAllWithin) process.exitCode = 1
})
