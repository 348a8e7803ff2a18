// Computes how fast an area scrolls while an item is dragged near its edge.

/** The zone's depth in px, and the maximum speed in px per frame at 60 Hz. */
export type EdgeZone = { zone: number; most: number }

/** Speeds are per frame at 60 Hz. */
const FRAME_MS = 1_000 / 60

/**
 * Tells how far to scroll in `elapsedMs`, in px; negative toward the start. The speed grows with the square of the
 * depth in the zone.
 */
export function edgeScroll(
  at: number,
  { start, end }: { start: number; end: number },
  { zone, most, elapsedMs }: EdgeZone & { elapsedMs: number },
): number {
  // If the area is narrower than two zones, each half of it is one.
  const reach = Math.min(zone, (end - start) / 2)
  const depth = (distance: number) => Math.min(1, Math.max(0, 1 - distance / reach))
  return most * (depth(end - at) ** 2 - depth(at - start) ** 2) * (elapsedMs / FRAME_MS)
}
