// Database access for rotations: decisions run as the portal, requests as the calling person.
import type { Arrival, LeadHistory, SeatOutcome, Step } from '#domain/rotation/rotation.ts'
import type { RotationDetails, RotationPlan } from '#domain/rotation/editing.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database, Query } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'

export type Intent = 'accept' | 'pass' | 'claim'
export type HistoryRow = {
  events: {
    kind: string
    instanceName: string | null
    changedBy: string
    at: string
    decision: { verdicts?: SeatOutcome[] } | null
  }[]
}
type Share = {
  instanceName: string
  weight: number
  kinds: Record<string, number>
  reasons: Record<string, number>
}
type OwnShare = Omit<Share, 'instanceName'> & { roleta: string; totalWeight: number; total: number }
type Span = { fromMs: number; toMs: number }

/** Methods for persons; every one rejects with a PortalError whose message a person may read. */
export function createRotationStore(db: Database) {
  const { one } = createAsking(db)
  return {
    details: (claims: Claims, id: number) =>
      one<RotationDetails>(claims, 'select portal.roleta_details($1) as answer', [id]),
    save: (
      claims: Claims,
      asked: { id: number; version: string; wanted: RotationPlan; operationId: string },
    ): Promise<RotationDetails> =>
      one(claims, 'select portal.save_roleta($1, $2, $3::jsonb, $4) as answer', [
        asked.id,
        asked.version,
        JSON.stringify(asked.wanted),
        asked.operationId,
      ]),
    arrivals: (claims: Claims, id: number, { fromMs, toMs }: Span) =>
      one<Arrival[]>(claims, 'select portal.roleta_arrivals($1, $2, $3) as answer', [
        id,
        instant(fromMs),
        instant(toMs),
      ]),
    shares: (claims: Claims, id: number, { fromMs, toMs }: Span) =>
      one<Share[]>(claims, 'select portal.roleta_shares($1, $2, $3) as answer', [
        id,
        instant(fromMs),
        instant(toMs),
      ]),
    ownShares: (claims: Claims, { fromMs, toMs }: Span) =>
      one<OwnShare[]>(claims, 'select portal.my_shares($1, $2) as answer', [instant(fromMs), instant(toMs)]),
    leadHistory: (claims: Claims, contactId: number) =>
      one<HistoryRow[]>(claims, 'select portal.lead_history($1) as answer', [contactId]),
    /** The course of one of the caller's leads, without the reasons of decisions. */
    ownCourse: (claims: Claims, contactId: number) =>
      one<HistoryRow[]>(claims, 'select portal.my_lead_history($1) as answer', [contactId]),
    /** Leads of the administrator that rotations could take. */
    inbox: (claims: Claims) => one<unknown[]>(claims, 'select portal.inbox_leads() as answer', []),
    sendInbox: (claims: Claims, asked: { id: number; operationId: string; nowMs: number }) =>
      one<{ leads: number }>(claims, 'select portal.send_inbox($1, $2, $3) as answer', [
        asked.id,
        asked.operationId,
        instant(asked.nowMs),
      ]),
    openCases: (claims: Claims) => one<unknown[]>(claims, 'select portal.open_cases() as answer', []),
    offers: (claims: Claims, nowMs: number) =>
      one<Record<string, unknown>>(claims, 'select portal.my_offers($1) as answer', [instant(nowMs)]),
    answer: (claims: Claims, asked: { id: number; intent: Intent; operationId: string; nowMs: number }) =>
      one<{ contactId: number | null }>(claims, 'select portal.answer_offer($1, $2, $3, $4) as answer', [
        asked.id,
        asked.intent,
        asked.operationId,
        instant(asked.nowMs),
      ]),
    pause: (claims: Claims, until: string | null) =>
      one<unknown>(claims, 'select portal.pause_leads($1) as answer', [until]),
    setCentral: (claims: Claims, asked: { instanceName: string; isCentral: boolean }) =>
      one<unknown>(claims, 'select portal.set_central($1, $2) as answer', [
        asked.instanceName,
        asked.isCentral,
      ]),
  }
}

/** A case with all inputs of its next step. */
export type Pending = LeadHistory & { id: number; contactId: number; state: string; nextAt: string | null }

/** Methods of the portal itself. */
export function createRoutingCaseStore(db: Database) {
  return {
    due: async (nowMs: number): Promise<number[]> =>
      (await db.query<{ id: number }>('select id from portal.due_cases($1)', [instant(nowMs)])).rows.map(
        ({ id }) => id,
      ),
    /**
     * The case and all that its next step needs. Runs in one transaction with `settle`. Null: no step is due any
     * more.
     */
    find: async (query: Query, id: number, nowMs: number): Promise<Pending | null> =>
      (
        await query<{ pending: Pending | null }>('select portal.case_to_decide($1, $2) as pending', [
          id,
          instant(nowMs),
        ])
      ).rows[0]?.pending ?? null,
    settle: async (query: Query, pending: Pending, step: Step & { nowMs: number }) => {
      const { id, roleta: rotation, ended, moment, state, nextAt } = pending
      const { kind, to, decision, nowMs } = step
      const log = decision && {
        seats: rotation?.seats,
        moment,
        picked: decision.picked,
        verdicts: decision.verdicts,
      }
      const carriedOut = {
        kind,
        to,
        ended,
        state,
        nextAt,
        roletaId: rotation?.id ?? null,
        credits: decision?.picked == null ? {} : decision.credits,
        decision: log,
      }
      await query('select portal.settle_case($1, $2, $3::jsonb)', [
        id,
        instant(nowMs),
        JSON.stringify(carriedOut),
      ])
    },
    postpone: async (id: number, untilMs: number): Promise<void> =>
      void (await db.query('select portal.postpone_case($1, $2)', [id, instant(untilMs)])),
  }
}
