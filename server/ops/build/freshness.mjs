// Checks that dist was built from these sources: a hash of all build inputs is stored beside it.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { inRoot, root } from '../cli/root.mjs'

/** The build's inputs, relative to the checkout's root. */
export const INPUTS = [
  'index.html',
  'manifest.webmanifest',
  'package.json',
  'package-lock.json',
  'public',
  'server',
  'service-worker',
  'src',
  'supabase',
  'tsconfig.json',
  'vite.config.ts',
]
export const STAMP = inRoot('dist/build-stamp.txt')
/** Written by chunk-map.mjs. */
export const CHUNK_MAP = inRoot('dist/client-chunks.json')

/** The build writes the hash last, so that an interrupted build does not count. */
export async function isBuilt() {
  const stamp = await readFile(STAMP, 'utf8').catch(() => null)
  return stamp !== null && stamp === (await hashOfInputs())
}

/** The hash of what the build is made from. */
export async function hashOfInputs() {
  const hash = await hashOf(INPUTS)
  for (const name of Object.keys(process.env).toSorted())
    if (name.startsWith('VITE_')) hash.update(`${name}\0${process.env[name]}\0`)
  return hash.digest('hex')
}

/**
 * Covers names and bytes of all files below, not times, so a fresh checkout of the same sources has the same hash.
 * @param {readonly string[]} places from the checkout's root
 */
export async function hashOf(places) {
  const hash = createHash('sha256')
  for (const place of places)
    for (const file of await filesUnder(inRoot(place))) {
      const bytes = await readFile(file)
      hash.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes)
    }
  return hash
}

/**
 * The file itself, or all files below the folder, sorted; empty if nothing is there.
 * @param {string} place
 * @returns {Promise<string[]>}
 */
export async function filesUnder(place) {
  try {
    const entries = await readdir(place, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOTDIR') return [place]
    if (code === 'ENOENT') return []
    throw error
  }
}
