// The facts about each connection: its backend, its prepared statements, and its notices.
import type pg from 'pg'
import { readAnnouncement, type Announcement } from '../announcer.ts'
import type { Row } from '../database.ts'
import { Prepared } from '../prepared.mjs'
import type { Column } from './pipeline.ts'

type Session = { prepared: Prepared<Column> | null; backend: number | undefined }
export type Sessions = ReturnType<typeof createSessions>

/** The facts about each connection. It belongs to one backend, unless a pooler changes the backend. */
export function createSessions({ isPooled }: { isPooled: boolean }) {
  const known = new WeakMap<pg.ClientBase, Session>()
  const announcements = new WeakMap<pg.ClientBase, Announcement[]>()
  return {
    isPooled,
    /** Collects the connection's notices from now on. */
    hear: (client: pg.ClientBase) => {
      const heard: Announcement[] = []
      announcements.set(client, heard)
      client.on('notice', (notice) => {
        const said = readAnnouncement(notice)
        if (said) heard.push(said)
      })
    },
    /** The notices that arrived since the last call. */
    takeAnnouncements: (client: pg.ClientBase): Announcement[] => announcements.get(client)?.splice(0) ?? [],
    /**
     * The first settings of a new connection: the time zone, which a pooler keeps, who gets its notices, and no JIT
     * compilation, which takes 20 to 350 ms for statements that look expensive, while ours are short. A server waits
     * two hours for a client without power, and keeps the locks of its open transaction; ours waits 25 s.
     */
    begin: async (client: pg.ClientBase) => {
      await client.query(["set timezone = 'UTC'", ...(isPooled ? [] : OF_OWN_CONNECTION)].join('; '))
      if (isPooled) return
      known.set(client, { prepared: new Prepared(), backend: pidOf(await client.query<Row>(BACKEND.sql)) })
    },
    of: (client: pg.ClientBase): Session => known.get(client) ?? { prepared: null, backend: undefined },
  }
}

const OF_OWN_CONNECTION = [
  'set portal.client_notifies = on',
  'set jit = off',
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  // Postgres ends a transaction in which nothing is asked for this long, because its portal hangs. A working portal
  // waits in one for 30 s at most: while a bucket removes a file.
  `set idle_in_transaction_session_timeout = '60s'`,
]

export const BACKEND = { sql: 'select pg_backend_pid() as pid' }
export const pidOf = ({ rows }: { rows: Row[] }) => (rows as { pid: number }[])[0]?.pid
