// The queue of pushes: claimed and settled by this portal, among others over the database.
import { randomUUID } from 'node:crypto'
import type { MessageKind } from '#domain/message/message.ts'
import type { ActionKind } from '#domain/next-action/next-action.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { Subscription } from './device-store.ts'

export type LeadKind = 'lead' | 'assigned' | 'message'

/** A claimed push with its current content. */
export type ClaimedPush = Subscription & {
  id: number
  kind:
    | LeadKind
    | 'link'
    | 'campaign'
    | 'digest'
    | 'handover'
    | 'offer'
    | 'lost'
    | 'webhook'
    | 'unsent'
    | 'visit'
    | 'outcome'
    | 'risk'
    | 'machine'
    | 'asked'
    | 'try'
    | 'feed'
    | 'accepted'
    | 'declined'
  tag: string
  subject: number | null
  happened: number
  deviceId: string
  /** How often in a row a push to this device failed. */
  heldTimes: number
  hidesNames: boolean
  /** Leads of a broker that wait for an answer; null for an administrator. */
  unreadLeads: number | null
  /** The broker whose WhatsApp link is lost, in a push to an administrator. */
  lostInstance: string | null
  /** `body` of the newest message; `sentAtSeconds` is null without a message. */
  lead: {
    name: string | null
    number: string | null
    kind: MessageKind
    body: string
    sentAtSeconds: number | null
  } | null
  /** Since when the lead waits; for an administrator also the broker. */
  risk: { waitsSeconds: number; isAdmin: boolean; instanceName: string | null } | null
  /**
   * An agent that paused because a machine seems to write. `agentId` is null if somebody has resumed it meanwhile.
   */
  machine: { isAdmin: boolean; agentId: number | null } | null
  /** An address that was disabled. */
  hook: { name: string; isGone: boolean } | null
  /** A reading of the feed that waits for an administrator. */
  feed: { changes: number; isRefused: boolean } | null
  campaign: { status: string; sent: number; total: number } | null
  /** The parts of a lead that a broker may see before accepting it. */
  offer: { firstName: string | null; development: string | null; secondsLeft: number | null } | null
  /** A lead that a colleague accepted or declined. Null: it was merged, withdrawn or deleted meanwhile. */
  pass: { firstName: string | null; colleague: string } | null
  /** A visit that is near, or over, or a step of a plan that is near. */
  visit: {
    contactId: number
    name: string | null
    number: string | null
    kind: ActionKind
    /** The place of a visit, or the note of a step. */
    place: string
    startsAtMs: number
    isToday: boolean
  } | null
  /** A scheduled text that was not sent, and why: a reason of portal.scheduled_messages, or 'answered'. */
  unsent: { contactId: number; name: string | null; number: string | null; why: string } | null
}

type Claimed = { pushes: ClaimedPush[]; nextAt: string | null }

/** Pushes of a crashed portal are free after this time, which is longer than an attempt. */
const LEASE_SECONDS = 30

export type PushCounts = { waiting: number; oldestSeconds: number | null; devices: number }

export type PushQueue = ReturnType<typeof createPushQueue>

export function createPushQueue(db: Database) {
  /** Identifies this process among the portals over one database. */
  const claimer = randomUUID()

  return {
    claim: async (nowMs: number, most: number): Promise<Claimed> => {
      const { rows } = await db.query<{ claimed: Claimed }>(
        'select portal.claim_pushes($1, $2, $3, $4) as claimed',
        [claimer, instant(nowMs), LEASE_SECONDS, most],
      )
      return rows[0]?.claimed ?? { pushes: [], nextAt: null }
    },

    /** The push was accepted, or never will be. `isReached`: its push service works. */
    settle: async ({ id }: ClaimedPush, isReached: boolean): Promise<void> => {
      await db.query(
        `with settled as (
           delete from portal.push_queue where id = $1 and claimed_by = $2 returning device_id
         )
         update portal.push_devices d set held_until = null, held_times = 0
         from settled where d.id = settled.device_id and d.held_times > 0 and $3`,
        [id, claimer, isReached],
      )
    },

    release: async ({ id }: ClaimedPush, untilMs: number): Promise<void> => {
      await db.query('select portal.release_push($1, $2, $3)', [id, claimer, instant(untilMs)])
    },

    /**
     * The push service does not know the device any more; its row is deleted unless it has another address by
     * now.
     */
    forget: async ({ deviceId, endpoint }: ClaimedPush): Promise<void> => {
      await db.query('delete from portal.push_devices where id = $1 and endpoint = $2', [deviceId, endpoint])
    },

    counts: async (): Promise<PushCounts> => {
      const { rows } = await db.query<PushCounts>(
        'select waiting, oldest_seconds as "oldestSeconds", devices from portal.push_counts()',
      )
      return rows[0] ?? { waiting: 0, oldestSeconds: null, devices: 0 }
    },
  }
}
