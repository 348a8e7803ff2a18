// How much may be under way at once before a delivery is asked to come again later (503 when overloaded).

export type ConcurrencyLimits = { requests: number; bytes: number }

/** `enter` answers the function that leaves, or null when there is no room; a first one always fits. */
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
