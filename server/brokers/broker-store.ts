// Database access for 'Gerenciar Corretores'; each call runs as the calling administrator.
import { asUser, type Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { GatewayKind } from '#server/gateway.ts'
import type { Database } from '#server/db/database.ts'

export type BrokerRow = {
  id: string
  instanceName: string
  number: string | null
  createdAt: string
  hasPassword: boolean
  status: string
  state: string
  deadAt: string | null
  changedAt: string | null
  /** Since when the link is down, if nobody disconnected it and the alarm was raised. Null: it is not. */
  lostAt: string | null
  pictureUrl: string | null
  /** True: a central number; first messages to it become leads for a rotation. */
  isCentral: boolean
  /** Last request of a live session of the broker. */
  seenAt: string | null
  campaigns: number
  seats: number
}

/** The caller, and the operation id that identifies a retry. */
export type Asked = { claims: Claims; operationId: string }

export type InviteHash = { hash: Uint8Array; until: Date }

/** Every method rejects with a PortalError whose message a person may read. */
export function createBrokerStore(db: Database) {
  const { one: ask } = createAsking(db)
  return {
    list: (claims: Claims) => ask<BrokerRow[]>(claims, 'select portal.broker_list() as answer', []),

    /** Counts the leads one by one. Used if the function that counts them fails. */
    countLeads: async (claims: Claims) =>
      (
        await asUser(db, claims, (query) =>
          query<{ instanceName: string; leads: number }>(
            `select "instanceName", count(*) as leads from public.whatsapp_contacts
             where "instanceName" is not null group by "instanceName"`,
          ),
        )
      ).rows,

    /** Returns true if an earlier request with this operation id has already done the work. */
    wasDone: ({ claims, operationId }: Asked) =>
      ask<boolean>(
        claims,
        `select exists (select from portal.applied_operations o
          where o.account_id = portal.account_id() and o.operation_id = $1) as answer`,
        [operationId],
      ),

    isTaken: async (instanceName: string) =>
      (await db.query('select from public.brokers where "instanceName" = $1', [instanceName])).rows.length >
      0,

    /** Raises `broker.taken`. */
    add: (
      { claims, operationId }: Asked,
      broker: {
        instanceName: string
        instanceId: string | null
        secretHash: Uint8Array
        invite: InviteHash
        /** The kind of gateway that has the instance; null if the agency has only one gateway. */
        kind: GatewayKind | null
      },
    ) =>
      ask<unknown>(claims, 'select portal.add_broker($1, $2, $3, $4, $5, $6, $7) as answer', [
        operationId,
        broker.instanceName,
        broker.instanceId,
        broker.secretHash,
        broker.invite.hash,
        broker.invite.until.toISOString(),
        broker.kind,
      ]),

    /** Raises `broker.unknown`. */
    reset: ({ claims, operationId }: Asked, instanceName: string, { hash, until }: InviteHash) =>
      ask<unknown>(claims, 'select portal.reset_broker($1, $2, $3, $4) as answer', [
        operationId,
        instanceName,
        hash,
        until.toISOString(),
      ]),

    /** Raises `broker.unknown` and `broker.no-heir`. */
    remove: ({ claims, operationId }: Asked, instanceName: string, heir: string | null) =>
      ask<{ leads: number; heir: string | null }>(
        claims,
        'select portal.remove_broker($1, $2, $3) as answer',
        [operationId, instanceName, heir],
      ),
  }
}
