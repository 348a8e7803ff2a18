// A Vite plugin: leaves out of auth-js what the portal has no use for, so that the way to the board stays short.

/** Sign-in by passkey or crypto wallet, and the interface for a service key: modules of auth-js, with all that is asked of them. */
const UNUSED = {
  './lib/webauthn': [
    'WebAuthnApi',
    'browserSupportsWebAuthn',
    'createCredential',
    'deserializeCredentialCreationOptions',
    'deserializeCredentialRequestOptions',
    'getCredential',
    'serializeCredentialCreationResponse',
    'serializeCredentialRequestResponse',
    'webAuthnAbortService',
  ],
  './lib/web3/ethereum': ['createSiweMessage', 'fromHex', 'getAddress', 'toHex'],
  // Asked on signing out of a session that is still stored: src/api/auth.ts ends it by itself.
  './GoTrueAdminApi': ['default'],
}
const PREFIX = '\0unused-auth:'

/** @returns {import('vite').Plugin} */
export const leanAuth = () => ({
  name: 'lean-auth',
  enforce: 'pre',
  apply: 'build',
  resolveId: (source, importer) =>
    source in UNUSED && importer?.includes('/@supabase/auth-js/') ? PREFIX + source : null,
  load(id) {
    if (!id.startsWith(PREFIX)) return null
    const names = Object.entries(UNUSED).find(([source]) => id === PREFIX + source)?.[1] ?? []
    // A class, for the client makes two of them.
    return ['class Unused {}', ...names.map((name) => `export { Unused as ${name} }`)].join('\n')
  },
})
