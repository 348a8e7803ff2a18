// How far an area scrolls by itself while something is held near one of its edges.

/** Px from an edge in which it scrolls, and px per frame of a 60 Hz screen at the very edge. */
export type EdgeZone = { zone: number; most: number }

/** What the speeds are per. */
const FRAME_MS = 1_000 / 60

/** Px for `elapsedMs`, negative toward the start; the speed grows with the square of the way into the zone. */
export function edgeScroll(
  at: number,
  { start, end }: { start: number; end: number },
  { zone, most, elapsedMs }: EdgeZone & { elapsedMs: number },
): number {
  // Of an area narrower than both zones each half is one.
  const reach = Math.min(zone, (end - start) / 2)
  const depth = (distance: number) => Math.min(1, Math.max(0, 1 - distance / reach))
  return most * (depth(end - at) ** 2 - depth(at - start) ** 2) * (elapsedMs / FRAME_MS)
}
