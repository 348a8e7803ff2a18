// The scroll speed of an area while an item is dragged near its edge.

/** The zone's depth in px, and the maximum speed in px per frame at 60 Hz. */
export type EdgeZone = { zone: number; most: number }

/** The time unit of the speeds. */
const FRAME_MS = 1_000 / 60

/** Px for `elapsedMs`, negative toward the start; the speed grows with the square of the depth in the zone. */
export function edgeScroll(
  at: number,
  { start, end }: { start: number; end: number },
  { zone, most, elapsedMs }: EdgeZone & { elapsedMs: number },
): number {
  // In an area narrower than both zones, each half is a zone.
  const reach = Math.min(zone, (end - start) / 2)
  const depth = (distance: number) => Math.min(1, Math.max(0, 1 - distance / reach))
  return most * (depth(end - at) ** 2 - depth(at - start) ** 2) * (elapsedMs / FRAME_MS)
}
