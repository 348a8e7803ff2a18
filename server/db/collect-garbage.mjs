// A collection of all garbage, for a moment when nobody waits. Plain JavaScript, since the embedded engine's thread
// reads it by path, too.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects the garbage of this thread only, and blocks the thread for about 100 ms. */
export function collectGarbage() {
  // Node offers a call for it only under this flag.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}
