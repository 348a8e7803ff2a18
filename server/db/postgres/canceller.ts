// Cancelling what nobody waits for any more.
import type { Query } from '../database.ts'
import { askerLeft } from '../shares.ts'

/**
 * Cancels what a transaction's backend does once its asker left. By the backend's own number, read inside the
 * transaction where a pooler in between hands out others; and never after the transaction, when the backend is another's.
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
