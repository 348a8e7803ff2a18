// The cache of prepared test databases: folders named by a hash of their sources.
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { hashOf } from '#server/ops/build/freshness.mjs'
import { inRoot } from '#server/ops/cli/root.mjs'

const CACHE = inRoot('node_modules/.cache/portal-templates')
const MADE_OF = ['supabase', 'server/db', 'tests/support/runner/global-setup.ts']

/**
 * The folder for a template with the current sources; older ones of its kind are deleted. It may not exist yet.
 * @param {string} kind
 * @param {readonly string[]} [also] what else it depends on, from the checkout's root
 * @returns {Promise<string>}
 */
export async function templateFolder(kind, also = []) {
  const name = `${kind}-${(await hashOf([...MADE_OF, ...also])).digest('hex').slice(0, 16)}`
  await mkdir(CACHE, { recursive: true })
  const older = (await readdir(CACHE)).filter((one) => one.startsWith(`${kind}-`) && !one.startsWith(name))
  for (const one of older) await rm(path.join(CACHE, one), { recursive: true, force: true })
  return path.join(CACHE, name)
}
