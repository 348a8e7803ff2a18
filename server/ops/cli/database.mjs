// Runs the commands of server/ops/cli/database.ts from a terminal.
import { schemaFolder, runBuilt } from '../build/built.mjs'
import { command, Stop } from './root.mjs'

await command(import.meta.url, () =>
  runBuilt('database.mjs', async (/** @type {typeof import('./database.ts')} */ { runDatabaseCommand }) => {
    const [name] = process.argv.slice(2)
    if (name !== 'migrate' && name !== 'seed' && name !== 'reset') throw new Stop('migrate, seed ou reset')
    return runDatabaseCommand(name, {
      schemaFolder,
      isConfirmed: process.argv.includes('--yes'),
      allowsEarlier: process.argv.includes('--earlier'),
    })
  }),
)
