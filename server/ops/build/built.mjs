// Runs an operator's command from a terminal: set-up if needed, then the built code, whose result is printed.
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { inRoot, say, Stop } from '../cli/root.mjs'
import { setUp } from '../cli/setup.mjs'

/**
 * @template Module
 * @param {string} name of the file in dist/server
 * @param {(module: Module) => Promise<string>} run
 */
export async function runBuilt(name, run) {
  await setUp({ isBuildWanted: true, need: 'build' })
  const module = await import(pathToFileURL(inRoot('dist/server', name)).href)
  try {
    say(await run(module))
  } catch (error) {
    if (error instanceof Error && error.name === 'PortalError') throw new Stop(error.message)
    throw error
  }
}

export const schemaFolder = inRoot('supabase')

export const readVersion = async () => JSON.parse(await readFile(inRoot('package.json'), 'utf8')).version
