// Which pages are stored as snapshots, and how long each is valid.
import { snapshotName } from './page-snapshot.ts'

const MINUTE_MS = 60_000
/** How long a page at an address stays correct, except for its relative times. */
export const LASTS_MS = new Map([
  ['/broker', 12 * 60 * MINUTE_MS],
  ['/broker/hoje', 10 * MINUTE_MS],
])

/** The names of the snapshots among the stored responses. */
export const SNAPSHOT_NAMES = [...LASTS_MS.keys()].map(snapshotName)
