// LISTEN over one session connection of its own, for every channel of the process; made again when it is lost.
import pg from 'pg'

const RECONNECT_DELAY_MS = 1_000
/** A connection that died without a word is noticed by asking it; a network in between drops what is silent, too. */
const BEAT_EVERY_MS = 10_000
const BEAT_WITHIN_MS = 10_000

/** By it the listeners of other portals are known. */
const LISTENING = 'portal-do-corretor listening'

type Ear = { onPayload: (payload: string) => void; onGap: (() => void) | undefined }

export type Listener = {
  /** Calls back for each NOTIFY on the channel, and `onGap` when some may have been missed. The answer stops it. */
  listen(channel: string, ear: Ear): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Connects at the first `listen`; `onError` hears of what goes wrong later, while it tries again. */
export function createListener(settings: pg.ClientConfig, onError: (error: Error) => void): Listener {
  const ears = new Map<string, Set<Ear>>()
  let client: pg.Client | undefined
  let connecting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let others = new Set<number>()

  const notifyGap = () => ears.forEach((of) => of.forEach(({ onGap }) => onGap?.()))

  async function connect() {
    const next = new pg.Client({ ...settings, application_name: LISTENING })
    next.on('error', onError)
    next.on('notification', ({ channel, payload = '' }) =>
      ears.get(channel)?.forEach(({ onPayload }) => onPayload(payload)),
    )
    next.on('end', () => {
      if (client !== next) return
      client = undefined
      if (!isClosed) retryLater()
    })
    try {
      await next.connect()
      for (const channel of ears.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      void next.end().catch(() => undefined)
      throw error
    }
    if (isClosed) return next.end()
    client = next
    others = new Set()
    timer = setInterval(() => void beat(next), BEAT_EVERY_MS)
    timer.unref()
  }

  async function beat(alive: pg.Client) {
    const there = await listenersOf(alive).catch(() => alive.end())
    if (!there || client !== alive) return
    // A portal that is there no more may have died between a commit and telling of it.
    const isOneGone = [...others].some((pid) => !there.has(pid))
    others = there
    if (isOneGone) notifyGap()
  }

  function retryLater() {
    clearInterval(timer)
    timer = setTimeout(() => {
      connect().then(notifyGap, (error: unknown) => {
        onError(error instanceof Error ? error : new Error(String(error)))
        if (!isClosed) retryLater()
      })
    }, RECONNECT_DELAY_MS)
  }

  return {
    listen: async (channel, ear) => {
      const known = ears.get(channel)
      const heard = known ?? new Set()
      heard.add(ear)
      ears.set(channel, heard)
      connecting ??= connect()
      await connecting.catch((error: unknown) => {
        connecting = undefined
        ears.delete(channel)
        throw error
      })
      if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`)
      return async () => {
        heard.delete(ear)
        if (heard.size > 0) return
        ears.delete(channel)
        await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(onError)
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

/** The backends that listen for portals of this database. */
async function listenersOf(client: pg.Client): Promise<Set<number>> {
  // The driver's types do not know its own limit of one query.
  const question = {
    text: 'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    values: [LISTENING],
    query_timeout: BEAT_WITHIN_MS,
  } as pg.QueryConfig
  const { rows } = await client.query(question)
  return new Set((rows as { pid: number }[]).map(({ pid }) => pid))
}
