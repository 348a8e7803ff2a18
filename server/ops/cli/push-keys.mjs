// Runs the command of server/ops/cli/push-keys.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('push-keys.mjs', (/** @type {typeof import('./push-keys.ts')} */ { runPushKeysCommand }) =>
    runPushKeysCommand(process.argv.slice(2), { schemaFolder }),
  ),
)
