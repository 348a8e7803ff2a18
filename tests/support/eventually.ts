// Waiting for what must come by itself, however long a busy machine takes.
import { vi } from 'vitest'

const PATIENCE_MS = 20_000

/** What `look` answers the first time that it raises nothing. */
export const eventually = <T>(poll: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> =>
  vi.waitFor(poll, { timeout: patienceMs, interval: 10 })
