// Ends the streams of sessions that have ended.
import { written, type Stream } from './streams.ts'

const GAP = written({ kind: 'gap' })
const AWAY = written({ kind: 'away' })

/**
 * While the database cannot say which sessions are live, their streams stay open but get no events. If they ended,
 * phones would come back only after their growing waits.
 */
export function createSessionChecks(
  streams: { all: () => Stream[] },
  living: (sessionIds: string[]) => Promise<ReadonlySet<string>>,
) {
  const unproven = new Set<Stream>()
  let proving: Promise<void> | undefined

  async function endDead(asked: readonly Stream[]) {
    if (asked.length === 0) return
    const ids = new Set(asked.map(({ listener }) => listener.sessionId))
    const alive = await living([...ids]).catch(() => null)
    for (const stream of asked) {
      if (alive === null) {
        // The page shows that its data is not up to date. It would not learn this from a stream that stays open.
        if (!unproven.has(stream)) stream.write(AWAY)
        unproven.add(stream)
      } else if (!alive.has(stream.listener.sessionId)) stream.end()
      // The page may have missed events, so it must read again.
      else if (unproven.delete(stream)) stream.write(GAP)
    }
  }

  return {
    endDead,
    isProven: (stream: Stream) => !unproven.has(stream),
    proveAgain: () => {
      const open = new Set(streams.all())
      for (const stream of unproven) if (!open.has(stream)) unproven.delete(stream)
      proving ??= endDead([...unproven]).finally(() => (proving = undefined))
    },
  }
}
