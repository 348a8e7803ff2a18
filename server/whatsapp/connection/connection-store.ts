// Database access for links: portal.instance_states, and the broker's data from an open link.
import type { Database, Row } from '#server/db/database.ts'
import type { GatewayInstance, GatewayKind, LinkState } from '#server/gateway.ts'

export type LinkRow = Row & {
  state: string
  reason: number | null
  /** When the state was last reported. Null: the gateway never reported it. */
  changed_at: string | null
  /** When a send showed that the link is down, although the state is 'open'. */
  dead_at: string | null
  replaced_number: string | null
  broker_number: string | null
  /** Why the number may not begin conversations. */
  limit: LinkLimit | null
  /** The instance is being linked on another gateway. */
  is_moving: boolean
}

/** `until`: null if WhatsApp named no end; `isQuota`: its new conversations of this period are used up. */
export type LinkLimit = { until: string | null; isQuota: boolean; hasNoEnd: boolean }

/** `changeNumber` grows with each reported state; null before the first. */
export type LinkChange = { instanceName: string; changeNumber: number | null }

const SAVE_OPEN = `with
  before as (
    select broker_number, broker_number is not null and $3::text is not null
      and portal.number_key('+' || broker_number) <> portal.number_key('+' || $3) as is_replaced
    from public.brokers where "instanceName" = $1 for update
  ),
  broker as (
    update public.brokers b
    set "instanceId" = $2, broker_number = coalesce($3, b.broker_number), status = 'ativo'
    where "instanceName" = $1
      and (b."instanceId", b.broker_number, b.status) is distinct from ($2, coalesce($3, b.broker_number), 'ativo')
  ),
  state as (
    update portal.instance_states s
    set owner_jid = $4, profile_name = $5, profile_pic_url = $6,
      replaced_number = case when before.is_replaced then before.broker_number else s.replaced_number end
    from before
    where "instanceName" = $1
      and (before.is_replaced or (s.owner_jid, s.profile_name, s.profile_pic_url) is distinct from ($4, $5, $6))
  )
select is_replaced from before`

export function createLinkStore(db: Database) {
  return {
    find: async (instanceName: string): Promise<LinkRow | null> => {
      const { rows } = await db.query<LinkRow>(
        `select coalesce(s.state, 'close') as state, s.reason, to_json(s.changed_at) #>> '{}' as changed_at,
           to_json(s.dead_at) #>> '{}' as dead_at, s.replaced_number, b.broker_number,
           portal.limit_of(b."instanceName", now()) as "limit",
           exists (select from portal.instance_moves m where m."instanceName" = b."instanceName") as is_moving
         from public.brokers b left join portal.instance_states s using ("instanceName")
         where b."instanceName" = $1`,
        [instanceName],
      )
      return rows[0] ?? null
    },

    /**
     * Every broker's instance with its newest change number; null before any report. `kind`: only those that this kind
     * of gateway has, or would make.
     */
    changes: async (kind: GatewayKind | null = null, isForNew = true): Promise<LinkChange[]> => {
      const { rows } = await db.query<LinkChange & Row>(
        `select b."instanceName", s.change_number as "changeNumber"
         from public.brokers b left join portal.instance_states s using ("instanceName")
           left join portal.webhook_secrets w using ("instanceName")
         where $1::text is null or w.gateway = $1 or (w.gateway is null and $2)`,
        [kind, isForNew],
      )
      return rows
    },

    /** The newest change number of one instance. */
    changeNumber: async (instanceName: string): Promise<number | null> => {
      const { rows } = await db.query<{ number: number }>(
        'select change_number as number from portal.instance_states where "instanceName" = $1',
        [instanceName],
      )
      return rows[0]?.number ?? null
    },

    /**
     * Stores a polled state, unless the gateway reported another one since change `askedAfter`; an equal
     * state writes nothing. True if the state changed; an opening of a flipping link is trusted later.
     */
    noteState: async (
      instanceName: string,
      state: LinkState,
      askedAfter: number | null | 'now' = 'now',
    ): Promise<boolean> => {
      const { rows } = await db.query<{ state: string }>(
        `insert into portal.instance_states as s ("instanceName", state, looked_at)
         select "instanceName", $2, case when $2 = 'open' then now() end from public.brokers where "instanceName" = $1
         on conflict ("instanceName") do update
         set state = excluded.state, reason = null, changed_at = now(), dead_at = null, looked_at = excluded.looked_at,
           pairing_number = case when excluded.state <> 'open' then s.pairing_number end
         where (s.state <> excluded.state or s.opening_since is not null)
           and ($3 or s.change_number is not distinct from $4)
         returning state`,
        [instanceName, state, askedAfter === 'now', askedAfter === 'now' ? null : askedAfter],
      )
      return rows[0]?.state === state
    },

    /** A person is about to disconnect it, so its loss raises no alarm. */
    noteCut: async (instanceName: string): Promise<void> => {
      await db.query('update portal.instance_states set cut_at = now() where "instanceName" = $1', [
        instanceName,
      ])
    },

    ...createPairings(db),
    ...createCodes(db),

    /**
     * Stores the phone and activates the broker. True for another phone than before. Takes the lock of
     * applying reports, which write to the same rows in another order.
     */
    saveOpen: (instance: GatewayInstance, number: string | null): Promise<boolean> =>
      db.transaction(async (query) => {
        await query('select portal.take_apply_turn()')
        const { rows } = await query<{ is_replaced: boolean }>(SAVE_OPEN, [
          instance.instanceName,
          instance.instanceId,
          number,
          instance.ownerJid,
          instance.profileName,
          instance.profilePicUrl,
        ])
        return rows[0]?.is_replaced ?? false
      }),

    forgetReplaced: async (instanceName: string): Promise<void> => {
      await db.query(`update portal.instance_states set replaced_number = null where "instanceName" = $1`, [
        instanceName,
      ])
    },
  }
}

