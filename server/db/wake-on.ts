// A worker that is woken by a channel, while it runs.
import type { Database } from './database.ts'

type Woken = { wake: () => void; onDeaf: (error: unknown) => void }

/** Wakes it once it listens too, for what was written before. The answer ends the listening. */
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
