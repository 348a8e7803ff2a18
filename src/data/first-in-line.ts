// Lets the load that the user waits for go first. On a weak signal all loads share the connection, so this one would
// end last.

const first = new Set<Promise<unknown>>()
/** Other loads wait this long at most. */
const AT_MOST_MS = 30_000

/** Marks a load as one that the user waits for. */
export function goFirst<T>(load: Promise<T>): Promise<T> {
  first.add(load)
  const end = () => void first.delete(load)
  load.then(end, end)
  return load
}

/** Resolves once no marked load is in progress, so that loads nobody waits for may begin. */
export async function afterFirst(untilMs = performance.now() + AT_MOST_MS): Promise<void> {
  const leftMs = untilMs - performance.now()
  if (first.size > 0 && leftMs > 0) {
    await Promise.race([Promise.allSettled(first), new Promise((resolve) => setTimeout(resolve, leftMs))])
    await afterFirst(untilMs)
  }
}
