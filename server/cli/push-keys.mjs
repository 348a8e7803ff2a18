// The command of server/cli/push-keys.ts from a terminal.
import { migrations, runBuilt } from './built.mjs'
import { command } from './house.mjs'

await command(import.meta.url, () =>
  runBuilt('push-keys.mjs', (/** @type {typeof import('./push-keys.ts')} */ { runPushKeysCommand }) =>
    runPushKeysCommand(process.argv.slice(2), { migrations }),
  ),
)
