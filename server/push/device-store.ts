// A person's devices with push, and the push settings.
import type { Database, Row } from '#server/db/database.ts'
import { sessionLost } from '#server/http/errors.ts'

/** `endpoint` and both keys come from the browser. */
export type Subscription = { endpoint: string; p256dh: string; auth: string }

export type NewDevice = Subscription & { name: string; isAgain: boolean }

export type Quiet = { from: string; until: string }
export type PushSettings = { hidesNames: boolean; quiet: Quiet | null }
type ChosenSettings = { [Name in keyof PushSettings]?: PushSettings[Name] | undefined }

export type DeviceRow = Row & { id: string; name: string; isThis: boolean; createdAt: string; seenAt: string }

/** The caller's account and session. */
export type Asking = { accountId: string; sessionId: string }

/** Limits what one account costs, because each of its pushes is a row for every device. */
const MAX_DEVICES = 10

export type DeviceStore = ReturnType<typeof createDeviceStore>

export function createDeviceStore(db: Database) {
  return {
    devices: async ({ accountId, sessionId }: Asking): Promise<DeviceRow[]> => {
      const { rows } = await db.query<DeviceRow>(
        `select d.id, d.name, d.session_id = $2 as "isThis", to_json(d.created_at) #>> '{}' as "createdAt",
           to_json(d.seen_at) #>> '{}' as "seenAt"
         from portal.push_devices d join portal.sessions s on s.id = d.session_id
         where s.account_id = $1 and s.expires_at > now() and d.removed_at is null
         order by d.session_id = $2 desc, d.seen_at desc, d.id`,
        [accountId, sessionId],
      )
      return rows
    },

    /**
     * Stores the device of this session under its browser's current address, which no other device may have.
     * Null if `again` is set and the device was removed meanwhile. Of more than ten devices of an account, the ones
     * that were not seen for longest are removed. Raises `session.lost` (401) if the session has ended.
     */
    saveDevice: ({ accountId, sessionId }: Asking, device: NewDevice): Promise<string | null> =>
      db.transaction(async (query) => {
        const { endpoint, p256dh, auth, name, isAgain } = device
        // A concurrent sign-out waits, and then deletes the device.
        const { rows: living } = await query('select from portal.sessions where id = $1 for key share', [
          sessionId,
        ])
        if (living.length === 0) throw sessionLost()
        await query(
          `delete from portal.push_devices where endpoint = $1 and session_id <> $2
           or session_id = $2 and removed_at is not null and not $3`,
          [endpoint, sessionId, isAgain],
        )
        const { rows } = await query<{ id: string }>(
          `insert into portal.push_devices as d (session_id, endpoint, p256dh, auth, name) values ($1, $2, $3, $4, $5)
           on conflict (session_id) do update
           set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, name = excluded.name,
             seen_at = now(),
             held_until = case when d.endpoint = excluded.endpoint then d.held_until end,
             held_times = case when d.endpoint = excluded.endpoint then d.held_times else 0 end
           where d.removed_at is null
           returning id`,
          [sessionId, endpoint, p256dh, auth, name],
        )
        if (rows[0]) {
          await query(REMOVE_UNSEEN, [accountId, sessionId, MAX_DEVICES - 1])
          return rows[0].id
        }
        await query('delete from portal.push_devices where session_id = $1', [sessionId])
        return null
      }),

    /**
     * False if the person has no such device. Another device than the caller's learns of its removal at its
     * next report.
     */
    removeDevice: ({ accountId, sessionId }: Asking, id: string): Promise<boolean> =>
      db.transaction(async (query) => {
        const { rowCount } = await query(
          `update portal.push_devices d set removed_at = now() from portal.sessions s
           where d.id = $1 and d.removed_at is null and s.id = d.session_id and s.account_id = $2`,
          [id, accountId],
        )
        await query('delete from portal.push_devices where id = $1 and session_id = $2', [id, sessionId])
        if (rowCount > 0) await query('delete from portal.push_queue where device_id = $1', [id])
        return rowCount > 0
      }),

    settings: async ({ accountId }: Asking): Promise<PushSettings> => {
      const { rows } = await db.query<{ hides: boolean; from: string | null; until: string | null }>(
        `select hides_names as hides, to_char(quiet_from, 'HH24:MI') as from, to_char(quiet_until, 'HH24:MI') as until
         from portal.push_settings where account_id = $1`,
        [accountId],
      )
      const [{ hides, from, until } = { hides: false, from: null, until: null }] = rows
      return { hidesNames: hides, quiet: from === null || until === null ? null : { from, until } }
    },

    /** Settings that are absent stay as they are. */
    saveSettings: async ({ accountId }: Asking, { hidesNames, quiet }: ChosenSettings): Promise<void> => {
      await db.query(
        `insert into portal.push_settings as kept (account_id, hides_names, quiet_from, quiet_until)
         values ($1, coalesce($2, false), $3, $4)
         on conflict (account_id) do update set
           hides_names = coalesce($2, kept.hides_names),
           quiet_from = case when $5 then excluded.quiet_from else kept.quiet_from end,
           quiet_until = case when $5 then excluded.quiet_until else kept.quiet_until end`,
        [accountId, hidesNames ?? null, quiet?.from ?? null, quiet?.until ?? null, quiet !== undefined],
      )
    },

    /** The conversation that is open on this session's device, until `until`; null: none. */
    watch: async ({ sessionId }: Asking, contactId: number | null, until: string | null): Promise<void> => {
      await db.query('select portal.watch_conversation($1, $2, $3)', [sessionId, contactId, until])
    },
  }
}

/** $1: the account; $2: the session of the device that stays; $3: how many others stay. */
const REMOVE_UNSEEN = `
  with removed as (
    update portal.push_devices set removed_at = now()
    where id in (
      select d.id from portal.push_devices d join portal.sessions s on s.id = d.session_id
      where s.account_id = $1 and d.session_id <> $2 and d.removed_at is null
      order by d.seen_at desc, d.id offset $3)
    returning id)
  delete from portal.push_queue where device_id in (select id from removed)`
