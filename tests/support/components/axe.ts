// What axe finds on the screen as it stands.
import axe from 'axe-core'
import { expect } from 'vitest'
import { isAtRest } from '../at-rest.ts'

/** Fails with each violation's rule and place. */
export async function expectAccessible() {
  // What fades in has its colours at the end.
  await expect.poll(isAtRest).toBe(true)
  const { violations } = await axe.run()
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    ),
  ).toEqual([])
}
