// Checks Node's version and whether node_modules matches package-lock.json; runs `npm ci` if not.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inRoot, run, say, Stop } from './root.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Locked
 * @typedef {{ packages?: Record<string, Locked> }} Lockfile
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

/**
 * Whether node_modules matches the lockfile completely, for this machine. npm writes its record last,
 * so an interrupted install has none. `toRun`: packages needed only for a build may be missing, as in a container
 * image.
 */
export async function isInstalled({ toRun = false } = {}) {
  const [wanted, placed] = await Promise.all([
    readLockfile(inRoot('package-lock.json')),
    readLockfile(inRoot('node_modules/.package-lock.json')),
  ])
  return wanted !== null && placed !== null && matches(toRun ? withoutDev(wanted, placed) : wanted, placed)
}

/**
 * @param {Lockfile} wanted
 * @param {Lockfile} placed
 */
export function matches({ packages: wanted = {} }, { packages: placed = {} }) {
  const isSame = Object.entries(wanted).every(([place, entry]) => {
    const found = placed[place]
    if (place === '') return true
    if (found) return found.version === entry.version && found.integrity === entry.integrity
    // npm omits packages for other machines, and their dependencies.
    return entry.optional === true && !isForThisMachineOnly(entry)
  })
  return isSame && Object.entries(placed).every(([place, entry]) => place in wanted && fitsThisMachine(entry))
}

/**
 * The lockfile without development packages that are not installed.
 * @param {Lockfile} wanted
 * @param {Lockfile} placed
 * @returns {Lockfile}
 */
export const withoutDev = ({ packages: wanted = {} }, { packages: placed = {} }) => ({
  packages: Object.fromEntries(
    Object.entries(wanted).filter(([place, entry]) => entry.dev !== true || place in placed),
  ),
})

/** @param {Locked} entry */
const fitsThisMachine = ({ os, cpu }) => allows(os, process.platform) && allows(cpu, process.arch)

/** A package that also names a C library may be for this machine's other one. @param {Locked} entry */
const isForThisMachineOnly = (entry) => Boolean(entry.os) && !entry.libc && fitsThisMachine(entry)

/**
 * @param {string[] | undefined} list such as ['linux'] or ['!win32']
 * @param {string} value
 */
const allows = (list, value) =>
  !list || list.includes(value) || (list.every((name) => name.startsWith('!')) && !list.includes(`!${value}`))

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

/** Includes development packages regardless of NODE_ENV, because the build needs them. */
export async function install() {
  say('Instalando as dependências (npm ci)…')
  const npm = process.env['npm_execpath']
  const args = ['ci', '--include=dev', '--include=optional']
  const code =
    npm && path.basename(npm) === 'npm-cli.js'
      ? await run(process.execPath, [npm, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
      : await run('npm', args, {
          stdio: ['ignore', 'ignore', 'inherit'],
          shell: process.platform === 'win32',
        })
  if (code === 127)
    throw new Stop('O npm não foi encontrado: instale-o junto com o Node.js, em https://nodejs.org')
  if (code !== 0) throw new Stop('Não foi possível instalar as dependências: veja o erro do npm acima.')
}
