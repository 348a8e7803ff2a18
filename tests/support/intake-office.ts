// The office of tests about incoming leads: linked brokers, no gateway, and no leads at the start of each test.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect } from 'vitest'
import { openOffice } from './office.ts'
import { makeLinkedBroker } from './rotation.ts'
import type { Calls } from './whatsapp.ts'

export async function openIntakeOffice() {
  const office = await openOffice({ make: makeLinkedBroker, hasGateway: false })
  const { db } = office
  afterAll(office.close)
  afterEach(() =>
    db.exec(
      'delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.intake_keys; delete from portal.people',
    ),
  )
  return office
}

/** An administrator makes a key for incoming leads, of a form by default. */
export async function makeIntakeKey(
  asAdmin: Calls,
  more: object = {},
): Promise<{ id: string; key: string; path: string }> {
  const { status, body } = await asAdmin.call('/api/leads/keys', {
    operationId: randomUUID(),
    kind: 'form',
    name: 'Site',
    ...more,
  })
  expect(status).toBe(200)
  return body as { id: string; key: string; path: string }
}
