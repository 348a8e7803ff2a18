// Waits for a condition that becomes true by itself, with a long limit for busy machines.
import { vi } from 'vitest'

const PATIENCE_MS = 20_000

/** Returns the result of `poll` as soon as it does not throw. */
export const eventually = <T>(poll: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> =>
  vi.waitFor(poll, { timeout: patienceMs, interval: 10 })
