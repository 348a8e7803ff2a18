// Which plain texts the browser may run as a script or insert as HTML (server/http/secure-headers.ts names the
// policies). Browsers without Trusted Types need nothing of this.

type Rules = {
  createHTML: (html: string) => string | null
  createScriptURL?: (address: string) => string | null
}
type TrustedTypes = { createPolicy: (name: string, rules: Rules) => { createHTML: (html: string) => string } }

export const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

let clean: ((html: string) => string) | null = null

/** Sets the cleaner for HTML that a library writes as text. Until then the browser inserts no such HTML. */
export function cleanHtmlWith(cleaner: (html: string) => string) {
  clean = cleaner
}

/** Null makes the browser refuse. Only scripts of the portal's own origin may run as workers. */
trustedTypes?.createPolicy('default', {
  createHTML: (html) => clean?.(html) ?? null,
  createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
})
