// `npm run docs:env`: prints the table of settings into docs/configuration.md after a change of server/env.ts.
import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { runnerImport } from 'vite'
import { command, inRoot, root } from './root.mjs'

await command(import.meta.url, async () => {
  const file = inRoot('docs/configuration.md')
  /** @type {{ module: typeof import('./settings-table.ts') }} */
  const { module } = await runnerImport(inRoot('server/ops/cli/settings-table.ts'), {
    root,
    configFile: false,
  })
  const text = module.withSettingsTable(await readFile(file, 'utf8'))
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }))
})
