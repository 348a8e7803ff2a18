// What axe finds on the screen as it stands.
import axe from 'axe-core'
import { expect } from 'vitest'
import { isAtRest } from '../at-rest.ts'
import { emulate } from './device.ts'

/** What a theme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** In both themes; of the dark one, only its colours are another question. */
export async function expectAccessibleInBoth() {
  await expectAccessible()
  await emulate({ colorScheme: 'dark' })
  await expectAccessible(COLOURS)
  await emulate({ colorScheme: 'light' })
}

/** Fails with each violation's rule and place. */
export async function expectAccessible(rules?: string[]) {
  // What fades in has its colours at the end.
  await expect.poll(isAtRest).toBe(true)
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    ),
  ).toEqual([])
}
