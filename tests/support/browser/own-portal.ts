// For tests that need a portal of their own, because what they lock, delete or rename would affect other tests.
import { startDemo } from './e2e-portal.ts'
import { test } from './story.ts'

/** Call it at the top of a test file: the first test starts a fresh demonstration for all of them. */
export function onOwnDemo() {
  let starting: ReturnType<typeof startDemo> | null = null
  const onOwn = test.extend({
    // A fixture instead of a hook, because Playwright needs the address before any hook.
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
