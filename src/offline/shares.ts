// What other apps have shared with the portal. The service worker stores it (public/share.js does on devices without
// one) until the user has put it into a lead or a conversation.

/** public/share.js uses the same name. */
const CACHE = 'shared'

export type Share = {
  key: string
  title: string
  /** The shared text and link, as one text. */
  text: string
  files: readonly File[]
}

/**
 * Stores a share. `owner` '' means that nobody is signed in; public/share.js then enters the remembered user, if there
 * is one.
 */
export async function storeShare(owner: string, raw: Response): Promise<void> {
  const key = `/shared/${Date.now()}-${crypto.randomUUID()}?owner=${encodeURIComponent(owner)}`
  const cache = await caches.open(CACHE)
  await cache.put(key, raw)
}

/** True if `readShares` would find a share. */
export async function hasSharesFor(owner: string): Promise<boolean> {
  return (await sharesOf((of) => of === owner || of === '')).length > 0
}

/** Reads this user's shares, and those that came while no user was known; oldest first. Unreadable ones are skipped. */
export async function readShares(owner: string): Promise<Share[]> {
  const read = (await sharesOf((of) => of === owner || of === '')).map(async ({ cache, request }) => {
    const raw = await cache.match(request)
    const form = await raw?.formData().catch(() => null)
    return form ? [toShare(request.url, form)] : []
  })
  return (await Promise.all(read)).flat()
}

function toShare(key: string, form: FormData): Share {
  const wordOf = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  // Many apps put the link into the text too.
  const url = wordOf('url')
  const text = wordOf('text')
  const words = text.includes(url) ? [text] : [text, url]
  const files = form.getAll('files').filter((each) => each instanceof File && each.size > 0) as File[]
  return { key, title: wordOf('title'), text: words.filter(Boolean).join('\n'), files }
}

/** Keeps those files of a share that did not fit into the composer. */
export async function keepRest(key: string, files: readonly File[]): Promise<void> {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  await (await caches.open(CACHE)).put(key, new Response(form))
}

export async function removeShare(key: string): Promise<void> {
  await (await caches.open(CACHE)).delete(key)
}

/** Deletes a user's shares, at 'Sair'. */
export async function removeSharesOf(owner: string): Promise<void> {
  for (const { cache, request } of await sharesOf((of) => of === owner)) await cache.delete(request)
}

async function sharesOf(isWanted: (owner: string) => boolean) {
  // Browsers have no cache storage on pages over plain http, although the types say otherwise.
  const stores: CacheStorage | undefined = globalThis.caches
  if (!(await stores?.has(CACHE))) return []
  const cache = await stores.open(CACHE)
  return (await cache.keys())
    .filter(({ url }) => isWanted(new URL(url).searchParams.get('owner') ?? ''))
    .map((request) => ({ cache, request }))
}
