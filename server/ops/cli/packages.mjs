// What the lockfile says: which packages ship, which a build needs, and whether node_modules has those it needs.

/**
 * @typedef {{
 *   version?: string, integrity?: string, license?: string, dev?: boolean, optional?: boolean, link?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Locked
 * @typedef {Record<string, Locked>} Packages by place, such as 'node_modules/a/node_modules/b'; '' is this project
 * @typedef {{ packages?: Packages }} Lockfile
 * @typedef {'run' | 'build' | 'test'} Need what the packages are for: the built portal, also building it, or everything
 * @typedef {{ name: string, version: string, licence: string, isShipped: boolean, places: string[] }} Package `places`: where it lies
 */

/** Development packages that are built into the product, so they are installed only for a build. */
const BUNDLED = ['@supabase/supabase-js', 'lucide-react', 'valibot']
/** Development packages without which nothing can be built; all others are for tests and checks. */
export const BUILT_WITH = [
  ...BUNDLED,
  '@tailwindcss/vite',
  '@vitejs/plugin-react',
  'rolldown',
  'tailwindcss',
  'vite',
  'vite-plugin-pwa',
  'workbox-build',
]

/** Packages that declare no licence, by name and version, with the licence of their LICENSE file. */
const UNDECLARED = new Map([['png-js 2.0.0', 'MIT']])

/**
 * Whether node_modules has what is needed, all of it as locked, and nothing else. npm omits packages for other
 * machines, and their dependencies.
 * @param {Lockfile} wanted
 * @param {Lockfile} placed
 * @param {Need} need
 */
export function matches({ packages: wanted = {} }, { packages: placed = {} }, need) {
  const needed = need === 'build' ? placesOf(wanted, namesForBuild(wanted)) : new Set(Object.keys(wanted))
  const isComplete = [...needed].every((place) => {
    const { dev, optional, link, ...entry } = wanted[place] ?? {}
    if (place in placed || place === '' || link || (need === 'run' && dev)) return true
    return optional === true && !isForThisMachineOnly(entry)
  })
  const isAsLocked = Object.entries(placed).every(
    ([place, { version, integrity, ...entry }]) =>
      wanted[place]?.version === version && wanted[place]?.integrity === integrity && fitsThisMachine(entry),
  )
  return isComplete && isAsLocked
}

/**
 * package.json and the lockfile without the packages that only tests and checks need.
 * @template {{ devDependencies?: Record<string, string> }} Manifest
 * @param {Manifest} manifest
 * @param {Lockfile} lockfile
 */
export function withoutTests(manifest, lockfile) {
  const packages = lockfile.packages ?? {}
  const only = ({ devDependencies = {} }) =>
    Object.fromEntries(Object.entries(devDependencies).filter(([name]) => BUILT_WITH.includes(name)))
  const kept = placesOf(packages, namesForBuild(packages))
  const { '': project = {}, ...others } = packages
  return {
    manifest: { ...manifest, devDependencies: only(manifest) },
    lockfile: {
      ...lockfile,
      packages: {
        '': { ...project, devDependencies: only(project) },
        ...Object.fromEntries(Object.entries(others).filter(([place]) => kept.has(place))),
      },
    },
  }
}

/**
 * Every package of the lockfile once, including those for other machines, by name and version.
 * @param {{ packages: Packages }} lockfile
 * @returns {Package[]}
 */
export function listPackages({ packages }) {
  const bundled = placesOf(packages, BUNDLED)
  /** @type {Map<string, Package>} */
  const found = new Map()
  for (const [place, { version = '', license, dev, link }] of Object.entries(packages)) {
    if (place === '' || link) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const key = `${name} ${version}`
    const before = found.get(key)
    found.set(key, {
      name,
      version,
      licence: license ?? UNDECLARED.get(key) ?? '',
      isShipped: dev !== true || bundled.has(place) || before?.isShipped === true,
      places: [...(before?.places ?? []), place],
    })
  }
  return [...found.values()].toSorted(
    (a, b) => compare(a.name, b.name) || a.version.localeCompare(b.version, 'en', { numeric: true }),
  )
}

/** By code unit, so that the order is the same on every machine. @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : Number(a > b))

/** @param {Packages} packages */
const namesForBuild = ({ '': { dependencies, optionalDependencies } = {} }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...BUILT_WITH,
]

/**
 * Where these packages of the project lie, with all that they need.
 * @param {Packages} packages
 * @param {readonly string[]} names
 */
function placesOf(packages, names) {
  /** @type {Set<string>} */
  const found = new Set()
  const add = (/** @type {string} */ from, /** @type {readonly string[]} */ wanted) => {
    for (const name of wanted) {
      const place = findFrom(packages, from, name)
      if (place !== null) found.add(place)
    }
  }
  add('', names)
  // A set also visits what is added meanwhile.
  for (const place of found) add(place, needsOf(packages[place] ?? {}))
  return found
}

/** @param {Locked} entry */
const needsOf = ({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta = {},
}) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
]

/**
 * Finds a package where Node would: in the importing package's own node_modules, then in those of the folders above.
 * @param {Packages} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | null}
 */
function findFrom(packages, from, name) {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (place in packages) return place
  if (from === '') return null
  return findFrom(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

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
