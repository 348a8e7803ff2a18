// `npm run test:mutations [-- number …]` breaks the product in twenty known ways, one at a time. It prints which phase
// of `npm test` failed and after how many seconds. A mutation that no phase notices is a gap in the tests.
import { readFile, writeFile } from 'node:fs/promises'
import { command, inRoot, say, Stop } from '#server/ops/cli/root.mjs'
import { MUTATIONS } from './mutation-list.mjs'
import { QUICK_PHASES } from './support/runner/phases.mjs'
import { isTreeClean, openRecord } from './support/runner/proof-record.mjs'
import { runPhases } from './support/runner/runners.mjs'

/** @typedef {import('./mutation-list.mjs').Mutation} Mutation */

/**
 * Runs `body` while the mutated text stands in the file, then restores the file.
 * @template T
 * @param {Mutation} mutation
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
async function whileBroken(mutation, body) {
  const { file, from, to } = mutation
  const place = inRoot(file)
  const text = await readFile(place, 'utf8')
  if (text.split(from).length !== 2) throw new Stop(`${file} não tem uma vez só: ${from}`)
  try {
    // A replacer function, because `$` in a replacement string is a pattern.
    await writeFile(
      place,
      text.replace(from, () => to),
    )
    return await body()
  } finally {
    await writeFile(place, text)
  }
}

/**
 * The first phase that fails, or null. The expected phase runs first, to save time.
 * @param {Mutation} mutation
 */
async function redPhaseOf({ expected }) {
  for (const name of [expected, ...QUICK_PHASES.filter((phase) => phase !== expected)]) {
    const { failed, failures } = await runPhases([name])
    if (failed > 0) return { name, failure: failures?.[0] ?? '' }
  }
  return null
}

await command(import.meta.url, async () => {
  if (!isTreeClean()) throw new Stop('Há mudanças sem commit: as mutações são feitas nos próprios arquivos.')
  // The configurations stop at the first failure, and leave out tests that compare the sources with each other.
  process.env['TEST_MUTATED'] = '1'
  const wanted = process.argv.slice(2).filter((word) => word !== '--')
  const record = await openRecord('mutations')
  for (const [index, mutation] of MUTATIONS.entries()) {
    const number = index + 1
    const name = `${number}. ${mutation.what}`
    if (wanted.length > 0 ? !wanted.includes(String(number)) : record.results[name]) continue
    say(`\n══ ${name}`)
    const startedAt = Date.now()
    const red = await whileBroken(mutation, () => redPhaseOf(mutation))
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    say(`══ ${name}: ${red ? `vermelho em ${red.name}, ${red.failure}` : 'VERDE'}, ${seconds} s`)
    await record.add(name, {
      counts: red ? { passed: 0, failed: 1, skipped: 0 } : { passed: 1, failed: 0, skipped: 0 },
      seconds,
      words: red ? `red in ${red.name}` : 'GREEN',
    })
  }
  record.print()
  if (Object.values(record.results).some(({ counts }) => counts.failed === 0)) process.exitCode = 1
})
