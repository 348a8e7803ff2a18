// The durable inbox: deliveries that arrive together share a commit.
import type { Database, Query } from '#server/db/database.ts'
import { createGroupCommit } from '#server/db/group-commit.ts'
import { tryAgain } from '#server/db/try-again.ts'
import type { GatewayKind } from '#server/gateway.ts'

/** `kind`: the gateway that sent it; `jids`: addresses of the people in it. */
export type Delivered = {
  instanceName: string
  kind: GatewayKind
  body: string
  receivedAtMs: number
  jids?: readonly string[]
}

const GROUP = { items: 200, chars: 4_000_000, charsOf: ({ body }: Delivered) => body.length }

/** `store` resolves once the delivery is committed: to its id, or to null if it was not stored. */
export const createInbox = (db: Database) => ({
  store: createGroupCommit((group: readonly Delivered[]) => insert(db, group), GROUP),
})

/** The SQLSTATE that means: the instance is being removed, together with its deliveries. */
const REMOVED_MEANWHILE = ['23503']

/** Deliveries of a removed instance, and of private contacts, are not stored. */
async function insert(db: Database, group: readonly Delivered[]): Promise<(number | null)[]> {
  const insertAll = () =>
    db.query<{ n: number; id: number }>(
      `with given as (
      select d.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
        as d (instance, body, received_at, jids, gateway, n)
      join portal.webhook_secrets s on s."instanceName" = d.instance
      where not portal.is_private(d.instance, string_to_array(d.jids, ' '))
    ), stored as (
      insert into portal.webhook_inbox ("instanceName", body, received_at, gateway)
      select g.instance, g.body, to_timestamp(g.received_at::numeric / 1000), g.gateway from given g order by g.n
      returning id
    )
    select n, id from (select n, row_number() over (order by n) as place from given) as g
    join (select id, row_number() over (order by id) as place from stored) as s using (place)`,
      [
        group.map((delivered) => delivered.instanceName),
        group.map((delivered) => delivered.body),
        group.map((delivered) => String(delivered.receivedAtMs)),
        group.map(({ jids = [] }) => jids.join(' ')),
        group.map(({ kind }) => kind),
      ],
    )
  const { rows } = await tryAgain(insertAll, { codes: REMOVED_MEANWHILE })
  const idOf = new Map(rows.map(({ n, id }) => [n, id]))
  return group.map((_, at) => idOf.get(at + 1) ?? null)
}

const ASIDE_CHARS = 100_000

/** Stores a delivery that is no event, or that could not be applied; cuts a very long one. */
export async function setAside(
  query: Query,
  delivered: Omit<Delivered, 'kind'> & { reason: string },
): Promise<void> {
  await query(
    `insert into portal.webhook_aside ("instanceName", reason, body, received_at)
    select "instanceName", $2, $3, to_timestamp($4::numeric / 1000)
    from portal.webhook_secrets where "instanceName" = $1`,
    [delivered.instanceName, delivered.reason, delivered.body.slice(0, ASIDE_CHARS), delivered.receivedAtMs],
  )
}

/** Which of these addresses were marked as private at an instance. */
export async function privateAmong(
  query: Query,
  instanceName: string,
  jids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await query<{ jid: string }>(
    'select j as jid from unnest($2::text[]) as j where portal.is_private($1, array[j])',
    [instanceName, jids],
  )
  return new Set(rows.map(({ jid }) => jid))
}

/** Deliveries stored but not yet applied, and failed ones. */
export async function countDeliveries(db: Database): Promise<{ waiting: number; setAside: number }> {
  const { rows } = await db.query<{ waiting: number; aside: number }>(
    `select
      (select count(*) from portal.webhook_inbox) as waiting,
      (select count(*) from portal.webhook_aside) as aside`,
  )
  return { waiting: rows[0]?.waiting ?? 0, setAside: rows[0]?.aside ?? 0 }
}
