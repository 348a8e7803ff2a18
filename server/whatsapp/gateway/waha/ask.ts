// Shared by the parts of WAHA's client: paths, addresses and limits on simultaneous calls.
import { GatewayError } from '#server/gateway.ts'
import type { Operation } from '../faults.ts'
import type { Call } from '../http.ts'

export const sessionCall = (operation: Operation, name: string, method: Call['method'] = 'GET') =>
  [operation, name, method, `/api/sessions/${name}`] as const

export const chatOf = (jid: string): string => jid.replace('@s.whatsapp.net', '@c.us')

export const ignoreFault = (error: unknown) => {
  if (!(error instanceof GatewayError)) throw error
}

/** Runs at most `count` pieces of work at once. Further ones are dealt out to the lanes in turn, and wait there. */
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
