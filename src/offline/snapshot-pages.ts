// Which pages are saved as snapshots, and for how long each is valid.
import { snapshotName } from './page-snapshot.ts'

const MINUTE_MS = 60_000
/** By address: how long a page stays correct, apart from its relative times. */
export const LASTS_MS = new Map([
  ['/broker', 12 * 60 * MINUTE_MS],
  ['/broker/hoje', 10 * MINUTE_MS],
])

/** The snapshots' names in the browser's cache of responses. */
export const SNAPSHOT_NAMES = [...LASTS_MS.keys()].map(snapshotName)
