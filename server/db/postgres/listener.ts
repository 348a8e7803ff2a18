// Listens for NOTIFY on a connection of its own, for all channels of the process, and reconnects when that connection
// is lost.
import pg from 'pg'
import { within } from './backends.ts'
import type { Hosts, Wanted } from './hosts.ts'
import { cutOff, endSoon } from './silence.ts'
import { isTrue, requireWanted, TAKES_NO_WRITES } from './wanted.ts'

/**
 * After a loss, an attempt begins so often, whether or not earlier ones have ended. A machine without power, and a
 * proxy that still looks for a leader, hold an attempt for seconds, and people see no changes of others meanwhile.
 */
const SEEK_EVERY_MS = 300
/** The application name by which portals find each other's listeners. */
const LISTENING = 'portal-do-corretor listening'

type Ear = { onPayload: (payload: string) => void; onGap: (() => void) | undefined }

export type Listener = {
  /**
   * Calls back for each NOTIFY on the channel, and `onGap` when some may have been missed. Returns the function that
   * stops it.
   */
  listen(channel: string, ear: Ear): Promise<() => Promise<void>>
  close(): Promise<void>
}

export type ListenerLimits = {
  connectMs: number
  answerMs: number
  /**
   * The listener asks its connection so often for a sign of life. This also keeps networks from dropping it as idle.
   */
  beatMs: number
  /** A listening connection that has not answered such a question after this time is replaced. */
  deafMs: number
}

type Options = {
  hosts: Hosts
  wanted: Wanted
  /** The driver's settings, without an address. */
  config: pg.ClientConfig
  limits: ListenerLimits
  onError: (error: Error) => void
}

/**
 * Connects at the first `listen`. `onError` gets later connection errors, of failed attempts in a row only the first.
 */
