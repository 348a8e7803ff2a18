// Asks the server about the portal's own backends. Each question uses a new connection, since all of the pool may be
// dead.
import pg from 'pg'
import { cutOff, endSoon } from './silence.ts'

type Options<Client extends pg.Client> = {
  open: () => Client
  /** The server of that client could not be reached. */
  onAway: (client: Client) => void
  answerMs: number
  silentMs: number
}

export function createBackends<Client extends pg.Client>({
  open,
  onAway,
  answerMs,
  silentMs,
}: Options<Client>) {
  async function aside<T>(ask: (client: Client) => Promise<T>): Promise<T> {
    const client = open()
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await within(client, answerMs, () => ask(client))
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) onAway(client)
      throw error
    } finally {
      void endSoon(client, answerMs)
    }
  }

  return {
    /**
     * The backends of the portal's user that have worked for a while. Null: the server has no free connection for this
     * question. Rejects if the server does not answer.
     */
    working: async (): Promise<ReadonlySet<number> | null> => {
      try {
        const { rows } = await aside((client) => client.query<{ pid: number }>(WORKING, [silentMs / 2]))
        return new Set(rows.map(({ pid }) => pid))
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code?.startsWith('53')) return null
        throw error
      }
    },
    cancel: (backends: readonly number[]) => aside((client) => cancelOn(client, backends)),
    endTransactions: (backends: readonly number[]) =>
      aside((client) => client.query(END_TRANSACTIONS, [backends, silentMs / 2])),
  }
}

/**
 * `ClientWrite`: the client of this backend takes no answer. `xact_start` stays the same for all statements of one
 * packet, `query_start` for all transactions of one VACUUM.
 */
const WORKING = `select pid from pg_stat_activity
  where usename = current_user and state = 'active' and wait_event is distinct from 'ClientWrite'
    and least(xact_start, query_start) < clock_timestamp() - $1 * interval '1 millisecond'`

/** Numbers are used again after a server's restart, so only transactions end that wait for their client. */
const END_TRANSACTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any ($1::integer[]) and usename = current_user
    and (state like 'idle in transaction%' or wait_event = 'ClientWrite')
    and xact_start < clock_timestamp() - $2 * interval '1 millisecond'`

export const cancelOn = (client: pg.ClientBase, backends: readonly number[]) =>
  client.query('select pg_cancel_backend(pid) from unnest($1::integer[]) as pid', [backends])

/** Cuts the connection of a task that takes longer, so that the task rejects. */
export async function within<T>(client: pg.ClientBase, limitMs: number, task: () => Promise<T>): Promise<T> {
  const late = setTimeout(() => cutOff(client), limitMs)
  try {
    return await task()
  } finally {
    clearTimeout(late)
  }
}
