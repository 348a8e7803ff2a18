// What devices are still to be told, claimed and settled by this portal among others over the database.
import { randomUUID } from 'node:crypto'
import type { MessageKind } from '#domain/message/message.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import type { Subscription } from './device-store.ts'

export type LeadKind = 'lead' | 'assigned' | 'message'

/** A push whose turn it is, and what it is about as of now. */
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
  tag: string
  subject: number | null
  happened: number
  deviceId: string
  /** How often in a row its device could not be told. */
  heldTimes: number
  hidesNames: boolean
  /** Of a broker's own; null for an administrator. */
  unreadLeads: number | null
  /** The broker whose WhatsApp is lost, for an administrator. */
  lostInstance: string | null
  /** `body` of the newest message; `sentAtSeconds` null while there is none. */
  lead: {
    name: string | null
    number: string | null
    kind: MessageKind
    body: string
    sentAtSeconds: number | null
  } | null
  /** Since when the lead waits; of an administrator's also whose it is. */
  risk: { waitsSeconds: number; isAdmin: boolean; instanceName: string | null } | null
  /** Where an agent paused because a machine seems to write; `agentId` null where it was resumed meanwhile. */
  machine: { isAdmin: boolean; agentId: number | null } | null
  /** An address that the portal no longer notifies. */
  hook: { name: string; isGone: boolean } | null
  campaign: { status: string; sent: number; total: number } | null
  /** All that a broker is shown of a lead before accepting it. */
  offer: { firstName: string | null; development: string | null; secondsLeft: number | null } | null
  /** One that is near, or over. */
  visit: {
    contactId: number
    name: string | null
    number: string | null
    place: string
    startsAtMs: number
    isToday: boolean
  } | null
  /** A text for later that did not go, and why: a reason of portal.scheduled_messages, or 'answered'. */
  unsent: { contactId: number; name: string | null; number: string | null; why: string } | null
}

type Claimed = { pushes: ClaimedPush[]; nextAt: string | null }

/** A portal that ended leaves its pushes to the others after so long; an answer is waited for less. */
const LEASE_SECONDS = 30

export type PushCounts = { waiting: number; oldestSeconds: number | null; devices: number }

export type PushQueue = ReturnType<typeof createPushQueue>

export function createPushQueue(db: Database) {
  /** This process among the portals over one database. */
  const claimer = randomUUID()

  return {
    claim: async (nowMs: number, most: number): Promise<Claimed> => {
      const { rows } = await db.query<{ claimed: Claimed }>(
        'select portal.claim_pushes($1, $2, $3, $4) as claimed',
        [claimer, instant(nowMs), LEASE_SECONDS, most],
      )
      return rows[0]?.claimed ?? { pushes: [], nextAt: null }
    },

    /** It was taken, or never will be. `isReached`: its push service answers as it should. */
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

    /** The push service knows it no more: unless it has another address by now. */
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
