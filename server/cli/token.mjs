// The command of server/cli/token.ts from a terminal: set-up when needed, then the built code.
import { pathToFileURL } from 'node:url'
import { command, inHouse, say, Stop } from './house.mjs'
import { setUp } from './setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true })
  /** @type {typeof import('./token.ts')} */
  const { runTokenCommand } = await import(pathToFileURL(inHouse('dist/server/token.mjs')).href)
  try {
    say(await runTokenCommand(process.argv.slice(2), { migrations: inHouse('supabase/migrations') }))
  } catch (error) {
    if (error instanceof Error && error.name === 'PortalError') throw new Stop(error.message)
    throw error
  }
})