export function createListener({ hosts, wanted, config, limits, onError }: Options): Listener {
  const { answerMs, deafMs } = limits
  const ears = createEars()
  const inTurn = createTurns()
  let client: pg.Client | undefined
  let connecting: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let others = new Set<number>()

  const open = (url: string) =>
    openOne({
      config: { ...config, connectionString: url },
      wanted,
      limits,
      channels: ears.channels(),
      onError,
      onNotification: (of, notification) => (of === client ? ears.tell(notification) : undefined),
      onEnd: (of) => {
        if (of !== client) return
        client = undefined
        clearInterval(timer)
        if (!isClosed) timer = seek(hosts, { open, onFound: useFound, onError })
      },
    })

  async function moveTo(next: pg.Client) {
    if (client) void endSoon(client, answerMs)
    client = next
    others = new Set()
    clearInterval(timer)
    timer = repeat(limits.beatMs, () => beat(next))
    // Channels that were added while it was opened.
    await listenOn(next, ears.channels())
  }

  async function connect() {
    const next = await toOneOf(hosts, open)
    if (isClosed) await endSoon(next, answerMs)
    else await moveTo(next)
  }

  async function beat(alive: pg.Client) {
    const seen = await lookAround(alive, deafMs).catch(() => cutOff(alive))
    if (!seen || client !== alive) return
    // A portal that disappeared may have died between a commit and its notification.
    const isOneGone = [...others].some((pid) => !seen.listeners.has(pid))
    others = seen.listeners
    if (isOneGone) ears.tellGap()
    if (seen.isReader) await leaveReader().catch(onError)
  }

  /** No portal notifies through a server that takes no writes. It is left as soon as another one takes them. */
  async function leaveReader() {
    const next = await toOneOf(hosts, open)
    if (isClosed || (await isTrue(next, TAKES_NO_WRITES))) return endSoon(next, answerMs)
    await moveTo(next)
    ears.tellGap()
  }

  async function useFound(next: pg.Client) {
    if (isClosed || client) return endSoon(next, answerMs)
    await moveTo(next)
    ears.tellGap()
  }

  return {
    listen: async (channel, ear) => {
      const isNew = ears.add(channel, ear)
      connecting ??= connect()
      await connecting.catch((error: unknown) => {
        connecting = undefined
        ears.remove(channel, ear)
        throw error
      })
      if (isNew) await inTurn(async () => client && listenOn(client, [channel]))
      return async () => {
        if (!ears.remove(channel, ear)) return
        await inTurn(async () => client?.query(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(onError)
      }
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      if (client) await endSoon(client, answerMs)
    },
  }
}

type Seeking = {
  open: (url: string) => Promise<pg.Client>
  onFound: (client: pg.Client) => Promise<void>
  /** Called with the first error of a row of failures. */
  onError: (error: Error) => void
}

/**
 * Tries the servers in turn until the returned timer is cleared. An attempt that has begun by then may still succeed.
 */
function seek(hosts: Hosts, { open, onFound, onError }: Seeking): NodeJS.Timeout {
  const urls = hosts.inTurn()
  let attempts = 0
  let isReported = false
  async function attempt() {
    const url = urls[attempts++ % urls.length] ?? ''
    try {
      const client = await open(url)
      hosts.prefer(url)
      await onFound(client)
    } catch (error) {
      if (!isReported) onError(error instanceof Error ? error : new Error(String(error)))
      isReported = true
    }
  }
  return setInterval(() => void attempt(), SEEK_EVERY_MS)
}

/** Calls the task at this interval, but never while the last call runs. */
function repeat(everyMs: number, task: () => Promise<void>): NodeJS.Timeout {
  let running: Promise<void> | undefined
  return setInterval(() => {
    running ??= task().finally(() => (running = undefined))
  }, everyMs).unref()
}

function createEars() {
  const ears = new Map<string, Set<Ear>>()
  return {
    channels: () => [...ears.keys()],
    tell: ({ channel, payload = '' }: pg.Notification) =>
      ears.get(channel)?.forEach(({ onPayload }) => onPayload(payload)),
    tellGap: () => ears.forEach((of) => of.forEach(({ onGap }) => onGap?.())),
    /** Answers true for the first subscriber of this channel. */
    add: (channel: string, ear: Ear): boolean => {
      const of = ears.get(channel)
      ears.set(channel, (of ?? new Set()).add(ear))
      return of === undefined
    },
    /** Answers true if the removed subscriber was the channel's last. */
    remove: (channel: string, ear: Ear): boolean => {
      const of = ears.get(channel)
      of?.delete(ear)
      return of?.size === 0 && ears.delete(channel)
    },
  }
}

type Opening = Omit<Options, 'hosts'> & {
  channels: readonly string[]
  onNotification: (of: pg.Client, notification: pg.Notification) => void
  onEnd: (of: pg.Client) => void
}

async function openOne({ config, wanted, limits, channels, ...on }: Opening): Promise<pg.Client> {
  const { connectMs, answerMs } = limits
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: connectMs,
    application_name: LISTENING,
  })
  client.on('error', on.onError)
  client.on('notification', (notification) => on.onNotification(client, notification))
  client.on('end', () => on.onEnd(client))
  try {
    await client.connect()
    await within(client, connectMs, async () => {
      await requireWanted(client, wanted)
      await listenOn(client, channels)
    })
    return client
  } catch (error) {
    void endSoon(client, answerMs)
    throw error
  }
}

/** Runs tasks one after the other. The driver warns about a third query while one runs and another waits. */
function createTurns() {
  let turn: Promise<unknown> = Promise.resolve()
  return (task: () => Promise<unknown>): Promise<unknown> => {
    const done = turn.then(task)
    turn = done.catch(() => undefined)
    return done
  }
}

/** Tries each server once. */
async function toOneOf<T>(hosts: Hosts, open: (url: string) => Promise<T>): Promise<T> {
  for (let left = hosts.count; ;) {
    const url = hosts.current()
    try {
      return await open(url)
    } catch (error) {
      hosts.leave(url)
      left--
      if (left <= 0) throw error
    }
  }
}

async function listenOn(client: pg.Client, channels: readonly string[]): Promise<void> {
  const words = channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ')
  if (words !== '') await client.query(words)
}

/** The backends that listen for portals of this database, and whether this server takes no writes. */
async function lookAround(client: pg.Client, limitMs: number) {
  const question = {
    text: `select ${TAKES_NO_WRITES} as "isReader", array(select pid from pg_stat_activity
      where datname = current_database() and application_name = $1) as pids`,
    values: [LISTENING],
    query_timeout: limitMs,
  }
  const { rows } = await client.query<{ isReader: boolean; pids: number[] }>(question)
  return { isReader: rows[0]?.isReader ?? false, listeners: new Set(rows[0]?.pids) }
}
