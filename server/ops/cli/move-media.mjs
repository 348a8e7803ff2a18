// `npm run move-media [-- --back]`: server/ops/cli/move-media.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command, say } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('move-media.mjs', (/** @type {typeof import('./move-media.ts')} */ { runMoveMedia }) =>
    runMoveMedia(process.argv.slice(2), { schemaFolder, say }),
  ),
)
