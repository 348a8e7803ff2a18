// Keeps the assets of the last two releases in dist/releases, for tabs that still run them.
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'

const NUMBERS = ['1', '2']

/**
 * Copies the assets that only earlier releases have into `wanted`, one folder each, the newest as `1`.
 * @param {{ next: string, current: string, earlier: string, wanted: string }} folders assets of the next release and
 * of the current one; the earlier releases stored so far, and their new place
 */
export async function keepReleases({ next, current, earlier, wanted }) {
  const known = new Set(await namesIn(next))
  const free = [...NUMBERS]
  for (const folder of [current, ...NUMBERS.map((number) => path.join(earlier, number))]) {
    const own = (await namesIn(folder)).filter((name) => !known.has(name))
    // A rebuild of the same sources, or an interrupted build, is no release.
    if (own.length === 0) continue
    const number = free.shift()
    if (number === undefined) return
    const target = path.join(wanted, number)
    await mkdir(target, { recursive: true })
    await Promise.all(own.map((name) => copyFile(path.join(folder, name), path.join(target, name))))
    for (const name of own) known.add(name)
  }
}

/** Empty if there is no such folder. @param {string} folder */
const namesIn = (folder) =>
  readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
