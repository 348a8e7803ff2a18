// Limits concurrent deliveries; beyond it the sender gets 503 and retries later.

export type ConcurrencyLimits = { requests: number; bytes: number }

/** `enter` returns the function that leaves, or null without room; a first delivery always fits. */
export function createConcurrencyLimit(limits: ConcurrencyLimits) {
  let requests = 0
  let bytes = 0
  return {
    enter: (sizeBytes: number): (() => void) | null => {
      if (requests > 0 && (requests >= limits.requests || bytes + sizeBytes > limits.bytes)) return null
      requests += 1
      bytes += sizeBytes
      return () => {
        requests -= 1
        bytes -= sizeBytes
      }
    },
  }
}
