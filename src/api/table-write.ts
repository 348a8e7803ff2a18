// Writes rows through the REST endpoint. Only screens whose calls must have this form use it.
import { sendAuthorized } from './client.ts'
import { httpError, send } from './network.ts'

/** Inserts a row. Throws the errors of rpc, and `request.refused` with status 409 if the row exists. */
export function insertRow(table: string, row: Record<string, unknown>): Promise<void> {
  return write(`/rest/v1/${table}`, { method: 'POST', body: JSON.stringify(row) })
}

/** Deletes the rows that match PostgREST filters; no match is no error. Throws the errors of rpc. */
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
