// What a component test has the browser's driver do for it.
import type { Page } from 'playwright'
import type { BrowserCommand } from 'vitest/node'
import { type TouchEvent, touchesOn } from '../browser/pointer.ts'

/** Each page has one glass. */
const glasses = new WeakMap<Page, ReturnType<typeof touchesOn>>()

/** A whole movement at once: the way from the test to the browser must not become part of its time. */
export const touch: BrowserCommand<[events: TouchEvent[]]> = async ({ page }, events) => {
  const glass = glasses.get(page) ?? touchesOn(page)
  glasses.set(page, glass)
  await (
    await glass
  )(events)
}

declare module 'vitest/browser' {
  // How vitest learns of commands.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface BrowserCommands {
    touch: (events: TouchEvent[]) => Promise<void>
  }
}
