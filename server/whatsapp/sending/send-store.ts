// Database access for sending: queued as the calling person, claimed and settled as the portal.
import type { DeliveryReason } from '#domain/message/outgoing.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, Query, Row } from '#server/db/database.ts'
import type { Accepted } from '#server/gateway.ts'
import type { MessageInput, readForward, readQuickReply } from './send-input.ts'

/** A row of whatsapp_messages, as /rest/v1 returns it. */
export type QueuedRow = Row & { id: number; instanceName: string }

/** The next message of a queue; `content` describes its media. */
export type ClaimedMessage = {
  id: number
  address: string
  kind: string
  body: string
  content: unknown
  /** The id that the message gets where the gateway lets us choose it. */
  ownId: string
  /** Duration of 'digitando…'; null: the default of a reply. */
  typingMs: number | null
  quotedId: string | null
  /** The text is sent only if the lead has not answered; the hand-over checks it again. */
  unlessAnswered: boolean
}

/** The next reaction of a queue; `turn` distinguishes it from a later one to the same message. */
export type ClaimedReaction = {
  id: number
  turn: number
  emoji: string
  /** The gateway's id of the message. */
  messageId: string
  isOwn: boolean
  jid: string
}

/** The next edit or deletion of a queue; `change` as in whatsapp_messages.change. */
export type ClaimedChange = {
  id: number
  change: { operationId: string } & ({ kind: 'edit'; body: string } | { kind: 'delete' })
  /** The gateway's id of the message. */
  messageId: string
  jid: string
}

/** What a signed-in person asks for. A method that fails rejects with a PortalError whose text that person may read. */
export function createSendStore(db: Database) {
  const { one: ask } = createAsking(db)
  return {
    /** Raises `lead.unknown`, `lead.no-owner` and `lead.no-number`. */
    check: (claims: Claims, { lead }: MessageInput) =>
      ask<number>(claims, 'select portal.lead_to_write($1, $2, $3) as answer', [
        lead.brokerName,
        lead.contactId,
        lead.number,
      ]),
    queue: (claims: Claims, { lead, operationId, message }: MessageInput, content: object | null) =>
      ask<QueuedRow>(claims, 'select portal.queue_message($1::jsonb, $2, $3::jsonb) as answer', [
        JSON.stringify(lead),
        operationId,
        JSON.stringify(content ? { ...message, content } : message),
      ]),
    /** Raises the same, `message.unknown` and `media.unavailable`. */
    forward: (claims: Claims, { lead, operationId, messageId }: ReturnType<typeof readForward>) =>
      ask<QueuedRow>(claims, 'select portal.forward_file($1::jsonb, $2, $3) as answer', [
        JSON.stringify(lead),
        operationId,
        messageId,
      ]),
    /** Raises the same, and `quick-reply.changed`. */
    queueQuickReply: (claims: Claims, { lead, operationId, message }: ReturnType<typeof readQuickReply>) =>
      ask<QueuedRow>(claims, 'select portal.queue_quick_reply($1::jsonb, $2, $3::jsonb) as answer', [
        JSON.stringify(lead),
        operationId,
        JSON.stringify(message),
      ]),
    retry: (claims: Claims, messageId: number, operationId: string) =>
      ask<QueuedRow>(claims, 'select portal.retry_message($1, $2) as answer', [messageId, operationId]),
    cancel: (claims: Claims, messageId: number) =>
      ask<null>(claims, 'select portal.cancel_message($1) as answer', [messageId]),
  }
}

type MayLeave = 'go' | 'withdrawn' | 'wait'

const LEASE_SECONDS = 30
/** Maximum time until a held queue is retried. */
const HOLD_SECONDS = { short: 30, long: 300 }

type Hold = { reason: DeliveryReason; wait: keyof typeof HOLD_SECONDS; isDoubted?: true }

