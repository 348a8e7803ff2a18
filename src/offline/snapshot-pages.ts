// Which pages are kept as they were seen, and for how long.
import { snapshotName } from './page-snapshot.ts'

const MINUTE_MS = 60_000
/** For so long what a page shows is still so, but for its words of time; by its address. */
export const LASTS_MS = new Map([
  ['/broker', 12 * 60 * MINUTE_MS],
  ['/broker/hoje', 10 * MINUTE_MS],
])

/** Where they are among the kept answers. */
export const SNAPSHOT_NAMES = [...LASTS_MS.keys()].map(snapshotName)
