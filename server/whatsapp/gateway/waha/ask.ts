// How the parts of WAHA's client ask the server.
import type * as v from 'valibot'
import { GatewayError } from '#server/gateway.ts'
import type { Operation } from '../faults.ts'
import type { Call } from '../http.ts'

type Asked = readonly [operation: Operation, instanceName: string, method: Call['method'], path: string]
type More = Pick<Call, 'body' | 'limitMs' | 'isFile'>
/** A call on one instance: validated name, supported server, answer parsed by its schema. */
export type Ask = <T extends v.GenericSchema>(
  schema: T,
  asked: Asked,
  more?: More,
) => Promise<v.InferOutput<T>>

export const sessionCall = (operation: Operation, name: string, method: Call['method'] = 'GET') =>
  [operation, name, method, `/api/sessions/${name}`] as const

export const chatOf = (jid: string): string => jid.replace('@s.whatsapp.net', '@c.us')

export const ignoreFault = (error: unknown) => {
  if (!(error instanceof GatewayError)) throw error
}

/** Runs so many pieces of work at once, and the others after them. */
export function createLanes(count: number) {
  const lanes = Array.from({ length: count }, (): Promise<unknown> => Promise.resolve())
  let next = 0
  return <T>(work: () => Promise<T>): Promise<T> => {
    const lane = next++ % count
    const mine = (lanes[lane] ?? Promise.resolve()).then(work)
    lanes[lane] = mine.catch(() => undefined)
    return mine
  }
}
