// Which loads go first. On a weak line all loads share the line, so the load that the user waits for would end last.

const first = new Set<Promise<unknown>>()
/** Maximum wait of the others; then they load as well. */
const AT_MOST_MS = 30_000

/** Marks a load that the user waits for. */
export function goFirst<T>(load: Promise<T>): Promise<T> {
  first.add(load)
  const end = () => void first.delete(load)
  load.then(end, end)
  return load
}

/** Resolves once no such load is under way. Loads that nobody waits for begin then. */
export async function afterFirst(untilMs = performance.now() + AT_MOST_MS): Promise<void> {
  const leftMs = untilMs - performance.now()
  if (first.size > 0 && leftMs > 0) {
    await Promise.race([Promise.allSettled(first), new Promise((resolve) => setTimeout(resolve, leftMs))])
    await afterFirst(untilMs)
  }
}
