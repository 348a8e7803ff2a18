// What other apps shared with the portal, stored raw by the service worker (or by public/share.js on a device without
// one) until the user has put it into a lead or a conversation.

/** public/share.js has the same name. */
const CACHE = 'shared'

export type Share = {
  key: string
  title: string
  /** Text and link, as one text. */
  text: string
  files: readonly File[]
}

/** `owner` '': nobody is signed in; public/share.js then enters the remembered user, if there is one. */
export async function storeShare(owner: string, raw: Response): Promise<void> {
  const key = `/shared/${Date.now()}-${crypto.randomUUID()}?owner=${encodeURIComponent(owner)}`
  const cache = await caches.open(CACHE)
  await cache.put(key, raw)
}

/** Whether `readShares` has something to read. */
export async function hasSharesFor(owner: string): Promise<boolean> {
  return (await sharesOf((of) => of === owner || of === '')).length > 0
}

/**
 * The oldest first: this user's, and those that were shared while no user was known. One that cannot be read is
 * skipped.
 */
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
  // Many apps repeat the link in the text.
  const url = wordOf('url')
  const text = wordOf('text')
  const words = text.includes(url) ? [text] : [text, url]
  const files = form.getAll('files').filter((each) => each instanceof File && each.size > 0) as File[]
  return { key, title: wordOf('title'), text: words.filter(Boolean).join('\n'), files }
}

/** The files that are left of a share after some of them found their place. */
export async function keepRest(key: string, files: readonly File[]): Promise<void> {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  await (await caches.open(CACHE)).put(key, new Response(form))
}

export async function removeShare(key: string): Promise<void> {
  await (await caches.open(CACHE)).delete(key)
}

/** For 'Sair'. */
export async function removeSharesOf(owner: string): Promise<void> {
  for (const { cache, request } of await sharesOf((of) => of === owner)) await cache.delete(request)
}

async function sharesOf(isWanted: (owner: string) => boolean) {
  // Missing on pages over plain http, contrary to the types.
  const stores: CacheStorage | undefined = globalThis.caches
  if (!(await stores?.has(CACHE))) return []
  const cache = await stores.open(CACHE)
  return (await cache.keys())
    .filter(({ url }) => isWanted(new URL(url).searchParams.get('owner') ?? ''))
    .map((request) => ({ cache, request }))
}
