// Rows of a table written on the REST wire, for the few screens whose calls are fixed so.
import { sendAuthorized } from './client.ts'
import { httpError, send } from './network.ts'

/** Raises PortalError as rpc does; `request.refused` with status 409 where the row is there already. */
export function insertRow(table: string, row: Record<string, unknown>): Promise<void> {
  return write(`/rest/v1/${table}`, { method: 'POST', body: JSON.stringify(row) })
}

/** Those that PostgREST's own filters name; none there is no fault. Raises PortalError as rpc does. */
export function deleteRows(table: string, filters: Record<string, string>): Promise<void> {
  return write(`/rest/v1/${table}?${new URLSearchParams(filters).toString()}`, { method: 'DELETE' })
}

async function write(path: string, init: { method: string; body?: string }): Promise<void> {
  const response = await sendAuthorized((token) => {
    const headers = new Headers({ 'Content-Type': 'application/json', Prefer: 'return=minimal' })
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    return send(path, { ...init, headers })
  })
  if (!response.ok) throw httpError(response.status, await response.json().catch(() => null))
}
