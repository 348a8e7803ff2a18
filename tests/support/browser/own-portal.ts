// Stories whose portal is theirs alone: what they lock, remove or rename would change under everyone else's.
import { startDemo } from './e2e-portal.ts'
import { test } from './story.ts'

/** For the stories of the file that asks, at its top: the demonstration as it is, started by the first of them. */
export function onOwnDemo() {
  let starting: ReturnType<typeof startDemo> | null = null
  const onOwn = test.extend({
    // Not in a hook: before any hook Playwright itself asks for the address.
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    portalUrl: async ({}, use) => {
      starting ??= startDemo()
      const { origin } = await starting
      await use(origin)
    },
  })
  onOwn.afterAll(async () => (await starting)?.stop())
  return onOwn
}
