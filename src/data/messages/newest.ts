// Requests a conversation's newest messages, even before the code that shows them is loaded.
import { rows } from '#api/client.ts'
import { arePositionsTaken } from '#api/live-position.ts'
import { goFirst } from '../first-in-line.ts'

export const PAGE = 50
/** The columns that MessageRow reads. */
export const COLUMNS =
  'id,body,timestamp,type,read,kind,author,delivery,delivery_reason,operation_id,content,quoted,reactions,edited_at,message_id,change'
export const TYPES = ['incoming', 'outgoing', 'note'] as const
/** The server returns grey notes only if the request filters by type. */
export const ANY_TYPE = `in.(${TYPES.join()})`

export type Cut = { limit: number; before?: { sentAtSeconds: number; id: number }; signal?: AbortSignal }

let ahead: { contactId: number; rows: Promise<unknown> } | null = null

/** Starts the request while the code that reads its answer loads. Contacts with a local id have no messages. */
export function askAhead(contactId: number) {
  ahead = contactId > 0 ? { contactId, rows: askForRows(contactId, { limit: PAGE }) } : null
  ahead?.rows.catch(() => undefined)
}

/** Returns the newest rows, or those before a given message; newest first. */
export function messageRows(contactId: number, cut: Cut): Promise<unknown> {
  const asked = ahead
  ahead = null
  const isSame = asked?.contactId === contactId && cut.limit === PAGE && !cut.before
  // Uses the early request only until live events arrive, because its answer may be older than an event.
  return isSame && !arePositionsTaken() ? asked.rows : askForRows(contactId, cut)
}

function askForRows(contactId: number, { limit, before, signal }: Cut): Promise<unknown> {
  const asking = rows(
    'whatsapp_messages',
    {
      select: COLUMNS,
      contact_id: `eq.${contactId}`,
      type: ANY_TYPE,
      ...(before && {
        or: `(timestamp.lt.${before.sentAtSeconds},and(timestamp.eq.${before.sentAtSeconds},id.lt.${before.id}))`,
      }),
      order: 'timestamp.desc,id.desc',
      limit: String(limit),
    },
    signal,
  )
  return goFirst(asking)
}
