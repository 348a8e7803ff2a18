// Plans campaigns to segments for tests as the server does, and reads who is in which arm.
import { randomUUID } from 'node:crypto'
import { createSegmentStore } from '#server/campaigns/campaign-store.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { MadeContact } from './make.ts'

type Wanted = {
  question?: object
  percent?: number | null
  operationId?: string
  startsAt?: string | null
  segmentId?: number | null
}

/** Plans a campaign to everybody who matches the question. */
export async function planSegment(db: Database, claims: Claims, wanted: Wanted = {}) {
  const {
    question = {},
    percent = 10,
    operationId = randomUUID(),
    startsAt = null,
    segmentId = null,
  } = wanted
  const store = createSegmentStore(db)
  const found = await store.candidates(claims, question, percent)
  return store.plan(claims, {
    operationId,
    send: { question, percent, segmentId, message: 'Oi, {nome}!', startsAt, marks: true, media: null },
    texts: found.map(({ contactId }) => ({ contactId, body: `Oi, ${contactId}!` })),
  })
}

let used = 0
function nextNumbers(count: number): number {
  used += count
  return used - count
}

/** Makes leads for these boards in turn, each with its own number. */
export async function makeLeads(
  db: Database,
  owners: readonly { instanceName: string }[],
  count: number,
): Promise<MadeContact[]> {
  const { rows } = await db.query<MadeContact>(
    `insert into public.whatsapp_contacts ("instanceName", name, number)
     select ($1::text[])[1 + n % $2], 'Marina Tavares', (5511960000000 + $4 + n)::text
     from generate_series(0, $3 - 1) n returning *`,
    [owners.map(({ instanceName }) => instanceName), owners.length, count, nextNumbers(count)],
  )
  return rows
}

export type ArmRow = {
  person_id: number | null
  contact_id: number | null
  arm: 'campaign' | 'holdout'
  campaign_id: number | null
  is_counted: boolean
  erased: Record<string, unknown> | null
}

export const armsOf = async (db: Database, sendId: number): Promise<ArmRow[]> =>
  (
    await db.query<ArmRow>(
      'select person_id, contact_id, arm, campaign_id, is_counted, erased from portal.segment_arms where send_id = $1 order by place',
      [sendId],
    )
  ).rows
