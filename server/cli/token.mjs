// The command of server/cli/token.ts from a terminal.
import { migrations, runBuilt } from './built.mjs'
import { command } from './house.mjs'

await command(import.meta.url, () =>
  runBuilt('token.mjs', (/** @type {typeof import('./token.ts')} */ { runTokenCommand }) =>
    runTokenCommand(process.argv.slice(2), { migrations }),
  ),
)
