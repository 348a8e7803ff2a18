// A client's call to its gateway about one instance.
import type * as v from 'valibot'
import { read, requireName } from './checks.ts'
import type { Operation } from './faults.ts'
import type { Call, Http } from './http.ts'

export type Asked = readonly [
  operation: Operation,
  instanceName: string,
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
    requireName(operation, instanceName)
    await checkVersion()
    return read(operation, schema, await http({ operation, instanceName, method, path, ...more }))
  }
