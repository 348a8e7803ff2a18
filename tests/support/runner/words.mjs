// Parses the words after `npm test` and `npm run test:deep`.
import { parseArgs } from 'node:util'
import { Stop } from '#server/ops/cli/root.mjs'
import { DEEP_PARTS, PHASES_OF_WORD, QUICK_PHASES } from './phases.mjs'

/** @typedef {{ isDeep: boolean, isChangedOnly: boolean, phases: string[], filters: string[] }} Words */

const USE = `Uso: npm test [-- changed | fase … | arquivo …]; as fases são ${Object.keys(QUICK_PHASES).join(', ')}.`

/** @param {string[]} args */
function read(args) {
  try {
    return parseArgs({
      args,
      options: { deep: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
  } catch {
    throw new Stop(USE)
  }
}

/**
 * A word that names no phase filters file names. Throws Stop for an unknown option.
 * @param {string[]} args
 * @returns {Words}
 */
export function parseWords(args) {
  const { values, positionals } = read(args)
  const known = values.deep ? DEEP_PARTS : QUICK_PHASES
  const isKnown = (/** @type {string} */ word) => word in known || word in PHASES_OF_WORD
  const words = positionals.filter((word) => word !== '--' && word !== 'changed')
  return {
    isDeep: values.deep,
    isChangedOnly: positionals.includes('changed'),
    phases: words.filter(isKnown),
    filters: words.filter((word) => !isKnown(word)),
  }
}
