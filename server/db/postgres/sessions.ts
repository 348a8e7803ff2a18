// What the portal knows of each connection: its backend, its prepared statements, what its statements announced.
import type pg from 'pg'
import { readAnnouncement, type Announcement } from '../announcer.ts'
import type { Row } from '../database.ts'
import { Prepared } from '../prepared.mjs'

type Session = { prepared: Prepared | null; backend: number | undefined }
export type Sessions = ReturnType<typeof createSessions>

/** The facts about each connection. It belongs to one backend, unless a pooler changes the backend. */
export function createSessions({ isPooled }: { isPooled: boolean }) {
  const known = new WeakMap<pg.ClientBase, Session>()
  const announcements = new WeakMap<pg.ClientBase, Announcement[]>()
  return {
    isPooled,
    /** From now on hears what its statements tell. */
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
     * A new connection's first words: the time zone, which a pooler carries along, who hears what its statements tell, and that
     * nothing is compiled: that costs 20 to 350 ms wherever a statement looks dear, and ours are short.
     */
    begin: async (client: pg.ClientBase) => {
      await client.query(
        `set timezone = 'UTC'${isPooled ? '' : '; set portal.client_notifies = on; set jit = off'}`,
      )
      if (isPooled) return
      known.set(client, { prepared: new Prepared(), backend: pidOf(await client.query<Row>(BACKEND.sql)) })
    },
    of: (client: pg.ClientBase): Session => known.get(client) ?? { prepared: null, backend: undefined },
  }
}

export const BACKEND = { sql: 'select pg_backend_pid() as pid' }
export const pidOf = ({ rows }: { rows: Row[] }) => (rows as { pid: number }[])[0]?.pid
