// Refusals of the REST layer with PostgREST's codes and English texts, which are part of its protocol.

export type RestErrorParts = {
  status: number
  code: string
  message: string
  details?: unknown
  hint?: string | null
  headers?: Record<string, string>
}

/** A refusal for the client: `{code, message, details, hint}` with this status. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly status: number
  readonly code: string
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Record<string, string>

  constructor(parts: RestErrorParts) {
    super(parts.message)
    this.status = parts.status
    this.code = parts.code
    this.details = parts.details ?? null
    this.hint = parts.hint ?? null
    this.headers = parts.headers ?? {}
  }
}

/** PGRST100: a part of the query string cannot be parsed. */
export const unreadable = (message: string, details: string | null = null) =>
  new RestError({ status: 400, code: 'PGRST100', message, details })

/** PGRST100 as well: a URL that is too long. */
export const urlTooLong = (limit: number) =>
  new RestError({ status: 414, code: 'PGRST100', message: `The URL is longer than ${limit} characters` })

/** PGRST101: GET on a function that writes, or a method that functions do not have. */
export const rpcMethod = (method: string) =>
  new RestError({ status: 405, code: 'PGRST101', message: `Cannot use the ${method} method on RPC` })

/** 25006: a writing function was called by GET or HEAD, whose transactions are read-only. */
export const onlyReading = ({ code, message }: { code: string; message: string }) =>
  new RestError({ status: 405, code, message })

/** Seconds after which a client repeats a request that got 503. */
export const RETRY_LATER = { 'retry-after': '5' }

/** PGRST102: a body that cannot be used. */
export const badBody = (message: string, status = 400) => new RestError({ status, code: 'PGRST102', message })

/** PGRST103: a range outside of the rows; `total` is given when the rows were counted. */
export const badRange = (details: string, total?: number) =>
  new RestError({
    status: 416,
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details,
    ...(total === undefined ? {} : { headers: { 'content-range': `*/${total}` } }),
  })

/** PGRSTX04: the answer is too large. */
export const tooHeavy = (limitBytes: number) =>
  new RestError({
    status: 413,
    code: 'PGRSTX04',
    message: `The answer is larger than ${limitBytes} bytes`,
    hint: 'Select fewer columns, or set a limit on the resource and on what it embeds.',
  })

/** PGRSTX05: embeds that repeat relations too often. */
export const tooFarReaching = (name: string, limit: number) =>
  new RestError({
    status: 400,
    code: 'PGRSTX05',
    message: `Embedding '${name}' below a row that others share could answer more than ${limit} rows`,
    hint: `Set a limit on '${name}' and on what embeds it, or ask for it in a request of its own.`,
  })

/** PGRST106: a profile header names a schema that is not exposed. */
export const unknownSchema = (schema: string, exposed: readonly string[]) =>
  new RestError({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  })

/** PGRST107: no media type of the Accept header is available. */
export const notAcceptable = (mediaTypes: readonly string[]) =>
  new RestError({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${mediaTypes.join(', ')}`,
  })

/** PGRST108: a filter, order or limit names a relation that `select` does not embed. */
export const notEmbedded = (name: string) =>
  new RestError({
    status: 400,
    code: 'PGRST108',
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })

/** The error of Postgres when one name stands for two relations; PostgREST fails in the same way. */
export const repeatedEmbed = (origin: string, name: string, depth: number) =>
  new RestError({
    status: 400,
    code: '42712',
    message: `table name "${origin}_${name}_${depth}" specified more than once`,
  })

/** PGRST116: one object was asked for and `count` rows were found. */
export const notSingular = (count: number) =>
  new RestError({
    status: 406,
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${count} rows`,
  })

export const unsupportedMethod = (method: string) =>
  new RestError({ status: 405, code: 'PGRST117', message: `Unsupported HTTP method: ${method}` })

/** PGRST118: ordering by a to-many relation. */
export const orderNotToOne = (origin: string, target: string) =>
  new RestError({
    status: 400,
    code: 'PGRST118',
    message: `A related order on '${target}' is not possible`,
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  })

export const badPreferences = (names: readonly string[]) =>
  new RestError({
    status: 400,
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${names.join(', ')}`,
  })

export const tooManyAffected = (count: number) =>
  new RestError({
    status: 400,
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${count} rows`,
  })

export const unknownPath = () =>
  new RestError({ status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' })

/** Postgres names only the table. */
export const columnsDenied = (table: string, names: readonly string[], writable: readonly string[]) =>
  new RestError({
    status: 403,
    code: '42501',
    message: `permission denied for column ${names.join(', ')} of table ${table}`,
    details: 'The other columns were not written either.',
    hint: `Columns that may be written: ${writable.join(', ')}`,
  })

export const noRootDocument = () =>
  new RestError({ status: 404, code: 'PGRST126', message: 'Root endpoint metadata is disabled' })

/** PGRST127: PostgREST may have this feature, this layer has not. */
export const notImplemented = (details: string) =>
  new RestError({ status: 400, code: 'PGRST127', message: 'Feature not implemented', details })

export const maxAffectedNeedsSet = () =>
  new RestError({
    status: 400,
    code: 'PGRST128',
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  })

/** PGRST204: a column that the body or `columns` names and the table lacks. */
export const unknownColumn = (table: string, column: string) =>
  new RestError({
    status: 400,
    code: 'PGRST204',
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  })

/** PGRST301 or PGRST303: an invalid or expired bearer token. */
export function invalidToken(reason: 'invalid' | 'expired'): RestError {
  const message = reason === 'expired' ? 'JWT expired' : "JWT couldn't be decoded"
  return new RestError({
    status: 401,
    code: reason === 'expired' ? 'PGRST303' : 'PGRST301',
    message,
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  })
}

/** The error of Postgres for a NUL character, raised before the value reaches Postgres. */
export const nulCharacter = () =>
  new RestError({ status: 400, code: '22021', message: 'invalid byte sequence for encoding "UTF8": 0x00' })
