// Browsers where the user installs the portal by hand.
import { expect, test } from 'vitest'
import { isAppleMobile } from '#live/install.ts'

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5'

test.each([
  ['an iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} Mobile/15E148`, 5, true],
  ['an iPad of old', `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${SAFARI}`, 5, true],
  ['an iPad that says it is a Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI}`, 5, true],
  ['a Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI}`, 0, false],
  ['an Android phone', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0.0.0 Mobile', 5, false],
  ['a touch screen under Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0', 10, false],
])('%s', (_, userAgent, maxTouchPoints, expected) => {
  expect(isAppleMobile({ userAgent, maxTouchPoints })).toBe(expected)
})
