// Writes the licence texts of everything that runs or reaches a browser into one file, because most licences require
// it. Served at /licencas.txt.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { listPackages } from '../cli/packages.mjs'
import { inRoot } from '../cli/root.mjs'

const NAME = /^(licen[cs]e|copying|notice|ofl)/i
const RULE = '\n' + '-'.repeat(78) + '\n'

/** @param {string} file where it goes */
export async function writeNotices(file) {
  const lockfile = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  const shipped = listPackages(lockfile).filter(({ isShipped }) => isShipped)
  const notices = await Promise.all(
    shipped.map(async ({ name, version, licence, places }) => {
      const texts = await textsIn(places.map((place) => inRoot(place)))
      return [`${name} ${version} (${licence})`, ...texts].join('\n\n')
    }),
  )
  await writeFile(file, notices.join(RULE) + '\n')
}

/**
 * From the first of these folders that exists; a package for another machine has none.
 * @param {readonly string[]} folders
 * @returns {Promise<string[]>}
 */
async function textsIn([folder, ...others]) {
  if (folder === undefined) return []
  const names = await readdir(folder).catch(() => null)
  if (names === null) return textsIn(others)
  const texts = names.filter((name) => NAME.test(name)).toSorted()
  return Promise.all(texts.map(async (name) => (await readFile(path.join(folder, name), 'utf8')).trim()))
}
