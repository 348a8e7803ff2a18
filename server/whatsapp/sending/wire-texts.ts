// Texts through /rest/v1/whatsapp_messages: one row for a lead of the caller, sent like any text.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { readText, unconfigured } from './send-input.ts'
import { createSendStore } from './send-store.ts'

const CLOSED =
  'Por aqui só entra um texto seu a um contato seu, um por pedido: contact_id, body e, se quiser, id. Arquivos vão por POST /api/messages/media; para tirar da fila, DELETE /api/messages/:id.'

const Broker = v.looseObject({ app_metadata: v.looseObject({ portal_role: v.literal('broker') }) })
const closed = () => new PortalError('wire.closed', CLOSED, { status: 403 })

/** Author, time and instance come from the session, so the row's own values are ignored. */
const TextRow = v.strictObject({
  id: v.optional(v.unknown()),
  contact_id: v.optional(v.unknown()),
  body: v.optional(v.unknown()),
  type: v.optional(v.literal('outgoing')),
  sender: v.optional(v.literal('me')),
  kind: v.optional(v.literal('text')),
  ...Object.fromEntries(
    ['from', 'from_number', 'timestamp', 'read', 'author', 'instanceName', 'created_at'].map((name) => [
      name,
      v.optional(v.unknown()),
    ]),
  ),
})

/** Serves writes to a table whose rows clients may not write directly. */
export function createWireTexts(parts: {
  db: Database
  /** False: 'WhatsApp não configurado'. */
  isConfigured: boolean
  onQueued: (instanceName: string) => void
}) {
  const store = createSendStore(parts.db)
  return {
    closed: CLOSED,
    insert: async (claims: Claims, row: unknown, operationId: string): Promise<number> => {
      const wanted = v.safeParse(TextRow, row)
      if (!wanted.success || !v.is(Broker, claims)) throw closed()
      const { contact_id: contactId, body: text } = wanted.output
      const input = readText({ contactId, text, operationId })
      if (!parts.isConfigured) throw unconfigured()
      const message = await store.queue(claims, input, null).catch((error: unknown) => {
        throw error instanceof PortalError && error.code === 'lead.unknown' ? closed() : error
      })
      parts.onQueued(message.instanceName)
      return message.id
    },
  }
}
