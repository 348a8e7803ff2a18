// Stories whose portal is theirs alone: what they lock, rename or link would change under everyone else's.
import { startDemo } from './e2e-portal.ts'
import { test } from './story.ts'

type Start<Line> = (use: (line: Line) => Promise<void>) => Promise<void>

/** `start` makes the portal and what it stands on, hands it to `use`, and takes it down; stories find it as `line`. */
export function onOwnPortal<Line extends { origin: string }>(start: Start<Line>) {
  return test.extend<object, { line: Line }>({
    line: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
      async ({}, use) => start(use),
      { scope: 'worker', timeout: 300_000 },
    ],
    portalUrl: async ({ line }, use) => use(line.origin),
  })
}

/** Of the demonstration as it is. */
export const onOwnDemo = () =>
  onOwnPortal<{ origin: string }>(async (use) => {
    const { origin, stop } = await startDemo()
    await use({ origin })
    await stop()
  })
