// A client's call to its gateway, mostly about one instance.
import type * as v from 'valibot'
import { GatewayError } from '#server/gateway.ts'
import { read, requireName } from './checks.ts'
import type { Operation } from './faults.ts'
import type { Call, Http } from './http.ts'

export type Asked = readonly [
  operation: Operation,
  instanceName: string | null,
  method: Call['method'],
  path: string,
]
type More = Pick<Call, 'body' | 'limitMs' | 'isFile'>
/** Checks the instance's name and the gateway's version, calls, and parses the answer. */
export type Ask = <T extends v.GenericSchema>(
  schema: T,
  asked: Asked,
  more?: More,
) => Promise<v.InferOutput<T>>

export const createAsk =
  (http: Http, checkVersion: () => Promise<string>): Ask =>
  async (schema, [operation, instanceName, method, path], more) => {
    if (instanceName !== null) requireName(operation, instanceName)
    await checkVersion()
    return read(operation, schema, await http({ operation, instanceName, method, path, ...more }))
  }

export function nullIfUnknown(error: unknown): null {
  if (error instanceof GatewayError && error.fault === 'unknown-instance') return null
  throw error
}

export function ignoreFault(error: unknown) {
  if (!(error instanceof GatewayError)) throw error
}
