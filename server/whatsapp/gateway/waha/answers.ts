// Parses WAHA's answers into the types of server/gateway.ts.
import * as v from 'valibot'
import type { GatewayInstance, LinkState } from '#server/gateway.ts'
import { rowsOf, Seconds } from '../checks.ts'
import { text } from '../message/field.ts'
import { personJid } from '../message/jid.ts'

const textOrNull = v.nullish(v.string(), null)

export const Version = v.object({ version: v.string(), engine: v.string() })

/** `me`: the linked phone; a failed session keeps it. */
export const Session = v.object({
  name: v.string(),
  status: v.string(),
  me: v.nullish(v.object({ id: v.string(), pushName: textOrNull }), null),
  config: v.optional(v.unknown()),
})
export type Session = v.InferOutput<typeof Session>

/** Any other status counts as closed. A passkey must still be confirmed in a browser, so that link is not open yet. */
export const STATES: Readonly<Record<string, LinkState>> = {
  WORKING: 'open',
  STARTING: 'connecting',
  SCAN_QR_CODE: 'connecting',
  PASSKEY_REQUIRED: 'connecting',
  PASSKEY_CONFIRMATION_REQUIRED: 'connecting',
}
export const stateOf = ({ status }: Session): LinkState => STATES[status] ?? 'close'

/** WAHA's sessions have no id but their name. */
export const instanceOf = (session: Session): GatewayInstance => ({
  instanceId: session.name,
  instanceName: session.name,
  state: stateOf(session),
  ownerJid: personJid(session.me?.id),
  number: null,
  profileName: session.me?.pushName ?? null,
  profilePicUrl: null,
})

/** A message id without its chat: `true_5511…@c.us_3EB0…_participant` and `3EB0…` are the same message. */
export function bareId(id: unknown): string | null {
  const written = text(id, 400)
  return /^(?:true|false)_.*?@[a-z.]+_([^_]+)/.exec(written ?? '')?.[1] ?? written
}

/** WAHA answers with Baileys' raw message, or with one in its own form. */
export const Sent = v.pipe(
  v.union([
    v.object({ key: v.object({ id: v.string() }), messageTimestamp: Seconds }),
    v.object({ id: v.string(), timestamp: Seconds }),
  ]),
  v.transform((sent) =>
    'key' in sent
      ? { messageId: sent.key.id, sentAtSeconds: sent.messageTimestamp }
      : { messageId: bareId(sent.id) ?? sent.id, sentAtSeconds: sent.timestamp },
  ),
)

const Row = v.looseObject({
  id: v.string(),
  timestamp: Seconds,
  _data: v.looseObject({ key: v.looseObject({}) }),
})
export type Row = v.InferOutput<typeof Row>

/** Each message comes once. */
export const Page = v.pipe(
  v.array(v.unknown()),
  v.transform((rows) => {
    const records = v.parse(rowsOf(Row), rows)
    return {
      isEmpty: rows.length === 0,
      records: [...new Map(records.map((row) => [bareId(row.id), row])).values()],
    }
  }),
)

export const Existing = v.object({ numberExists: v.boolean(), chatId: textOrNull })
export const Bytes = v.instance(Uint8Array)
export const WithMedia = v.object({ media: v.nullish(v.object({ url: textOrNull }), null) })
/** The phone behind a hidden id. */
export const Phone = v.object({ pn: textOrNull })
export const Picture = v.object({ data: v.string() })
export const Raw = v.object({ value: v.string() })
export const Code = v.object({ code: v.string() })
