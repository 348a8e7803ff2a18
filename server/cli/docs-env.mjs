// `npm run docs:env`: writes the table of settings into README.md after a change of server/env.ts.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { runnerImport } from 'vite'
import { command, inHouse, root } from './house.mjs'

await command(import.meta.url, async () => {
  const readme = inHouse('README.md')
  /** @type {{ module: typeof import('./settings-table.ts') }} */
  const { module } = await runnerImport(inHouse('server/cli/settings-table.ts'), { root, configFile: false })
  const text = module.withSettingsTable(await readFile(readme, 'utf8'))
  await writeFile(readme, await format(text, { ...(await resolveConfig(readme)), filepath: readme }))
})
