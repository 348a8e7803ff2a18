// Runs the command of server/ops/cli/token.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('token.mjs', (/** @type {typeof import('./token.ts')} */ { runTokenCommand }) =>
    runTokenCommand(process.argv.slice(2), { schemaFolder }),
  ),
)
