// `npm test [-- changed | phase … | filter …]` and `npm run test:deep [-- part … | filter …]`: sets up, runs, and ends
// with one line of counts.
import { availableParallelism } from 'node:os'
import { build } from '#server/ops/build/build.mjs'
import { isBuilt } from '#server/ops/build/freshness.mjs'
import { command, say, Stop } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'
import { withSetupLock } from '#server/ops/cli/setup-lock.mjs'
import { closingLine, sum } from './support/runner/counts.mjs'
import { planOf } from './support/runner/phases.mjs'
import { openRecord } from './support/runner/proof-record.mjs'
import { openRunners } from './support/runner/runners.mjs'
import { parseWords } from './support/runner/words.mjs'

/**
 * @typedef {import('./support/runner/counts.mjs').Counts} Counts
 * @typedef {import('./support/runner/phases.mjs').Phase} Phase
 */

/** The build runs in parallel with phases that do not need it. */
function startBuild() {
  const building = isBuilt().then((isFresh) => (isFresh ? undefined : withSetupLock(build)))
  // Phases that await the build report its failure.
  building.catch(() => undefined)
  return building
}

/** @param {number} since */
const secondsSince = (since) => Math.round((Date.now() - since) / 1000)

/**
 * @param {Phase[]} plan
 * @param {import('./support/runner/words.mjs').Words} words
 */
function announce(plan, { isDeep, filters, isChangedOnly }) {
  const estimate =
    plan.reduce((total, { seconds }) => total + seconds, 0) * (2 / Math.min(4, availableParallelism()))
  const isWhole = filters.length === 0 && !isChangedOnly
  const time = isWhole ? `, uns ${Math.max(1, Math.round(estimate / 60))} min` : ''
  say(`${isDeep ? 'Prova completa' : 'Prova rápida'}: ${plan.map(({ name }) => name).join(', ')}${time}.`)
}

/** @param {string[]} args */
async function test(args) {
  const words = parseWords(args)
  const { isDeep, filters, isChangedOnly } = words
  const startedAt = Date.now()
  const plan = await planOf(words)
  if (plan.length === 0) throw new Stop('Nada a rodar: nenhuma fase com esse nome nesta máquina.')
  announce(plan, words)
  const building = plan.some(({ needsBuild }) => needsBuild) ? startBuild() : Promise.resolve()
  const isWhole = words.phases.length === 0 && filters.length === 0 && !isChangedOnly
  const record = isDeep && filters.length === 0 ? await openRecord('deep') : null
  const runners = await openRunners({ filters, isDeep, isChangedOnly })
  try {
    /** @type {Counts[]} */
    const counts = []
    for (const [index, phase] of plan.entries()) {
      const earlier = record?.results[phase.name]?.counts
      if (earlier?.failed === 0) {
        say(`\n── ${phase.name}: já passou nestas fontes (${closingLine(earlier)})`)
        counts.push(earlier)
        continue
      }
      say(`\n── ${phase.name} (${index + 1} de ${plan.length})`)
      if (phase.needsBuild) await building
      const phaseStartedAt = Date.now()
      const count = await runners.run(phase)
      const seconds = secondsSince(phaseStartedAt)
      say(`── ${phase.name}: ${closingLine(count)} em ${seconds} s`)
      counts.push(count)
      await record?.add(phase.name, { counts: count, seconds })
    }
    // At the end, where it is read first.
    if (runners.failures.length > 0) say(`\nFalharam:\n${runners.failures.join('\n')}`)
    const total = sum(counts)
    if (isWhole) await record?.print()
    say(`\nEm ${secondsSince(startedAt)} s:\n${closingLine(total)}`)
    if (total.failed > 0) process.exitCode = 1
  } finally {
    await runners.close()
  }
}

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: false })
  await test(process.argv.slice(2))
})
