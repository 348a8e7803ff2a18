// What the words after `npm test` and `npm run test:deep` mean.
import { parseArgs } from 'node:util'
import { DEEP_PARTS, PHASES_OF_WORD, QUICK_PHASES } from './phases.mjs'

/** @typedef {{ isDeep: boolean, isChangedOnly: boolean, phases: string[], filters: string[] }} Words */

/**
 * A word that names no phase is a filter of file names.
 * @param {string[]} args
 * @returns {Words}
 */
export function parseWords(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { deep: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
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
