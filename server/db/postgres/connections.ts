// The pool of connections to a Postgres. It finds the server that takes writes, and discards connections that are
// silent or read-only.
import pg from 'pg'
import { cancelOn, createBackends, within } from './backends.ts'
import { throwSqlError } from './errors.ts'
import type { Sessions } from './sessions.ts'
import type { Hosts, Wanted } from './hosts.ts'
import { isTrue, requireWanted, TAKES_NO_WRITES } from './wanted.ts'
import { createSilence, cutOff, type SilenceLimits } from './silence.ts'

export type ConnectionLimits = SilenceLimits & {
  /** Limit for opening and setting up a connection. After it the portal tries the next server of the list. */
  connectMs: number
  /** Limit for a question about the connections themselves. */
  answerMs: number
  /** Limit of one statement of the portal itself, unless the caller gives another one. */
  statementMs: number
  maintenanceMs: number
  /** For each step of closing: running statements finish, then they are cancelled, then their connections are cut. */
  closeMs: number
}

/**
 * While a server takes no writes, its connections are replaced at most so often, because brokers go on reading there.
 */
const RETIRE_EVERY_MS = 5_000
/** Opening a connection costs more than keeping an idle one. */
const IDLE_MS = 60_000

type Options = {
  hosts: Hosts
  wanted: Wanted
  /** The driver's settings, without an address. */
  config: pg.PoolConfig
  sessions: Sessions
  max: number
  limits: ConnectionLimits
  onError: (error: Error) => void
}

export type Connections = ReturnType<typeof openConnections>

export function openConnections(options: Options) {
  const { hosts, config, sessions, limits } = options
  const { answerMs } = limits
  const Client = clientTo(hosts)
  const generations = createGenerations()
  const pool = openPool(Client, generations, options)
  const busy = new Set<pg.PoolClient>()
  const backends = createBackends({
    ...limits,
    open: () => new Client({ ...config, connectionTimeoutMillis: answerMs }),
    onAway: (client) => hosts.leave(client.url),
  })
  const { over } = createSilence({
    ...limits,
    askWorking: backends.working,
    backendOf: (client) => sessions.of(client).backend,
    cancel: (backend) => backends.cancel([backend]),
    endTransactions: backends.endTransactions,
    onCut: generations.end,
  })

  async function borrow(): Promise<pg.PoolClient> {
    for (let left = hosts.count; ;) {
      const url = hosts.current()
      try {
        const client = await pool.connect()
        if (generations.isOfNow(client)) {
          busy.add(client)
          return client
        }
        giveUp(client)
      } catch (error) {
        hosts.leave(url)
        left--
        if (left <= 0 || pool.ending) throwSqlError(error)
      }
    }
  }

  function giveUp(client: pg.PoolClient) {
    client.release(true)
    setTimeout(() => cutOff(client), answerMs).unref()
  }

  function giveBack(client: pg.PoolClient, isBroken: boolean) {
    busy.delete(client)
    if (isBroken) giveUp(client)
    else client.release()
  }

  return {
    limits,
    over,
    borrow,
    giveBack,
    /**
     * Called after 25006. True if the server takes no writes; false if only the transaction was read-only. The server
     * may have become a standby, so its connections are not used again.
     */
    leaveReader: async (client: pg.PoolClient): Promise<boolean> => {
      const isReader = await over(client, answerMs, () => isTrue(client, TAKES_NO_WRITES)).catch(() => true)
      if (!isReader) return false
      if (client instanceof Client) hosts.leave(client.url)
      generations.endSometimes()
      return true
    },
    cancel: async (backend: number) => {
      const client = await borrow()
      const cancelled = over(client, answerMs, () => cancelOn(client, [backend]))
      giveBack(
        client,
        await cancelled.then(
          () => false,
          () => true,
        ),
      )
    },
    /**
     * Waits for running statements, then cancels them, then cuts their connections. `others` are closed before the
     * pool.
     */
    close: async (others: () => Promise<void>) => {
      const closed = others().then(() => pool.end())
      if (await isSettledWithin(closed, limits.closeMs)) return
      const running = [...busy].flatMap((client) => sessions.of(client).backend ?? [])
      if (running.length > 0) await backends.cancel(running).catch(() => undefined)
      if (await isSettledWithin(closed, limits.closeMs)) return
      for (const client of busy) cutOff(client)
      await isSettledWithin(closed, limits.closeMs)
    },
  }
}

/** A client chooses its server when it is constructed. */
const clientTo = (hosts: Hosts) =>
  class extends pg.Client {
    readonly url: string
    constructor(given: pg.ClientConfig) {
      const url = hosts.current()
      super({ ...given, connectionString: url })
      this.url = url
    }
  }

function openPool(
  Client: ReturnType<typeof clientTo>,
  generations: Generations,
  { wanted, config, sessions, max, limits, onError }: Options,
): pg.Pool {
  const begin = async (client: pg.ClientBase) => {
    generations.add(client)
    await within(client, limits.connectMs, async () => {
      await sessions.begin(client)
      await requireWanted(client, wanted)
    })
  }
  const pool = new pg.Pool({
    ...config,
    // The driver's types accept only constructors without arguments.
    Client: Client as unknown as new () => pg.ClientBase,
    max,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: IDLE_MS,
    // Sent as statements, because poolers refuse these settings as start-up parameters.
    verify: (client, done) => void begin(client).then(() => done(), done),
  })
  pool.on('error', onError)
  // The pool listens to idle clients only, and once: an error of one in use, or a second one, would end the process.
  // Its query rejects by itself.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    sessions.hear(client)
  })
  return pool
}

type Generations = ReturnType<typeof createGenerations>

/** When one connection proves dead or read-only, no connection opened before that moment is used again. */
function createGenerations() {
  const born = new WeakMap<pg.ClientBase, number>()
  let now = 0
  let endedAtMs = Number.NEGATIVE_INFINITY
  const end = () => void now++
  return {
    add: (client: pg.ClientBase) => void born.set(client, now),
    isOfNow: (client: pg.ClientBase) => born.get(client) === now,
    end,
    endSometimes: () => {
      if (performance.now() - endedAtMs < RETIRE_EVERY_MS) return
      endedAtMs = performance.now()
      end()
    },
  }
}

async function isSettledWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  const settled = work.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}
