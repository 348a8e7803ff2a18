// What axe finds on the screen as it stands.
import axe from 'axe-core'
import { expect } from 'vitest'

/** Fails with each violation's rule and place. */
export async function expectAccessible() {
  // What fades in has its colours at the end.
  const isMoving = ({ effect, playState }: Animation) =>
    playState === 'running' && effect?.getTiming().iterations !== Infinity
  await expect.poll(() => document.getAnimations().some(isMoving)).toBe(false)
  const { violations } = await axe.run()
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary}`).join(' | ')}`,
    ),
  ).toEqual([])
}
