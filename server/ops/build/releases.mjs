// Keeps the assets of the last two releases, for tabs that still run them: dist/releases, apart from the app.
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'

const NUMBERS = ['1', '2']

/**
 * Copies what only earlier releases have into `wanted`, a folder each, the newest as `1`.
 * @param {{ next: string, current: string, earlier: string, wanted: string }} folders assets of the release to come and
 *   of the one in place; the earlier releases kept so far, and as they are to be
 */
export async function keepReleases({ next, current, earlier, wanted }) {
  const known = new Set(await namesIn(next))
  const free = [...NUMBERS]
  for (const folder of [current, ...NUMBERS.map((number) => path.join(earlier, number))]) {
    const own = (await namesIn(folder)).filter((name) => !known.has(name))
    // The same sources built again, or a build that was cut off half way, are no release.
    if (own.length === 0) continue
    const number = free.shift()
    if (number === undefined) return
    const target = path.join(wanted, number)
    await mkdir(target, { recursive: true })
    await Promise.all(own.map((name) => copyFile(path.join(folder, name), path.join(target, name))))
    for (const name of own) known.add(name)
  }
}

/**
 * None where there is no such folder.
 * @param {string} folder
 */
const namesIn = (folder) =>
  readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
