// Wakes a running worker by a channel's notices.
import type { Database } from './database.ts'

type Woken = { wake: () => void; onDeaf: (error: unknown) => void }

/** Also wakes it once after it listens, for rows written before. Returns the function that stops listening. */
export function wakeOn(
  db: Pick<Database, 'listen'>,
  channel: string,
  { wake, onDeaf }: Woken,
): () => Promise<void> {
  const listening = db.listen(channel, wake, wake)
  listening.then(wake, onDeaf)
  return () =>
    listening.then(
      (end) => end(),
      () => undefined,
    )
}
