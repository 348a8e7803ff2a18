// A client's call to its gateway, mostly about one instance.
import type * as v from 'valibot'
import { GatewayError } from '#server/gateway.ts'
import { read, requireName } from './checks.ts'
import { isSend, type Operation } from './faults.ts'
import type { Call, Http } from './http.ts'

export type Asked = readonly [
  operation: Operation,
  instanceName: string | null,
  method: Call['method'],
  path: string,
]
/** `delayMs`: the gateway answers only after this time. */
type More = Pick<Call, 'body' | 'isFile'> & { delayMs?: number }
/** Checks the instance's name and the gateway's version, calls, and parses the answer. */
export type Ask = <T extends v.GenericSchema>(
  schema: T,
  asked: Asked,
  more?: More,
) => Promise<v.InferOutput<T>>

/** Searches take long, and a file is first downloaded from WhatsApp. */
const LIMITS_MS: Partial<Record<Operation, number>> = { findMessages: 60_000, fetchMedia: 110_000 }
const limitOf = (operation: Operation) => LIMITS_MS[operation] ?? (isSend(operation) ? 60_000 : 20_000)

export const createAsk =
  (http: Http, checkVersion: () => Promise<string>): Ask =>
  async (schema, [operation, instanceName, method, path], { delayMs = 0, ...more } = {}) => {
    if (instanceName !== null) requireName(operation, instanceName)
    await checkVersion()
    const limitMs = delayMs + limitOf(operation)
    return read(operation, schema, await http({ operation, instanceName, method, path, limitMs, ...more }))
  }

export function nullIfUnknown(error: unknown): null {
  if (error instanceof GatewayError && error.fault === 'unknown-instance') return null
  throw error
}

export function ignoreFault(error: unknown) {
  if (!(error instanceof GatewayError)) throw error
}
