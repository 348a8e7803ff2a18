// Shows the saved page until the app has rendered the same page, then removes it.
import type { PageSnapshot } from '#offline/page-snapshot.ts'

/** Maximum time to wait for a screen's heading; beyond it the screen has failed. */
const LASTS_MS = 10_000

/** Resolves once the snapshot is painted. It is inert, so nothing in it can be pressed. */
export function showSnapshot({ html, theme }: PageSnapshot): Promise<unknown> | undefined {
  const root = document.getElementById('root')
  // The app has rendered before.
  if (!root || root.firstChild) return undefined
  const page = document.createElement('div')
  page.inert = true
  page.ariaHidden = 'true'
  page.className = 'fixed inset-0 z-60 bg-bg'
  page.innerHTML = asTrusted(html)
  for (const part of page.querySelectorAll<HTMLElement>('[data-style]'))
    part.style.cssText = part.dataset['style'] ?? ''
  if (theme) document.documentElement.dataset['theme'] = theme
  // The stylesheet links stay when the snapshot goes, so the app does not load them again.
  document.head.append(...page.querySelectorAll('link'))
  document.body.append(page)
  // Each screen has a heading, but none while it loads.
  new MutationObserver(() => root.querySelector(':not([aria-busy]) > h1') && page.remove()).observe(root, {
    childList: true,
    subtree: true,
  })
  setTimeout(() => page.remove(), LASTS_MS)
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** The app itself saved this HTML on the device (keep-snapshot.ts), so its own policy lets it through. */
function asTrusted(html: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('saved-page', { createHTML: (same) => same }).createHTML(html) ?? html
}

type Rules = { createHTML: (html: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Rules) => Rules }
