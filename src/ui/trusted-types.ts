// What the browser may take for a script or for HTML where code passes plain text (server/http/secure-headers.ts names
// the policies). Browsers without Trusted Types need none of it.

type Rules = {
  createHTML: (html: string) => string | null
  createScriptURL?: (address: string) => string | null
}
type TrustedTypes = { createPolicy: (name: string, rules: Rules) => { createHTML: (html: string) => string } }

export const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

let clean: ((html: string) => string) | null = null

/** For a library that writes HTML as text. Without a cleaner nobody may. */
export function cleanHtmlWith(cleaner: (html: string) => string) {
  clean = cleaner
}

/** Null is refused. Workers and the service worker come from the portal itself. */
trustedTypes?.createPolicy('default', {
  createHTML: (html) => clean?.(html) ?? null,
  createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
})
