// The office of tests about incoming leads: linked brokers, no gateway, and no leads at the start of each test.
import { afterAll, afterEach } from 'vitest'
import { openOffice } from './office.ts'
import { makeLinkedBroker } from './rotation.ts'

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
