// Stories whose portal is theirs alone: what they lock, remove or rename would change under everyone else's.
import { startDemo } from './e2e-portal.ts'
import { test } from './story.ts'

/** For the stories of the file that asks: the demonstration as it is. */
export function onOwnDemo() {
  let own: Awaited<ReturnType<typeof startDemo>> | null = null
  const onOwn = test.extend({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    portalUrl: async ({}, use) => {
      if (!own) throw new Error('no portal: onOwnDemo belongs at the top of a story file')
      await use(own.origin)
    },
  })
  onOwn.beforeAll(async () => {
    own = await startDemo()
  })
  onOwn.afterAll(() => own?.stop())
  return onOwn
}
