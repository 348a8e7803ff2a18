// Cancels statements whose asker has left.
import type { Query } from '../database.ts'
import { askerLeft } from '../shares.ts'

/**
 * Cancels a transaction's running statement once its asker left, by the number of its backend. Behind a pooler the
 * number is read inside the transaction. Nothing is cancelled after the transaction, when the backend may belong to
 * somebody else.
 */
export function createCanceller(
  cancelBackend: (backend: number) => Promise<unknown>,
  signal: AbortSignal | undefined,
) {
  let cancelling: Promise<unknown> | undefined
  let backend: number | undefined
  const cancel = () => {
    if (backend !== undefined) cancelling ??= cancelBackend(backend).catch(() => undefined)
  }
  const guard = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (signal?.aborted) throw askerLeft()
    try {
      return await ask()
    } finally {
      await cancelling
    }
  }
  return {
    watch: (pid: number | undefined) => {
      backend = pid
      if (signal?.aborted) cancel()
      else signal?.addEventListener('abort', cancel)
    },
    guard,
    over:
      (query: Query): Query =>
      (sql, values) =>
        guard(() => query(sql, values)),
    stop: async () => {
      signal?.removeEventListener('abort', cancel)
      await cancelling
    },
  }
}
