// The database's side of campaigns: planned and steered as the person who asks, run as the portal.
import type { ErrorReason, Exclusion, SendingPolicy, WaitReason } from '#domain/campaign.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, Row } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'

/** A row of remarketing_campaigns, as /rest/v1 shows it. */
export type CampaignRow = Row & { id: number; status: string }
export type Candidate = { contactId: number; name: string | null; exclusion: Exclusion | null }
type Settings = SendingPolicy & { restDays: number }
/** The settings, and how far the phone is today. */
export type Pacing = Settings & { day: string; sentToday: number; earlierDays: number }
export type Active = {
  campaign: CampaignRow & { next_send_at: string | null; scheduled_at: string | null }
  counts: Partial<Record<string, number>>
  current: { contactId: number | null; name: string | null } | null
}

export type Intent = 'pause' | 'resume' | 'stop' | 'retry'
/** What becomes of one whose end nobody knows. */
export type Settling = 'again' | 'sent'
type Asked = { id: number; operationId: string; nowMs: number }
type Plan = {
  operationId: string
  campaign: { stage: string; message: string; startsAt: string | null; marks: boolean; media: object | null }
  recipients: { contactId: number; body: string }[]
}

/** What a person may do with campaigns; each rejects with a PortalError that can be shown. */
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
    /** The answer of an operation that was done before. */
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

export type Due = { id: number; instanceName: string; pacing: Pacing }
/** How the next step is to be paced; `waitUntil` when nothing may be sent now. */
export type Pace = {
  /** Under which it was made. */
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

/** What the portal does with them. */
export function createRunStore(db: Database) {
  return {
    due: async (nowMs: number): Promise<Due[]> =>
      (
        await db.query<Due>('select id, "instanceName", pacing from portal.due_campaigns($1)', [
          instant(nowMs),
        ])
      ).rows,
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
