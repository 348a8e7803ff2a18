// Shared by the parts of WAHA's client: paths and addresses.
import type { Operation } from '../faults.ts'
import type { Call } from '../http.ts'

export const sessionCall = (operation: Operation, name: string, method: Call['method'] = 'GET') =>
  [operation, name, method, `/api/sessions/${name}`] as const

export const chatOf = (jid: string): string => jid.replace('@s.whatsapp.net', '@c.us')
