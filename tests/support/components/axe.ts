// axe's findings on the current screen.
import axe from 'axe-core'
import { expect } from 'vitest'
import { isAtRest } from '../at-rest.ts'
import { emulate } from './device.ts'

/** The rules that depend on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** In both themes; in the dark one only colours are checked. */
export async function expectAccessibleInBoth() {
  await expectAccessible()
  await emulate({ colorScheme: 'dark' })
  await expectAccessible(COLOURS)
  await emulate({ colorScheme: 'light' })
}

/** Fails with each violation's rule and place. */
export async function expectAccessible(rules?: string[]) {
  // A fading element has its final colours only at the end.
  await expect.poll(isAtRest).toBe(true)
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    ),
  ).toEqual([])
}
