// The webhooks that other systems receive, for openapi.json: the data of each event, and the test.
import * as v from 'valibot'
import type { EventType } from '#domain/machine.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'
import { toJsonSchema } from './json-schema.ts'

const owner = v.nullable(v.string())
const count = v.pipe(v.number(), v.integer())
const offer = v.object({ leadId: id, rotationId: id, instanceName: v.string() })
const move = v.object({ leadId: id, from: v.string(), to: v.string() })
const message = v.object({ leadId: id, messageId: id, kind: v.string(), author: v.string() })
const visit = v.object({ leadId: id, visitId: id, startsAt: instant })

export const EVENT_DATA: Readonly<Record<EventType | 'portal.test', v.GenericSchema>> = {
  'portal.test': v.object({}),
  'lead.created': v.object({ leadId: id, instanceName: owner, stage: v.string() }),
  'lead.assigned': v.object({ leadId: id, from: owner, instanceName: owner }),
  'lead.offered': offer,
  'lead.accepted': offer,
  'lead.answered': v.object({ leadId: id, instanceName: owner }),
  'lead.moved': move,
  'lead.won': move,
  'lead.lost': move,
  'lead.opted_out': v.object({ leadId: id }),
  'message.received': message,
  'message.sent': message,
  'broker.link_lost': v.object({ instanceName: v.string(), state: v.string() }),
  'campaign.finished': v.object({ campaignId: id, brokerId: v.string(), status: v.string() }),
  'import.finished': v.object({
    importId: v.string(),
    state: v.string(),
    added: count,
    known: count,
    refused: count,
  }),
  'visit.booked': visit,
  'visit.moved': visit,
  'visit.held': visit,
  'visit.missed': visit,
  'visit.cancelled': visit,
  'development.changed': v.object({ developmentId: id, isArchived: v.boolean() }),
  'material.sent': v.object({
    leadId: id,
    instanceName: v.string(),
    developmentId: id,
    messageIds: v.array(id),
  }),
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'user-agent']

/** The webhooks in the form in which OpenAPI 3.1 describes requests that the portal sends. */
export const makeWebhooks = () =>
  Object.fromEntries(
    Object.entries(EVENT_DATA).map(([type, data]) => {
      const body = {
        type: 'object',
        properties: {
          type: { type: 'string', enum: [type] },
          timestamp: toJsonSchema(instant),
          data: toJsonSchema(data),
        },
        required: ['type', 'timestamp', 'data'],
      }
      const post = {
        summary: type === 'portal.test' ? 'Enviar teste, na tela Integrações' : `Aviso ${type}`,
        parameters: HEADERS.map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: { '2XX': { description: 'Recebido' }, '410': { description: 'Não enviar mais' } },
      }
      return [type, { post }]
    }),
  )
