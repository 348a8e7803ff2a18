// `npm run backup` and `npm run restore -- FILE`: runs server/ops/cli/backup.ts from a terminal.
import { schemaFolder, readVersion, runBuilt } from '../build/built.mjs'
import { command, Stop } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('backup.mjs', async (/** @type {typeof import('./backup.ts')} */ { runBackup, runRestore }) => {
    const [name, file] = process.argv.slice(2)
    if (name === 'backup' && file === undefined) return runBackup({ version: await readVersion() })
    if (name === 'restore' && file !== undefined) return runRestore(file, { schemaFolder })
    throw new Stop('npm run backup\nnpm run restore -- ARQUIVO (um de data/backups, com o portal parado)')
  }),
)
