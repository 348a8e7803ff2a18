// The commands of server/cli/database.ts from a terminal: set-up when needed, then the built code.
import { pathToFileURL } from 'node:url'
import { command, inHouse, say, Stop } from './house.mjs'
import { setUp } from './setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true })
  /** @type {typeof import('./database.ts')} */
  const { runDatabaseCommand } = await import(pathToFileURL(inHouse('dist/server/database.mjs')).href)
  const [name] = process.argv.slice(2)
  if (name !== 'migrate' && name !== 'seed' && name !== 'reset') throw new Stop('migrate, seed ou reset')
  const options = { migrations: inHouse('supabase/migrations'), isConfirmed: process.argv.includes('--yes') }
  try {
    say(await runDatabaseCommand(name, options))
  } catch (error) {
    if (error instanceof Error && error.name === 'PortalError') throw new Stop(error.message)
    throw error
  }
})
