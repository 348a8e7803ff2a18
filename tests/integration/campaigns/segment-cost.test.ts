// What a question over ten thousand leads costs: it reads each lead a fixed number of times, however many there are.
import { expect } from 'vitest'
import { seedLeads } from '#tests/support/bulk.ts'
import { onPostgres, openBase } from '#tests/support/database.ts'
import { makeBroker } from '#tests/support/make.ts'

const { db } = await openBase()
const WIDE = JSON.stringify({
  stages: ['new', 'conversa', 'negociacao'],
  tags: [],
  contact: ['never-contacted', 'never-answered'],
  visit: [],
  quietDays: 1,
})

type Plan = { 'QUERY PLAN': { Plan: Record<string, number> }[] }

/** Blocks that the statement touched, with those of the functions that it calls. */
async function blocksOf(question: string): Promise<number> {
  const { rows } = await db.query<Plan>(
    `explain (analyze, buffers, format json) select count(*) from portal.segment_people(portal.segment_question('${question}'), 10, now())`,
  )
  const plan = rows[0]!['QUERY PLAN'][0]!.Plan
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

// PGlite answers with the same plans, but does not tell its blocks through this driver.
onPostgres.test('four times the leads touch about four times the blocks, and few for each', async () => {
  const { instanceName } = await makeBroker(db)
  await seedLeads(db, { instanceName, count: 2_500, seed: 1 })
  const few = [await blocksOf('{}'), await blocksOf(WIDE)]
  await seedLeads(db, { instanceName, count: 7_500, seed: 2 })
  const many = [await blocksOf('{}'), await blocksOf(WIDE)]
  for (const [index, blocks] of many.entries()) {
    expect(blocks).toBeLessThan(6 * few[index]!)
    expect(blocks / 10_000).toBeLessThan(40)
  }
})
