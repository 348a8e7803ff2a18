// Says which modules of the app the build puts into one file. A file is a moment of the page: a weak signal pays for each request, and
// files compressed together are smaller. The app's own dynamic imports say what belongs to a moment.
import path from 'node:path'
import { inRoot } from '../cli/root.mjs'

/** @typedef {{ importedIds: readonly string[], dynamicallyImportedIds: readonly string[] }} ModuleInfo */
/** @typedef {{ getModuleInfo: (id: string) => ModuleInfo | null }} Graph */

/** @param {string} file */
const inApp = (file) => inRoot(path.join('src', file)).split(path.sep).join('/')

/** Imports the two below dynamically, and loads nothing else by itself. */
const PAGE_SCRIPT = inApp('start.ts')
const APP = inApp('main.tsx')
const BROKER_SCREENS = inApp('app/broker-screens.ts')
/** A module that imports it shows its dynamic imports by itself, once the first screen is painted. */
const ARRIVAL = inApp('ui/arrival.ts')
/** Every other screen has a file of its own. */
const SCREENS = inApp('routes')
/** What other screens share, an icon or a small rule each. */
const SHARED = { name: 'shared', test: /\/(src\/(ui|domain)|lucide-react)\//, maxModuleSize: 4_000 }

/** The groups for one build. Each takes along what its modules import, unless a group before it has that already. */
export function moments() {
  /** @type {ReturnType<typeof laterParts> | undefined} */
  let later
  /** @param {'arrivals' | 'presses'} when */
  const laterGroup = (when) => ({
    /** @param {string} id @param {Graph} graph */
    name: (id, graph) => ((later ??= laterParts(graph))[when].has(id) ? when : null),
  })
  return [
    { name: 'start', test: only(PAGE_SCRIPT) },
    { name: 'app', test: only(APP) },
    { name: 'board', test: only(BROKER_SCREENS) },
    laterGroup('arrivals'),
    laterGroup('presses'),
    { ...SHARED, minShareCount: 2 },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }))
}

/** @param {string} module */
const only = (module) => (/** @type {string} */ id) => id === module

/**
 * What the first screens import dynamically: `arrivals` come by themselves, `presses` when somebody asks for them.
 * @param {Graph} graph
 */
function laterParts(graph) {
  const first = new Set([APP, BROKER_SCREENS])
  /** @type {Set<string>} */
  const arrivals = new Set()
  /** @type {Set<string>} */
  const presses = new Set()
  for (const id of first) {
    const { importedIds, dynamicallyImportedIds } = graph.getModuleInfo(id) ?? NO_IMPORTS
    for (const imported of importedIds) first.add(imported)
    const parts = importedIds.includes(ARRIVAL) ? arrivals : presses
    for (const imported of dynamicallyImportedIds)
      if (imported.startsWith(inApp('')) && path.posix.dirname(imported) !== SCREENS) parts.add(imported)
    // What arrivals load by themselves arrives with them.
    for (const part of arrivals) first.add(part)
  }
  return { arrivals, presses }
}

/** @type {ModuleInfo} */
const NO_IMPORTS = { importedIds: [], dynamicallyImportedIds: [] }
