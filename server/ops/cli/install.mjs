// Checks Node's version and whether node_modules has what is needed as package-lock.json has it; runs npm if not.
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { matches, withoutTests } from './packages.mjs'
import { inRoot, run, say, Stop } from './root.mjs'

/**
 * @typedef {import('./packages.mjs').Lockfile} Lockfile
 * @typedef {import('./packages.mjs').Need} Need
 */

/** Stops on a Node older than package.json's `engines`. */
export async function checkNode() {
  const { engines } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))
  if (!isNodeIn(process.versions.node, engines.node))
    throw new Stop(
      `O portal precisa do Node.js ${engines.node}; este é o ${process.versions.node}. Atualize em https://nodejs.org`,
    )
}

/**
 * The two forms that `engines` uses: `^20.19.0` (that major only) and `>=22.12.0`, joined by `||`.
 * @param {string} version
 * @param {string} range
 */
export function isNodeIn(version, range) {
  const actual = version.split('.').map(Number)
  return range.split('||').some((part) => {
    const [, sign, numbers = ''] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(part) ?? []
    const least = numbers.split('.').map(Number)
    if (sign === '^' && actual[0] !== least[0]) return false
    const at = least.findIndex((number, index) => number !== actual[index])
    return sign !== undefined && (at === -1 || Number(actual[at]) > Number(least[at]))
  })
}

/** npm writes its record of node_modules last, so an interrupted install has none. @param {Need} need */
export async function isInstalled(need) {
  const [wanted, placed] = await Promise.all([
    readLockfile(inRoot('package-lock.json')),
    readLockfile(inRoot('node_modules/.package-lock.json')),
  ])
  return wanted !== null && placed !== null && matches(wanted, placed, need)
}

/**
 * @param {string} file
 * @returns {Promise<Lockfile | null>}
 */
async function readLockfile(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    // Missing or truncated: in both cases nothing reliable is installed.
    return null
  }
}

/**
 * A build needs three quarters of the packages: the others are added by the first command that needs them.
 * @param {Exclude<Need, 'run'>} need
 */
export async function install(need) {
  say('Instalando as dependências (npm ci)…')
  if (need === 'build') await installForBuild()
  // Adds what is missing, and leaves the rest and the lockfile as they are.
  else if (await isInstalled('build')) await npm(['install', '--no-save'])
  else await npm(['ci'])
}

/** npm installs a whole lockfile only, so it gets a smaller one, in a folder of its own. */
async function installForBuild() {
  const folder = inRoot('.cache/install')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(inRoot(name), 'utf8'))
  const { manifest, lockfile } = withoutTests(await read('package.json'), await read('package-lock.json'))
  await Promise.all([
    writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest)),
    writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lockfile)),
    copyFile(inRoot('.npmrc'), path.join(folder, '.npmrc')),
  ])
  await npm(['ci'], folder)
  await rm(inRoot('node_modules'), { recursive: true, force: true })
  await rename(path.join(folder, 'node_modules'), inRoot('node_modules'))
  await rm(folder, { recursive: true })
}

/**
 * Includes development packages regardless of NODE_ENV, because the build needs them.
 * @param {readonly string[]} words
 * @param {string} [folder]
 */
async function npm(words, folder = inRoot()) {
  const own = process.env['npm_execpath']
  const args = [...words, '--include=dev', '--include=optional']
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  const code =
    own && path.basename(own) === 'npm-cli.js'
      ? await run(process.execPath, [own, ...args], options)
      : await run('npm', args, { ...options, shell: process.platform === 'win32' })
  if (code === 127)
    throw new Stop('O npm não foi encontrado: instale-o junto com o Node.js, em https://nodejs.org')
  if (code !== 0) throw new Stop('Não foi possível instalar as dependências: veja o erro do npm acima.')
}
