// Runs at most `count` pieces of work at once. Further ones are dealt out to the lanes in turn, and wait there.

export function createLanes(count: number) {
  const lanes = Array.from({ length: count }, (): Promise<unknown> => Promise.resolve())
  let next = 0
  return <T>(work: () => Promise<T>): Promise<T> => {
    const lane = next++ % count
    const mine = (lanes[lane] ?? Promise.resolve()).then(work)
    lanes[lane] = mine.catch(() => undefined)
    return mine
  }
}
