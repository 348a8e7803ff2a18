// Runs the command of server/ops/cli/admin.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('admin.mjs', (/** @type {typeof import('./admin.ts')} */ { runAdminCommand }) =>
    runAdminCommand(process.argv.slice(2), { schemaFolder }),
  ),
)
