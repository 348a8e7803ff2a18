// `npm test [-- changed | phase … | filter …]` and `npm run test:deep [-- part … | filter …]`: runs the phases, and ends
// with one line of counts.
import { availableParallelism } from 'node:os'
import { command, say, Stop } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'
import { closingLine, sum } from './support/runner/counts.mjs'
import { findPostgres } from './support/runner/native-postgres.mjs'
import { parseWords, phasesOf, runsOf } from './support/runner/phases.mjs'
import { openRecord } from './support/runner/proof-record.mjs'
import { openRunners } from './support/runner/runners.mjs'
import { findFirefox, findWebKit } from './support/other-browsers/programs.mjs'

/** @param {number} since */
export const secondsSince = (since) => Math.round((Date.now() - since) / 1000)

/** The counts of all phases for these words. @param {string[]} args */
export async function test(args) {
  const words = parseWords(args)
  const startedAt = Date.now()
  const plan = phasesOf(words, {
    hasPostgres: (await findPostgres()) !== null,
    hasWebKit: (await findWebKit()) !== null,
    hasFirefox: (await findFirefox()) !== null,
  })
  if (plan.length === 0) throw new Stop('Nada a rodar: nenhuma fase com esse nome nesta máquina.')
  const isFiltered = words.filters.length > 0 || words.isChangedOnly
  const estimate = sumOf(plan.map(({ seconds }) => seconds)) * (2 / Math.min(4, availableParallelism()))
  const time = isFiltered ? '' : `, uns ${Math.max(1, Math.round(estimate / 60))} min`
  const tier = words.isDeep ? 'Prova completa' : 'Prova rápida'
  say(`${tier}: ${plan.map(({ name }) => name).join(', ')}${time}.`)
  const record = words.isDeep && !isFiltered ? await openRecord('deep') : null
  const runners = await openRunners(words)
  const counts = []
  try {
    for (const phases of runsOf(plan, words.isDeep)) {
      const name = phases.map((phase) => phase.name).join(', ')
      const earlier = record?.results[name]?.counts
      if (earlier?.failed === 0) {
        say(`\n── ${name}: já passou nestas fontes (${closingLine(earlier)})`)
        counts.push(earlier)
        continue
      }
      say(`\n── ${name}`)
      const runStartedAt = Date.now()
      const count = await runners.run(phases)
      const seconds = secondsSince(runStartedAt)
      say(`── ${name}: ${closingLine(count)} em ${seconds} s`)
      counts.push(count)
      await record?.add(name, { counts: count, seconds })
    }
  } finally {
    await runners.close()
  }
  // At the end, where it is read first.
  if (runners.failures.length > 0) say(`\nFalharam:\n${runners.failures.join('\n')}`)
  const total = sum(counts)
  if (words.phases.length === 0) await record?.print()
  say(`\nEm ${secondsSince(startedAt)} s:\n${closingLine(total)}`)
  return total
}

/** @param {number[]} parts */
const sumOf = (parts) => parts.reduce((total, part) => total + part, 0)

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: false })
  if ((await test(process.argv.slice(2))).failed > 0) process.exitCode = 1
})
