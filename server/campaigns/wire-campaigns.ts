// Writes of /rest/v1/remarketing_campaigns: starts a campaign for all leads of a stage, with the screen's
// checks, and stops one.
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { CampaignRow, createPlanStore } from './campaign-store.ts'

const CLOSED =
  'Por aqui uma campanha sua só começa (kanban_stage, message, status running) ou para (id=eq., status stopped). O resto vai por /api/campaigns.'

const closed = (more = '') => new PortalError('wire.closed', CLOSED + more, { status: 403 })

const given = v.optional(v.unknown())
const NewRow = v.strictObject({
  id: given,
  broker_id: v.optional(v.string()),
  kanban_stage: given,
  message: given,
  status: v.optional(v.literal('running')),
  // Counters are written by the server only.
  total_contacts: given,
  processed_contacts: given,
  created_at: given,
})
const Stop = v.strictObject({
  status: v.literal('stopped'),
  total_contacts: given,
  processed_contacts: given,
})

/** Serves writes to a table whose rows clients may not write directly. */
export function createWireCampaigns(parts: {
  store: Pick<ReturnType<typeof createPlanStore>, 'steer'>
  clock: Clock
  /** Starts a campaign in the same way as the screen, with the same PortalErrors. */
  start: (claims: Claims, body: unknown) => Promise<CampaignRow>
  onChanged: () => void
}) {
  const { store, clock, start, onChanged } = parts
  return {
    closed: CLOSED,
    insert: async (claims: Claims, row: unknown, operationId: string): Promise<number> => {
      const wanted = v.safeParse(NewRow, row)
      if (!wanted.success) throw closed()
      const { broker_id: brokerId, kanban_stage: stage, message } = wanted.output
      if (brokerId !== undefined && brokerId !== claims['sub']) throw closed()
      const campaign = await start(claims, { operationId, stage, message })
      onChanged()
      return campaign.id
    },
    update: async (
      claims: Claims,
      change: Readonly<Record<string, unknown>>,
      id: number,
    ): Promise<number> => {
      if (!v.is(Stop, change)) {
        const names = Object.keys(change).filter((name) => !Object.hasOwn(Stop.entries, name))
        throw closed(names.length === 0 ? '' : ` Mudou: ${names.join(', ')}.`)
      }
      const asked = { id, operationId: randomUUID(), nowMs: clock.now() }
      const campaign = await store.steer(claims, 'stop', asked)
      onChanged()
      return campaign.id
    },
  }
}
