// Helpers for scheduled messages.
import { randomUUID } from 'node:crypto'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Database, SqlValue } from '#server/db/database.ts'

export type Answer = {
  success: boolean
  code: string
  message: string | null
  scheduled_id: number | null
}
export type Later = { id: number; op: string | null; due: number; silent: boolean; why?: string }

/** Calls a database function as a signed-in person. */
export async function callAs<T>(
  db: Database,
  claims: Claims,
  name: string,
  given: Record<string, SqlValue>,
): Promise<T> {
  const names = Object.keys(given)
  const { rows } = await asUser(db, claims, (query) =>
    query<{ answer: T }>(
      `select public.${name}(${names.map((word, n) => `${word} => $${n + 1}`).join(', ')}) as answer`,
      Object.values(given),
    ),
  )
  return rows[0]!.answer
}

export const schedule = (db: Database, claims: Claims, contactId: number, more: Record<string, SqlValue>) =>
  callAs<Answer>(db, claims, 'message_schedule', {
    p_contact_id: contactId,
    p_text: 'Bom dia! Conseguiu ver a planta?',
    p_operation_id: randomUUID(),
    ...more,
  })

/** The scheduled messages in a lead's row. */
export async function laterOf(db: Database, contactId: number): Promise<Later[] | null> {
  const { rows } = await db.query<{ later: Later[] | null }>(
    'select later from public.whatsapp_contacts where id = $1',
    [contactId],
  )
  return rows[0]?.later ?? null
}

/** One poll of the worker at a given time; returns the instances whose queues have messages. */
export async function queueDue(db: Database, atMs: number, gapMs = 0): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select portal.queue_due_texts($1, $2) as name', [
    new Date(atMs).toISOString(),
    gapMs,
  ])
  return rows.map(({ name }) => name)
}
