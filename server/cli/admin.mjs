// The command of server/cli/admin.ts from a terminal.
import { migrations, runBuilt } from './built.mjs'
import { command } from './house.mjs'

await command(import.meta.url, () =>
  runBuilt('admin.mjs', (/** @type {typeof import('./admin.ts')} */ { runAdminCommand }) =>
    runAdminCommand(process.argv.slice(2), { migrations }),
  ),
)
