// `npm run move -- --to DATABASE_URL`: server/cli/move.ts from a terminal.
import { migrations, runBuilt } from './built.mjs'
import { command } from './house.mjs'

await command(import.meta.url, () =>
  runBuilt('move.mjs', (/** @type {typeof import('./move.ts')} */ { runMove }) =>
    runMove(process.argv.slice(2), { migrations }),
  ),
)
