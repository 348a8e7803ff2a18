// Every screen at a desk for axe, in the dark theme.
import { expectAllAccessible } from '#tests/e2e/screens.ts'
import { test } from '#tests/support/browser/story.ts'

test('cada tela é acessível (dark)', ({ page }) => expectAllAccessible(page, 'dark'))