type Code = { qrText: string; count: number }

function createCodes(db: Database) {
  return {
    /**
     * A new link begins: all codes of the previous one (reported, shown, or just returned: `known`) are never
     * shown again, and the count continues from theirs.
     */
    noteNewLink: async (instanceName: string, known: Code | null): Promise<void> => {
      await db.query(
        `insert into portal.instance_states as s ("instanceName", old_codes, codes_before)
         select "instanceName", array_remove(array[$2::text], null), $3 from public.brokers where "instanceName" = $1
         on conflict ("instanceName") do update
         set old_codes = array_remove(array[s.qr_text, s.shown_code, $2], null),
           codes_before = greatest(case when not s.qr_is_limit then s.qr_count end, s.shown_count, $3)`,
        [instanceName, known?.qrText ?? null, known?.count ?? 0],
      )
    },

    /**
     * The number of this code within its link, from 1 on; null for a code of the previous link. The gateway
     * restarts its own count now and then.
     */
    showCode: async (instanceName: string, { qrText, count }: Code): Promise<number | null> => {
      const { rows } = await db.query<{ before: number; is_old: boolean }>(
        `select codes_before as before, $2 = any (old_codes) as is_old from portal.instance_states where "instanceName" = $1`,
        [instanceName, qrText],
      )
      const { before = 0, is_old: isOld = false } = rows[0] ?? {}
      if (isOld) return null
      const counted = count > before ? before : 0
      await db.query(
        `update portal.instance_states set shown_code = $2, shown_count = $3, codes_before = $4
         where "instanceName" = $1 and (shown_code, shown_count, codes_before) is distinct from ($2, $3, $4)`,
        [instanceName, qrText, count, counted],
      )
      return count - counted
    },
  }
}

function createPairings(db: Database) {
  return {
    /** Tells whether the link in progress makes a code for that phone. */
    isPairing: async (instanceName: string, number: string): Promise<boolean> => {
      const { rowCount } = await db.query(
        'select from portal.instance_states where "instanceName" = $1 and pairing_number = $2',
        [instanceName, number],
      )
      return rowCount > 0
    },

    /** The phone of the link in progress; null for a QR code. */
    notePairing: async (instanceName: string, number: string | null): Promise<void> => {
      await db.query(
        `insert into portal.instance_states as s ("instanceName", pairing_number)
         select "instanceName", $2 from public.brokers where "instanceName" = $1
         on conflict ("instanceName") do update set pairing_number = excluded.pairing_number
         where s.pairing_number is distinct from excluded.pairing_number`,
        [instanceName, number],
      )
    },
  }
}
