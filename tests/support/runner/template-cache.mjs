// The cache of prepared test databases: folders named by a hash of their sources.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { filesUnder } from '#server/ops/build/freshness.mjs'
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
  const hash = createHash('sha256')
  for (const place of [...MADE_OF, ...also])
    for (const file of await filesUnder(inRoot(place))) hash.update(`${file}\0`).update(await readFile(file))
  const name = `${kind}-${hash.digest('hex').slice(0, 16)}`
  await mkdir(CACHE, { recursive: true })
  for (const other of await readdir(CACHE))
    if (other.startsWith(`${kind}-`) && !other.startsWith(name))
      await rm(path.join(CACHE, other), { recursive: true, force: true })
  return path.join(CACHE, name)
}
