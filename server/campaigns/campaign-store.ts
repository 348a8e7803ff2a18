// Database access for campaigns: planned and steered as the calling person, run as the portal.
import type { ErrorReason, Exclusion, SendingPolicy, WaitReason } from '#domain/campaign.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, Row } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'

/** A row of remarketing_campaigns, as /rest/v1 returns it. */
export type CampaignRow = Row & { id: number; status: string }
export type Candidate = { contactId: number; name: string | null; exclusion: Exclusion | null }
type Settings = SendingPolicy & { restDays: number }
/** The settings, and what the phone has sent today. */
export type Pacing = Settings & { day: string; sentToday: number; earlierDays: number }
export type Active = {
  campaign: CampaignRow & { next_send_at: string | null; scheduled_at: string | null }
  counts: Partial<Record<string, number>>
  current: { contactId: number | null; name: string | null } | null
}

export type Intent = 'pause' | 'resume' | 'stop' | 'retry'
/** Decisions about a recipient with an unknown outcome. */
export type Settling = 'again' | 'sent'
type Asked = { id: number; operationId: string; nowMs: number }
type Plan = {
  operationId: string
  campaign: { stage: string; message: string; startsAt: string | null; marks: boolean; media: object | null }
  recipients: { contactId: number; body: string }[]
}

/** Methods for persons; every one rejects with a PortalError whose message a person may read. */
export function createPlanStore(db: Database) {
  const { rows, one } = createAsking(db)
  return {
    candidates: (claims: Claims, stage: string) =>
      rows<Candidate>(
        claims,
        'select contact_id as "contactId", name, exclusion from portal.campaign_candidates($1)',
        [stage],
      ),
    plan: (claims: Claims, { operationId, campaign, recipients }: Plan) =>
      one<CampaignRow>(claims, 'select portal.plan_campaign($1, $2::jsonb, $3::jsonb) as answer', [
        operationId,
        JSON.stringify(campaign),
        JSON.stringify(recipients),
      ]),
    /** The answer that an operation stored. */
    done: (claims: Claims, operationId: string) =>
      one<CampaignRow | null>(
        claims,
        'select portal.begin_operation((portal.my_broker()).id, $1) as answer',
        [operationId],
      ),
    steer: (claims: Claims, intent: Intent, asked: Asked) =>
      one<CampaignRow>(claims, 'select portal.steer_campaign($1, $2, $3, $4) as answer', [
        asked.id,
        intent,
        asked.operationId,
        instant(asked.nowMs),
      ]),
    settle: (claims: Claims, settling: Settling, asked: Asked & { recipientId: number }) =>
      one<CampaignRow>(claims, 'select portal.settle_recipient($1, $2, $3, $4, $5) as answer', [
        asked.id,
        asked.recipientId,
        settling,
        asked.operationId,
        instant(asked.nowMs),
      ]),
    active: (claims: Claims) => one<Active | null>(claims, 'select portal.active_campaign() as answer', []),
    pacing: (claims: Claims, nowMs: number) =>
      one<Pacing>(claims, 'select portal.pacing_of((portal.my_broker())."instanceName", $1) as answer', [
        instant(nowMs),
      ]),
  }
}

/** Who answers a question, and the pace of each broker's part. */
export type SegmentCounts = Row & {
  receiving: number
  brokers: { instanceName: string; count: number; pacing: Pacing }[]
}
export type SegmentSend = { id: number; receiving: number; heldOut: number; campaigns: number }
type SegmentPlan = {
  operationId: string
  send: {
    question: object
    percent: number | null
    segmentId: number | null
    message: string
    startsAt: string | null
    marks: boolean
    media: object | null
  }
  texts: { contactId: number; body: string }[]
}

/** Methods for administrators; every one rejects with a PortalError whose message a person may read. */
export function createSegmentStore(db: Database) {
  const { rows, one } = createAsking(db)
  return {
    count: (claims: Claims, question: object, percent: number | null) =>
      one<SegmentCounts>(claims, 'select portal.count_segment($1::jsonb, $2) as answer', [
        JSON.stringify(question),
        percent,
      ]),
    candidates: (claims: Claims, question: object, percent: number | null) =>
      rows<{ contactId: number; name: string | null }>(
        claims,
        'select contact_id as "contactId", name from portal.segment_candidates($1::jsonb, $2)',
        [JSON.stringify(question), percent],
      ),
    plan: (claims: Claims, { operationId, send, texts }: SegmentPlan) =>
      one<SegmentSend>(claims, 'select portal.plan_segment($1, $2::jsonb, $3::jsonb) as answer', [
        operationId,
        JSON.stringify(send),
        JSON.stringify(texts),
      ]),
    /** The answer that an operation stored. */
    done: (claims: Claims, operationId: string) =>
      one<SegmentSend | null>(claims, 'select portal.planned_segment($1) as answer', [operationId]),
  }
}

export type Due = { id: number; instanceName: string; pacing: Pacing; hasMedia: boolean }
/** A message that a campaign sends soon: to whom and when. */
export type Coming = { id: number; instanceName: string; sendAtMs: number; address: string }
/** The pace of a campaign's next step. `waitUntil` is set if nothing may be sent now. */
export type Pace = {
  /** The settings from which the pace was computed. */
  settings: Settings
  day: string
  cap: number
  gapMs: number
  typingMs: number
  waitUntil: string | null
  waitReason: WaitReason | null
}
export type Step =
  'idle' | 'busy' | 'paused' | 'completed' | 'resting' | 'waiting' | 'passed' | 'capped' | 'queued'

/** Methods of the portal itself. */
export function createRunStore(db: Database) {
  return {
    due: async (nowMs: number): Promise<Due[]> =>
      (
        await db.query<Due>(
          `select d.id, d."instanceName", d.pacing, c.media is not null as "hasMedia"
          from portal.due_campaigns($1) d join public.remarketing_campaigns c on c.id = d.id`,
          [instant(nowMs)],
        )
      ).rows,
    /** The next messages within that time. */
    coming: async (nowMs: number, withinMs: number): Promise<Coming[]> => {
      const { rows } = await db.query<{ coming: Coming[] }>(
        'select portal.coming_recipients($1, $2) as coming',
        [instant(nowMs), withinMs],
      )
      return rows[0]?.coming ?? []
    },
    run: async (id: number, nowMs: number, pace: Pace): Promise<Step> => {
      const { rows } = await db.query<{ step: Step }>(
        'select portal.run_campaign($1, $2, $3::jsonb) as step',
        [id, instant(nowMs), JSON.stringify(pace)],
      )
      return rows[0]?.step ?? 'idle'
    },
    fail: async (id: number, nowMs: number, reason: ErrorReason): Promise<void> =>
      void (await db.query('select portal.fail_campaign($1, $2, $3)', [id, instant(nowMs), reason])),
  }
}
