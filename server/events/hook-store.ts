// Addresses of other systems and the events sent to them, for administrators.
import type { EventType } from '#domain/machine.ts'
import type { Database } from '#server/db/database.ts'

export type Hook = {
  id: string
  name: string
  url: string
  events: string[]
  state: 'active' | 'paused' | 'off'
  /**
   * Why the portal paused it or turned it off; null: a person did, or it is active. `untested`: off until it
   * answers its first test.
   */
  reason: 'failures' | 'gone' | 'untested' | null
  secretTail: string
  /** The portal also signs with the previous secret until then. */
  oldSecretUntilMs: number | null
  failures: number
  deliveredAtMs: number | null
  /** Next retry of a failed event; null: none waits. */
  nextAtMs: number | null
  waiting: number
}

type SigningHook = { url: string; secret: string; oldSecret: string | null; isUntested: boolean }

export type SentEvent = {
  id: number
  messageId: string
  type: string
  leadId: number | null
  /** Null: the event is about no lead, or the lead was deleted. The next two are null then, too. */
  leadName: string | null
  leadNumber: string | null
  leadEmail: string | null
  happenedAtMs: number
  state: 'waiting' | 'delivered' | 'skipped'
  /** An earlier event of its lead is being retried. */
  isHeld: boolean
  tries: number
  dueAtMs: number
  status: number | null
  fault: string | null
  tookMs: number | null
}

/**
 * A database, or the query function of an administrator's transaction, so that the audit log names the
 * administrator.
 */
type Asking = Pick<Database, 'query'>

const PAGE = 50
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

export function createHookStore(db: Asking) {
  return {
    list: async (): Promise<Hook[]> => {
      const { rows } = await db.query<Hook>(
        `select h.id, h.name, h.url, h.events, h.state, h.reason, h.secret_tail as "secretTail",
           case when h.old_secret_until > now() then ${ms('h.old_secret_until')} end as "oldSecretUntilMs", h.failures,
           ${ms('h.delivered_at')} as "deliveredAtMs", ${ms('w.next_at')} as "nextAtMs", w.waiting
         from portal.hooks h,
           lateral (select count(*) as waiting, min(e.due_at) filter (where e.tries > 0) as next_at
             from portal.event_out e where e.hook_id = h.id and e.state = 'waiting') w
         order by h.created_at, h.id`,
      )
      return rows
    },

    /** Returns the hook with the secrets that are valid at that time. */
    find: async (id: string, nowMs: number): Promise<SigningHook | null> =>
      (
        await db.query<SigningHook>(
          `select url, secret, case when old_secret_until > $2 then old_secret end as "oldSecret",
             reason is not distinct from 'untested' as "isUntested"
           from portal.hooks where id = $1`,
          [id, new Date(nowMs).toISOString()],
        )
      ).rows[0] ?? null,

    /**
     * Adds an address, which is off until it answers its first test. The test needs the secret that only this answer
     * shows.
     */
    add: async (hook: {
      name: string
      url: string
      events: readonly string[]
      encrypted: string
      tail: string
    }): Promise<string> => {
      const { rows } = await db.query<{ id: string }>(
        `insert into portal.hooks (name, url, events, secret, secret_tail, state, reason)
         values ($1, $2, $3, $4, $5, 'off', 'untested') returning id`,
        [hook.name, hook.url, hook.events, hook.encrypted, hook.tail],
      )
      // The insert returned one row.
      return rows[0]!.id
    },

    /** Turns an address that answered its first test on. */
    endTests: async (id: string): Promise<void> => {
      await db.query(
        `update portal.hooks set state = 'active', reason = null where id = $1 and reason = 'untested'`,
        [id],
      )
    },

    /**
     * Returns whether the address exists. Events that waited during a pause are sent once it is active again, retries
     * at once. Rows that are due anyway are left alone: after a long pause they are many.
     */
    setState: async (id: string, state: 'active' | 'off'): Promise<boolean> => {
      const { rowCount } = await db.query(
        `with changed as (
           update portal.hooks set state = $2, reason = null, failures = 0, failed_at = null where id = $1 returning id
         ), woken as (
           update portal.event_out e set due_at = now(), tries = 0 from changed
           where e.hook_id = changed.id and e.state = 'waiting' and $2 = 'active' and (e.due_at > now() or e.tries > 0)
         )
         select pg_notify('events_out', '') from changed`,
        [id, state],
      )
      return rowCount > 0
    },

    /** The previous secret signs until then. */
    rotate: async (
      id: string,
      secret: { encrypted: string; tail: string },
      untilMs: number,
    ): Promise<boolean> => {
      const { rowCount } = await db.query(
        `update portal.hooks set old_secret = secret, old_secret_until = $4, secret = $2, secret_tail = $3 where id = $1`,
        [id, secret.encrypted, secret.tail, new Date(untilMs).toISOString()],
      )
      return rowCount > 0
    },

    remove: async (id: string): Promise<boolean> =>
      (await db.query('delete from portal.hooks where id = $1', [id])).rowCount > 0,
  }
}

/** Events that were sent to an address, or wait. */
export function createSentEvents(db: Asking) {
  return {
    /** Newest first, fifty a page; `before`: the last id of the previous page. Without `type` those of all types. */
    list: async (
      id: string,
      { before, type }: { before?: number | undefined; type?: EventType | undefined },
    ): Promise<SentEvent[]> => {
      const { rows } = await db.query<SentEvent>(
        `select e.id, e.message_id as "messageId", e.type, e.contact_id as "leadId", c.name as "leadName",
           c.number as "leadNumber", c.email as "leadEmail", ${ms('e.happened_at')} as "happenedAtMs",
           e.state, e.tries, ${ms('e.due_at')} as "dueAtMs", e.status, e.fault, e.took_ms as "tookMs",
           e.state = 'waiting' and exists (
             select from portal.event_out b
             where b.hook_id = e.hook_id and b.contact_id = e.contact_id and b.state = 'waiting' and b.id < e.id) as "isHeld"
         from portal.event_out e left join public.whatsapp_contacts c on c.id = e.contact_id
         where e.hook_id = $1 and e.id < coalesce($2::bigint, 9223372036854775807) and e.type = coalesce($3, e.type)
         order by e.id desc limit ${PAGE}`,
        [id, before ?? null, type ?? null],
      )
      return rows
    },

    replay: async (id: string, what: { eventId: number } | { from: string; to: string }): Promise<number> => {
      const { rows } = await db.query<{ count: number }>(
        `with again as (select portal.replay_events($1, $2, $3, $4) as count)
         select again.count, portal.audit('webhook.replayed', h.name, jsonb_build_object('count', again.count))
         from again, portal.hooks h where h.id = $1`,
        [
          id,
          'from' in what ? what.from : null,
          'to' in what ? what.to : null,
          'eventId' in what ? what.eventId : null,
        ],
      )
      return rows[0]?.count ?? 0
    },

    /**
     * Skips an event, so that later ones of its lead are sent; false if it does not wait, or is being sent.
     */
    skip: async (id: string, eventId: number): Promise<boolean> => {
      const { rowCount } = await db.query(
        `with skipped as (
           update portal.event_out set state = 'skipped'
           where hook_id = $1 and id = $2 and state = 'waiting' and claimed_by is null returning id
         )
         select pg_notify('events_out', ''), portal.audit('webhook.skipped', h.name)
         from skipped, portal.hooks h where h.id = $1`,
        [id, eventId],
      )
      return rowCount > 0
    },
  }
}