/** Methods of the portal; `holder` identifies this process among portals over one database. */
export function createQueueStore(db: Database, holder: string) {
  const run = async (query: Query, sql: string, values: (string | number)[]) =>
    void (await query(sql, values))
  return {
    due: async (): Promise<string[]> => {
      const { rows } = await db.query<{ name: string }>('select portal.due_queues() as name')
      return rows.map(({ name }) => name)
    },
    claim: async (instanceName: string): Promise<ClaimedMessage | null> => {
      const { rows } = await db.query<{ message: ClaimedMessage | null }>(
        'select portal.claim_message($1, $2, $3) as message',
        [instanceName, holder, LEASE_SECONDS],
      )
      return rows[0]?.message ?? null
    },
    claimReaction: async (instanceName: string): Promise<ClaimedReaction | null> => {
      const { rows } = await db.query<{ reaction: ClaimedReaction | null }>(
        'select portal.claim_reaction($1, $2, $3) as reaction',
        [instanceName, holder, LEASE_SECONDS],
      )
      return rows[0]?.reaction ?? null
    },
    /** Settles a reaction. `accepted` null: it was refused, or its outcome is unknown. */
    reacted: async (
      query: Query,
      { id, turn, emoji }: ClaimedReaction,
      { accepted, isRefused }: { accepted: Accepted | null; isRefused: boolean },
    ): Promise<void> => {
      const { messageId = null, sentAtSeconds = null } = accepted ?? {}
      await query('select portal.settle_reaction($1, $2, $3, $4, $5, $6)', [
        id,
        turn,
        emoji,
        messageId,
        sentAtSeconds,
        isRefused,
      ])
    },
    ...createChangeStore(db, holder),
    /** Reactions, edits and deletions wait with the instance's messages. */
    holdInstance: (query: Query, instanceName: string, { wait }: { wait: keyof typeof HOLD_SECONDS }) =>
      run(query, 'select portal.hold_reactions($1, $2)', [instanceName, HOLD_SECONDS[wait]]),
    /** Runs in the transaction of the text's hand-over. */
    mayLeave: async (query: Query, id: number, instanceName: string): Promise<MayLeave> => {
      const { rows } = await query<{ word: MayLeave }>('select portal.may_hand_over($1, $2) as word', [
        id,
        instanceName,
      ])
      return rows[0]?.word ?? 'wait'
    },
    /** Renews the lease during a send. */
    renew: (instanceName: string) =>
      run(
        db.query,
        `update portal.send_queues set leased_until = clock_timestamp() + make_interval(secs => $3)
         where "instanceName" = $1 and holder = $2`,
        [instanceName, holder, LEASE_SECONDS],
      ),
    sent: (query: Query, id: number, { messageId, jid, sentAtSeconds }: Accepted) =>
      run(query, 'select portal.settle_sent($1, $2, $3, $4)', [id, messageId, jid, sentAtSeconds]),
    unsent: (query: Query, id: number, end: { delivery: 'failed' | 'unknown'; reason: DeliveryReason }) =>
      run(query, 'select portal.settle_unsent($1, $2, $3)', [id, end.delivery, end.reason]),
    hold: async (query: Query, id: number, { reason, wait, isDoubted }: Hold) => {
      await run(query, 'select portal.hold_queue($1, $2, $3)', [id, reason, HOLD_SECONDS[wait]])
      if (isDoubted) await run(query, 'select portal.doubt_message($1)', [id])
    },
    resume: (instanceName: string) => run(db.query, 'select portal.resume_queue($1)', [instanceName]),
    ...createReturn(db),
    /**
     * Releases the leases, so that other portals need not wait for their end; a queue whose message is being
     * sent stays leased.
     */
    release: () =>
      run(
        db.query,
        `update portal.send_queues q set leased_until = null
         where q.holder = $1 and not exists (
           select from portal.outgoing o where o.claimed_by = $1 and o."instanceName" = q."instanceName")`,
        [holder],
      ),
    /** The embedded engine has one portal only, so after a crash nobody else holds a lease. */
    forgetHolders: () => run(db.query, 'update portal.send_queues set leased_until = null', []),
  }
}

/** Claims and settles edits and deletions of sent messages. */
function createChangeStore(db: Database, holder: string) {
  return {
    claimChange: async (instanceName: string): Promise<ClaimedChange | null> => {
      const { rows } = await db.query<{ change: ClaimedChange | null }>(
        'select portal.claim_change($1, $2, $3) as change',
        [instanceName, holder, LEASE_SECONDS],
      )
      return rows[0]?.change ?? null
    },
    changed: async (
      query: Query,
      { id, change }: ClaimedChange,
      { outcome, reason }: { outcome: 'done' | 'refused' | 'unknown'; reason: DeliveryReason | null },
    ): Promise<void> =>
      void (await query('select portal.settle_change($1, $2::jsonb, $3, $4)', [
        id,
        JSON.stringify(change),
        outcome,
        reason,
      ])),
    /** Refuses the changes that waited longer than WhatsApp's time limits. */
    refuseLate: async (): Promise<void> => void (await db.query('select portal.refuse_late_changes()')),
  }
}

/** Database access for the time after an outage of the gateway. */
function createReturn(db: Database) {
  return {
    resumeAll: async (): Promise<void> => void (await db.query('select portal.resume_queues()')),
    /** Instances whose last message may have left and was not searched yet. */
    doubted: async (): Promise<string[]> => {
      const { rows } = await db.query<{ name: string }>(
        'select "instanceName" as name from portal.send_queues where doubted_message is not null',
      )
      return rows.map(({ name }) => name)
    },
    /** Ends a search at the gateway: the portal sends the message unless it was found. */
    endDoubt: async (instanceName: string): Promise<void> =>
      void (await db.query('select portal.end_doubt($1)', [instanceName])),
  }
}

export type QueueStore = ReturnType<typeof createQueueStore>

export type QueueCount = { instanceName: string | null; queued: number; oldestSeconds: number }

/** The number of messages that wait, for each instance. */
export async function countQueues(db: Database): Promise<QueueCount[]> {
  const { rows } = await db.query<QueueCount>(
    `select "instanceName", queued, oldest_seconds as "oldestSeconds" from portal.sending_counts()`,
  )
  return rows
}
