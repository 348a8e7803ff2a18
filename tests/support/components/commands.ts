// Commands that component tests run in the browser's driver.
import type { Page } from 'playwright'
import type { BrowserCommand } from 'vitest/node'
import { type TouchEvent, touchesOn } from '../browser/pointer.ts'

/** One touch device per page. */
const glasses = new WeakMap<Page, ReturnType<typeof touchesOn>>()

/** Sends a whole movement at once, so that the delay between test and browser is not part of its time. */
export const touch: BrowserCommand<[events: TouchEvent[]]> = async ({ page }, events) => {
  const glass = glasses.get(page) ?? touchesOn(page)
  glasses.set(page, glass)
  await (
    await glass
  )(events)
}

declare module 'vitest/browser' {
  // Declares the commands' types for vitest.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface BrowserCommands {
    touch: (events: TouchEvent[]) => Promise<void>
  }
}
