// Shows the stored page until the app has rendered the same page, then removes it.
import type { PageSnapshot } from '#offline/page-snapshot.ts'

/** If no screen has rendered its heading by then, the screen has failed, and the snapshot goes. */
const LASTS_MS = 10_000

/** Shows the snapshot; resolves once it is painted. It is inert, so the user cannot press anything in it. */
export function showSnapshot({ html, theme }: PageSnapshot): Promise<unknown> | undefined {
  const root = document.getElementById('root')
  // The app has rendered something already, so no snapshot is needed.
  if (!root || root.firstChild) return undefined
  const page = document.createElement('div')
  page.inert = true
  page.ariaHidden = 'true'
  page.className = 'fixed inset-0 z-60 bg-bg'
  page.innerHTML = asTrusted(html)
  for (const part of page.querySelectorAll<HTMLElement>('[data-style]'))
    part.style.cssText = part.dataset['style'] ?? ''
  if (theme) document.documentElement.dataset['theme'] = theme
  // The stylesheet links stay after the snapshot is removed, so that the app does not load them again.
  document.head.append(...page.querySelectorAll('link'))
  document.body.append(page)
  // Every screen has a heading once it has loaded, so the snapshot is removed then.
  new MutationObserver(() => root.querySelector(':not([aria-busy]) > h1') && page.remove()).observe(root, {
    childList: true,
    subtree: true,
  })
  setTimeout(() => page.remove(), LASTS_MS)
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** A policy of its own may insert this HTML, because the app itself stored it (keep-snapshot.ts). */
function asTrusted(html: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('saved-page', { createHTML: (same) => same }).createHTML(html) ?? html
}

type Rules = { createHTML: (html: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Rules) => Rules }
