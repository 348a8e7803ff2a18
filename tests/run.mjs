// `npm test [-- changed | phase … | filter …]` and `npm run test:deep [-- part … | filter …]`: runs the phases, and
// ends with one line of counts.
import { command, say, Stop } from '#server/ops/cli/root.mjs'
import { setUp } from '#server/ops/cli/setup.mjs'
import { closingLine, sum } from './support/runner/counts.mjs'
import { findPostgres } from './support/runner/native-postgres.mjs'
import { planOf } from './support/runner/phases.mjs'
import { openRecord } from './support/runner/proof-record.mjs'
import { runPhases } from './support/runner/runners.mjs'
import { findFirefox, findWebKit } from './support/other-browsers/programs.mjs'

/** @param {number} since */
export const secondsSince = (since) => Math.round((Date.now() - since) / 1000)

/** The counts of all phases for these words. @param {string[]} args */
export async function test(args) {
  const startedAt = Date.now()
  const plan = planOf(args, [
    ...((await findPostgres()) ? [] : ['postgres', 'load']),
    ...((await findWebKit()) ? [] : ['webkit']),
    ...((await findFirefox()) ? [] : ['firefox']),
  ])
  if (plan.runs.length === 0) throw new Stop('Nada a rodar: nenhuma fase com esse nome nesta máquina.')
  const record = plan.isDeep && !plan.isFiltered ? await openRecord('deep') : null
  const all = []
  for (const phases of plan.runs) {
    const name = phases.join(', ')
    const earlier = record?.results[name]?.counts
    say(`\n── ${name}${earlier?.failed === 0 ? ': já passou, com estas fontes' : ''}`)
    const runStartedAt = Date.now()
    const counts = earlier?.failed === 0 ? earlier : await runPhases(phases, plan)
    if (counts !== earlier) await record?.add(name, { counts, seconds: secondsSince(runStartedAt) })
    all.push(counts)
  }
  const total = sum(all)
  // At the end, where people read first.
  if (total.failures.length > 0) say(`\nFalharam:\n${total.failures.join('\n')}`)
  record?.print()
  say(`\nEm ${secondsSince(startedAt)} s:\n${closingLine(total)}`)
  return total
}

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: false })
  if ((await test(process.argv.slice(2))).failed > 0) process.exitCode = 1
})
