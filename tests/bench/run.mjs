// `npm run bench`: every measure. `npm run bench:bundle`: the sizes alone, which are the same at each run.
import { command, inHouse, root } from '#server/cli/house.mjs'
import { setUp } from '#server/cli/setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true })
  // Only there once the packages are installed.
  const { runnerImport } = await import('vite')
  /** @type {{ module: typeof import('./bench.ts') }} */
  const { module } = await runnerImport(inHouse('tests/bench/bench.ts'), { root, configFile: false })
  const isAllWithin = await module.bench({ isBundleOnly: process.argv[2] === 'bundle' })
  if (!isAllWithin) process.exitCode = 1
})
