// Stands around each import() of the built app, in place of Vite's own helper (server/ops/build/classic-scripts.mjs).

declare const chunk: { load: (name: string) => Promise<unknown> }

/** The style sheets that load or have loaded, by address. */
const sheets = new Map<string, Promise<void>>()

/**
 * Loads a part together with the files that it needs: names in the build's folder. Rejects if a script fails. A style
 * sheet that fails is only reported: the part works without it, and the next part that needs it loads it again.
 */
export async function loadPart<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const styles: Promise<void>[] = []
  for (const file of files)
    if (file.endsWith('.css')) styles.push(style(`/${file}`).catch(report))
    else void chunk.load(file.slice(file.lastIndexOf('/') + 1))
  await Promise.all(styles)
  return load().catch((error: unknown) => {
    report(error)
    throw error
  })
}

function style(address: string): Promise<void> {
  const known = sheets.get(address)
  if (known) return known
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    crossOrigin: '',
    href: address,
  })
  const loaded = new Promise<void>((resolve, reject) => {
    // The page or its saved copy has it already.
    for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
      if (href === link.href) return resolve()
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      sheets.delete(address)
      link.remove()
      reject(new TypeError(`Failed to load ${address}`))
    })
    document.head.append(link)
  })
  sheets.set(address, loaded)
  return loaded
}

function report(error: unknown) {
  dispatchEvent(new CustomEvent('part-missing', { detail: error }))
}
