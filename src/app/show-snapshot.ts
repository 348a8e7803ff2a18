// Puts a page as it was last seen over the place where the app draws the same, and takes it away once it has.
import type { PageSnapshot } from '#offline/page-snapshot.ts'

/** Longer no screen takes to have a heading, unless it failed. */
const LASTS_MS = 10_000

/** Resolves once it is painted. Nothing in it can be pressed: it is a picture. */
export function showSnapshot({ html, theme }: PageSnapshot): Promise<unknown> | undefined {
  const root = document.getElementById('root')
  // The app is there before it.
  if (!root || root.firstChild) return undefined
  const page = document.createElement('div')
  page.inert = true
  page.ariaHidden = 'true'
  page.className = 'fixed inset-0 z-60 bg-bg'
  page.innerHTML = html
  for (const part of page.querySelectorAll<HTMLElement>('[data-style]'))
    part.style.cssText = part.dataset['style'] ?? ''
  if (theme) document.documentElement.dataset['theme'] = theme
  // They stay when it goes: the app's own parts are not asked for twice.
  document.head.append(...page.querySelectorAll('link'))
  document.body.append(page)
  // Each screen has a heading, and none while it loads.
  new MutationObserver(() => root.querySelector(':not([aria-busy]) > h1') && page.remove()).observe(root, {
    childList: true,
    subtree: true,
  })
  setTimeout(() => page.remove(), LASTS_MS)
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
