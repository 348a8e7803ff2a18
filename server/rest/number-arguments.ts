// Phone numbers in arguments of functions: normalised by the portal's parser before they reach the database.
import { dialledDigits } from '#domain/phone/number-key.ts'
import { readNumbers } from '#domain/phone/read.ts'
import { bodyType, readBytes, toText } from './request/body.ts'
import { readTarget } from './request/target.ts'

/** Functions of `public` with a number as an argument; a test compares the list with the database. */
export const NUMBER_FUNCTIONS: ReadonlySet<string> = new Set([
  'action_finish',
  'action_save',
  'action_snooze',
  'atualizar_status_lead',
  'interest_add',
  'interest_remove',
  'lead_add',
  'lead_fields',
  'lead_mute',
  'lead_pass',
  'lead_private',
  'lead_public',
  'lead_take',
  'lead_unread',
  'material_send',
  'message_delete',
  'message_edit',
  'message_react',
  'message_schedule',
  'message_unschedule',
  'plan_start',
  'plan_stop',
  'rename_lead',
  'save_lead_notes',
  'send_test_lead',
  'visit_outcome',
  'visit_save',
])

const MAX_BODY_BYTES = 256 * 1024

/** Copies the request with normalised numbers in its arguments. */
export async function withReadNumbers(request: Request): Promise<Request> {
  if (request.method !== 'POST' || bodyType(request) !== 'application/json') return request
  const { kind, name } = readTarget(new URL(request.url).pathname.replace(/^\/rest\/v1(?=\/|$)/, ''))
  if (kind !== 'function' || !NUMBER_FUNCTIONS.has(name)) return request
  const bytes = await readBytes(request, MAX_BODY_BYTES)
  return new Request(request, { method: 'POST', body: withNumbers(bytes) })
}

function withNumbers(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | string {
  try {
    const body: unknown = JSON.parse(toText(bytes))
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return bytes
    const { p_number: added, p_number_lead: named } = body as Record<string, unknown>
    const read = {
      ...(typeof added === 'string' && { p_number: toAdd(added) }),
      ...(typeof named === 'string' && { p_number_lead: toFind(named) }),
    }
    return Object.keys(read).length === 0 ? bytes : JSON.stringify({ ...body, ...read })
  } catch {
    // An invalid body is reported by the code that parses it later.
    return bytes
  }
}

/**
 * All numbers, the preferred one first. A number without its area code stays, because the database reports
 * that.
 */
function toAdd(written: string): string {
  const { numbers, fault } = readNumbers(written)
  if (numbers.length > 0) return numbers.map(({ e164 }) => e164).join(' ')
  return fault === 'area' ? written : ''
}

/** A number that the database can read, a WhatsApp address and a hidden id stay unchanged. */
function toFind(written: string): string {
  if (written.includes('@') || dialledDigits(written) !== null) return written
  return readNumbers(written).numbers[0]?.e164 ?? written
}
