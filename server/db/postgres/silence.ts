// Finds connections that fell silent and cuts them. A server without power sends nothing, and TCP would wait for 15
// minutes.
import type { Socket } from 'node:net'
import type pg from 'pg'

export type SilenceLimits = {
  /** After this time without a byte of answer, the portal asks the server whether the statement still runs. */
  silentMs: number
  /** A statement is cancelled so long after its limit. After as long again its connection is cut. */
  marginMs: number
}

type Options = SilenceLimits & {
  /** See backends.ts. */
  askWorking: () => Promise<ReadonlySet<number> | null>
  /** Undefined behind a pooler, which may change the backend with each transaction. */
  backendOf: (client: pg.ClientBase) => number | undefined
  cancel: (backend: number) => Promise<unknown>
  /** Ends transactions that cut connections left open. */
  endTransactions: (backends: readonly number[]) => Promise<unknown>
  /** A connection was cut; older ones may be dead, too. */
  onCut: () => void
}

type Waiting = {
  client: pg.ClientBase
  sinceMs: number
  bytesRead: number
  endsMs: number
  cancelling?: Promise<unknown>
}

/**
 * Statements that waited for the lock of a cut connection may be dead, too. The portal asks about them again after
 * this time.
 */
const AFTER_CUT_MS = 300
/** Answers that arrived while the portal was busy are read within this time. */
const GRACE_MS = 50

export type Silence = {
  /**
   * Runs a task that waits for an answer on this connection. If none comes, the connection is cut and the task rejects.
   */
  over: <T>(client: pg.ClientBase, limitMs: number, task: () => Promise<T>) => Promise<T>
}

export function createSilence(options: Options): Silence {
  const { silentMs, marginMs, askWorking, backendOf, cancel, endTransactions, onCut } = options
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> | undefined

  function cut({ client }: Waiting) {
    cutOff(client)
    onCut()
  }

  function isSilent(one: Waiting): boolean {
    const { bytesRead } = streamOf(one.client)
    if (bytesRead !== one.bytesRead) Object.assign(one, { bytesRead, sinceMs: performance.now() })
    return performance.now() - one.sinceMs >= silentMs
  }

  function end(one: Waiting) {
    const backend = backendOf(one.client)
    if (one.cancelling || backend === undefined) return cut(one)
    one.endsMs = performance.now() + marginMs
    one.cancelling = cancel(backend).catch(() => undefined)
  }

  function look() {
    const suspects = [...waiting].filter(isSilent)
    for (const one of waiting) if (performance.now() >= one.endsMs) end(one)
    if (suspects.length > 0) asking ??= lookInto(suspects).finally(() => (asking = undefined))
  }

  async function lookInto(suspects: readonly Waiting[]) {
    const working = await askWorking().catch((): ReadonlySet<number> => new Set())
    if (working === null) return
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
    const isAtWork = (backend: number | undefined) =>
      backend === undefined ? working.size > 0 : working.has(backend)
    const silent = suspects.filter(
      (one) => waiting.has(one) && isSilent(one) && !isAtWork(backendOf(one.client)),
    )
    silent.forEach(cut)
    // The server does not notice the cut, and would keep their locks for hours.
    const left = silent.flatMap(({ client }) => backendOf(client) ?? [])
    if (left.length > 0) await endTransactions(left).catch(() => undefined)
    // Asks about the statements that still run again after `silentMs`.
    const againMs = silent.length > 0 ? Math.min(AFTER_CUT_MS, silentMs) : silentMs
    for (const one of suspects) one.sinceMs = performance.now() - silentMs + againMs
  }

  return {
    over: async (client, limitMs, task) => {
      const sinceMs = performance.now()
      const { bytesRead } = streamOf(client)
      const one: Waiting = { client, sinceMs, bytesRead, endsMs: sinceMs + limitMs + marginMs }
      waiting.add(one)
      // After a pause of the whole process, `setImmediate` lets the answers that wait in the sockets be read first.
      timer ??= setInterval(() => setImmediate(look), Math.max(20, silentMs / 5)).unref()
      try {
        return await task()
      } finally {
        waiting.delete(one)
        if (waiting.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
        // Waits for the cancelling, because a late cancel would hit the next statement of this connection.
        await one.cancelling
      }
    },
  }
}

/** The driver's types hide the socket. */
const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Closes the socket without telling the server. Everything that waits for the connection rejects. */
export const cutOff = (client: pg.ClientBase): void => void streamOf(client).destroy()

/** Tells the server that the connection ends. A server that does not react in time loses the socket all the same. */
export async function endSoon(client: pg.Client, withinMs: number): Promise<void> {
  const late = setTimeout(() => cutOff(client), withinMs)
  await client.end().catch(() => undefined)
  clearTimeout(late)
}
