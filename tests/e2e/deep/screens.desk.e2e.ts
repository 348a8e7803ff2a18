// Every screen on the desktop checked by axe, in both themes.
import { expectAllAccessible } from '#tests/e2e/screens.ts'
import { test } from '#tests/support/browser/story.ts'

test('cada tela é acessível (light)', ({ page }) => expectAllAccessible(page, 'light'))
test('cada tela é acessível (dark)', ({ page }) => expectAllAccessible(page, 'dark'))
