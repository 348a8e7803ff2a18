// Maps a refusal of Postgres to PostgREST's answer for its SQLSTATE.
import { isPassing, type SqlError } from '#server/db/database.ts'
import { RestError, RETRY_LATER, tooHeavy } from './errors.ts'
import { MAX_ANSWER_BYTES } from './limits.ts'
import { TOO_HEAVY } from './sql/weight.ts'

/**
 * By SQLSTATE, else by its two-character class, else 400. Errors that a retry may overcome are 503 before this table is
 * read. PostgREST answers some of those with 405 or 500, after which a phone drops a write.
 */
const STATUSES: Record<string, number> = {
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21000': 500,
  '23503': 409,
  '23505': 409,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53': 500,
  // A value beyond a limit of Postgres comes from the request, although PostgREST blames the server.
  '54000': 400,
  '54': 500,
  '55': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0001: 400,
  P0: 500,
  PT: 500,
  XX: 500,
}

/** Classes whose messages reveal server internals. */
const INTERNAL = /^(08|58|F0|XX)/

/** A text that is no date, and a date that does not exist. People reach these by an address that they typed. */
const UNREAD_DATE = /^2200[78]$/
const UNREAD_DATE_TEXT = 'Esta data não existe. Escreva ano, mês e dia, como 2026-11-30.'

export function fromSqlError(error: SqlError, isAnonymous: boolean): RestError {
  if (error.code === 'PGRST') return fromRaise(error)
  if (error.code === '22P02' && error.message.includes(TOO_HEAVY)) return tooHeavy(MAX_ANSWER_BYTES)
  if (UNREAD_DATE.test(error.code))
    return new RestError({ status: 400, code: error.code, message: UNREAD_DATE_TEXT, details: error.message })
  const status = statusOf(error, isAnonymous)
  const isInternal = status >= 500 && INTERNAL.test(error.code)
  const isOwnText = status < 500 || /^P[0T]/.test(error.code)
  return new RestError({
    status,
    code: error.code,
    message: isInternal ? 'Internal server error' : error.message,
    details: isOwnText ? error.detail : null,
    hint: isOwnText ? error.hint : null,
    ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
    ...(status === 503 ? { headers: RETRY_LATER } : {}),
    ...(status === 429 && error.detail !== null ? { headers: { 'retry-after': error.detail } } : {}),
  })
}

function statusOf({ code, message }: SqlError, isAnonymous: boolean): number {
  if (code === '42501') return isAnonymous ? 401 : 403
  const own = /^PT([1-5]\d\d)$/.exec(code)?.[1]
  if (own) return toHttpStatus(Number(own)) ?? 500
  // The caller's search text was too long for the parser, which has no better code for it.
  if (code === 'XX000' && message === 'tsquery stack too small') return 400
  if (isPassing({ code })) return 503
  return STATUSES[code] ?? STATUSES[code.slice(0, 2)] ?? 400
}

/** A valid HTTP status; below 200 there is no final answer. */
export const toHttpStatus = (status: number): number | null =>
  Number.isInteger(status) && status >= 200 && status <= 599 ? status : null

/** `raise sqlstate 'PGRST'` with JSON in message and detail defines the whole answer. */
function fromRaise({ message, detail }: SqlError): RestError {
  const body = readObject(message)
  const shape = detail === null ? null : readObject(detail)
  const status = toHttpStatus(Number(shape?.['status']))
  const isWhole = typeof body?.['code'] === 'string' && typeof body['message'] === 'string' && status !== null
  if (!isWhole || !shape)
    return new RestError({
      status: 500,
      code: 'PGRST121',
      message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
      details: detail === null ? 'DETAIL is missing in the RAISE statement' : null,
      hint: `DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.`,
    })
  const { code, message: text, details, hint } = body
  return new RestError({
    status,
    code: String(code),
    message: String(text),
    details: details ?? null,
    hint: typeof hint === 'string' ? hint : null,
    headers: readHeaders(shape['headers']),
  })
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const readHeaders = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([name, text]) => [
      name,
      String(text),
    ]),
  )
