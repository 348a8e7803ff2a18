// Decides which modules of the app share a chunk. Modules needed at the same moment are one file, because a weak signal
// pays for each request and larger files compress better. The app's dynamic imports say what is needed when.
import path from 'node:path'
import { inRoot } from '../cli/root.mjs'
import { isOutside } from './pwa.mjs'

/** @typedef {{ importedIds: readonly string[], dynamicallyImportedIds: readonly string[] }} ModuleInfo */
/** @typedef {{ getModuleInfo: (id: string) => ModuleInfo | null }} Graph */

/** @param {string} file */
const inApp = (file) => inRoot(path.join('src', file)).split(path.sep).join('/')

/** Imports the next two dynamically, and loads nothing else. */
const PAGE_SCRIPT = inApp('start.ts')
const APP = inApp('main.tsx')
const BROKER_SCREENS = inApp('app/broker-start.ts')
/** A touched card waits for this one alone. */
const CONVERSATION = inApp('features/conversation/conversation-dialog.tsx')
/** A module that imports this one loads its dynamic imports by itself after the first paint. */
const ARRIVAL = inApp('ui/arrival.ts')
/** Every other screen has a chunk of its own. */
const SCREENS = inApp('routes')
/** Screens name the sheets that they need. */
const SHEETS = inApp('styles/')
/** A broker's other screens open in a new tab, too, where all that they load delays the first row. */
const BROKER_OTHERS = ['broker-today.tsx', 'broker-remarketing.tsx'].map((file) => `${SCREENS}/${file}`)
/** Small modules that several screens share, such as an icon or a rule. */
const SHARED = {
  test: /\/(src\/(ui|domain|data)|lucide-react)\/|\/src\/features\/[\w-]+\/(texts|account-screens)\.ts/,
  maxModuleSize: 4_000,
}

/** The chunk groups of one build. Each includes what its modules import, unless an earlier group has that already. */
export function moments() {
  /** @type {ReturnType<typeof laterParts> | undefined} */
  let later
  /** @type {ReadonlySet<string> | undefined} */
  let screens
  /** @type {ReadonlySet<string> | undefined} */
  let kept
  /** @param {'arrivals' | 'presses'} when */
  const laterGroup = (when) => ({
    /** @param {string} id @param {Graph} graph */
    name: (id, graph) => ((later ??= laterParts(graph))[when].has(id) ? when : null),
  })
  return [
    { name: 'start', test: only(PAGE_SCRIPT) },
    { name: 'app', test: only(APP) },
    { name: 'board', test: only(BROKER_SCREENS) },
    { name: 'conversation', test: only(CONVERSATION) },
    // So that these screens bring no later parts, but only what they share with them.
    {
      name: (/** @type {string} */ id, /** @type {Graph} */ graph) =>
        !id.startsWith(SHEETS) && (screens ??= importedBy(BROKER_OTHERS, graph)).has(id) ? 'screens' : null,
      minShareCount: 2,
    },
    laterGroup('arrivals'),
    laterGroup('presses'),
    // A broker's screen must not need a chunk that the device does not keep, so what it shares has a chunk of its own.
    {
      ...SHARED,
      name: (/** @type {string} */ id, /** @type {Graph} */ graph) =>
        (kept ??= keptParts(graph)).has(id) ? 'kept' : 'shared',
      minShareCount: 2,
    },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }))
}

/** @param {string} module */
const only = (module) => (/** @type {string} */ id) => id === module

/**
 * The dynamic imports of the first screens: `arrivals` load by themselves, `presses` on demand.
 * @param {Graph} graph
 */
function laterParts(graph) {
  const first = new Set([APP, BROKER_SCREENS, CONVERSATION])
  /** @type {Set<string>} */
  const arrivals = new Set()
  /** @type {Set<string>} */
  const presses = new Set()
  for (const id of first) {
    const { importedIds, dynamicallyImportedIds } = graph.getModuleInfo(id) ?? NO_IMPORTS
    for (const imported of importedIds) first.add(imported)
    const parts = importedIds.includes(ARRIVAL) ? arrivals : presses
    for (const imported of dynamicallyImportedIds) if (isPart(imported)) parts.add(imported)
    // A chunk that an arrival loads by itself counts as part of the arrival.
    for (const part of arrivals) first.add(part)
  }
  return { arrivals, presses }
}

/** The modules that these need at once. @param {readonly string[]} modules @param {Graph} graph */
function importedBy(modules, graph) {
  const found = new Set(modules)
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

/** All modules that a broker may need without a signal. @param {Graph} graph */
function keptParts(graph) {
  const found = new Set([PAGE_SCRIPT])
  for (const id of found) {
    const { importedIds, dynamicallyImportedIds } = graph.getModuleInfo(id) ?? NO_IMPORTS
    for (const next of [...importedIds, ...dynamicallyImportedIds]) if (!isOutside(next)) found.add(next)
  }
  return found
}

/** Parts outside the shell have chunks of their own. @param {string} id */
const isPart = (id) => id.startsWith(inApp('')) && path.posix.dirname(id) !== SCREENS && !isOutside(id)

/** @type {ModuleInfo} */
const NO_IMPORTS = { importedIds: [], dynamicallyImportedIds: [] }
