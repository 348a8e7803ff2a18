// One HTTP call to the gateway: key, time limit, faults; neither key nor body reaches a log or error.
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import { GatewayError, type GatewayFault } from '#server/gateway.ts'
import { gatewayError, silenceError, unreadableError, unsupportedError, type Operation } from './faults.ts'

export type HttpOptions = {
  baseUrl: string
  apiKey: string
  clock: Clock
  log: Log
  /** Replaces the platform's fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** How the HTTP of one kind of gateway differs from that of others. */
export type Dialect = {
  /** The header with the key. */
  keyHeader: string
  /** The supported versions, shown to an administrator whose server has another one. */
  needed: string
  /** The meaning of an answer outside 2xx. */
  faultOf: (operation: Operation, status: number, body: unknown) => GatewayFault
  /** Where to activate a gateway without a licence; shown behind the reason. */
  licenceOf?: (body: unknown) => string | undefined
}

export type Call = {
  operation: Operation
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Every segment is already escaped. */
  path: string
  /** Null: the call concerns no instance. */
  instanceName?: string | null
  body?: object
  /** 20 s by default. */
  limitMs?: number
  /** The answer is a file: its bytes instead of parsed JSON. */
  isFile?: true
}

export type Http = (call: Call) => Promise<unknown>

const TIMEOUT_MS = 20_000
/** A file is held in memory as a whole. */
const MOST_FILE_BYTES = 100 * 1024 * 1024

/** Returns the parsed body of a 2xx (undefined if empty; a file as Uint8Array), or rejects with GatewayError. */
export function createHttp(options: HttpOptions, dialect: Dialect): Http {
  const { clock, log } = options
  return async (call) => {
    const startedAt = clock.now()
    try {
      return await answerOf({ ...options, ...dialect }, call)
    } catch (error) {
      if (error instanceof GatewayError)
        log.warn('gateway.failed', {
          operation: call.operation,
          instance: call.instanceName,
          fault: error.fault,
          status: error.status,
          durationMs: clock.now() - startedAt,
        })
      throw error
    }
  }
}

async function answerOf(options: HttpOptions & Dialect, call: Call): Promise<unknown> {
  const answered = new AbortController()
  const late = new AbortController()
  void options.clock
    .sleep(call.limitMs ?? TIMEOUT_MS, answered.signal)
    .then(() => answered.signal.aborted || late.abort())
  try {
    const response = await reach(options, call, late.signal)
    if (call.isFile && Number(response.headers.get('content-length')) > MOST_FILE_BYTES) {
      late.abort()
      throw gatewayError(call.operation, 'refused', { detail: 'o arquivo é grande demais' })
    }
    const buffer = await response.arrayBuffer().catch(() => {
      throw silenceError(call.operation, true)
    })
    const bytes = new Uint8Array(buffer)
    return call.isFile && response.ok ? bytes : bodyOf(options, call.operation, { response, bytes })
  } finally {
    answered.abort()
  }
}

async function reach(options: HttpOptions & Dialect, call: Call, signal: AbortSignal): Promise<Response> {
  const { baseUrl, apiKey, keyHeader, fetch = globalThis.fetch } = options
  try {
    return await fetch(baseUrl.replace(/\/+$/, '') + call.path, {
      method: call.method,
      headers: {
        [keyHeader]: apiKey,
        accept: call.isFile ? '*/*' : 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      // A redirect would send the key to another host.
      redirect: 'manual',
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
  } catch (error) {
    throw silenceError(call.operation, !NEVER_REACHED.has(transportCode(error)))
  }
}

/** The connection failed, so nothing was sent. With any other failure that is uncertain. */
const NEVER_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function transportCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  return inner instanceof Error && 'code' in inner ? String(inner.code) : ''
}

type Answer = { response: Response; bytes: Uint8Array }

function bodyOf(dialect: Dialect, operation: Operation, { response, bytes }: Answer): unknown {
  const body = parse(new TextDecoder().decode(bytes))
  if (!response.ok) throw answerError(dialect, operation, { status: response.status, body })
  if (body === UNREADABLE) throw unreadableError(operation)
  return body
}

type Refused = { status: number; body: unknown }

/** The error for an answer outside 2xx. */
export function answerError(dialect: Dialect, operation: Operation, { status, body }: Refused): GatewayError {
  const fault = dialect.faultOf(operation, status, body)
  if (fault === 'unsupported') return unsupportedError(operation, dialect.needed, { status })
  return gatewayError(operation, fault, { status, more: dialect.licenceOf?.(body) })
}

const UNREADABLE = Symbol('not JSON')

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return UNREADABLE
  }
}
