// `npm run move -- --to DATABASE_URL`: runs server/ops/cli/move.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('move.mjs', (/** @type {typeof import('./move.ts')} */ { runMove }) =>
    runMove(process.argv.slice(2), { schemaFolder }),
  ),
)
