// Every screen on a phone checked by axe, in both themes.
import { expectAllAccessible } from '#tests/e2e/screens.ts'
import { test } from '#tests/support/browser/story.ts'

for (const theme of ['light', 'dark'] as const)
  test(`cada tela é acessível (${theme})`, ({ page }) => expectAllAccessible(page, theme))
