// A muted lead sends no push, on any device, until it is unmuted or transferred.
import { afterAll, expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signIn } from '#tests/support/make.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { addDevice, openPusher, openPushService } from '#tests/support/push.ts'
import { callAs } from '#tests/support/scheduled.ts'

const base = await openBase()
const service = await openPushService(() => pusher.publicKey)
// Never started: pushes stay in the queue.
const pusher = await openPusher(base.db, silentLog)
afterAll(() => service.close())

const forgetPushes = () => base.db.exec('delete from portal.push_queue')
const write = (contactId: number, body: string) =>
  makeMessage(base.db, contactId, { body, timestamp: Math.floor(Date.now() / 1000) })
const waiting = async () =>
  (await base.db.query<{ tag: string; kind: string }>('select tag, kind from portal.push_queue order by id'))
    .rows

test('a muted lead notifies nobody until it is unmuted, and notifies its next broker', async () => {
  const ana = await makeBroker(base.db)
  const bia = await makeBroker(base.db)
  for (const [at, { id }] of [ana, bia].entries())
    await addDevice(base.db, id, service.subscribe(`/device-${at}`))
  const lead = await makeContact(base.db, ana.instanceName)
  await forgetPushes()
  const asAna = await signIn(base.db, ana)
  const mute = (isMuted: boolean | null, claims = asAna) =>
    callAs<boolean | null>(base.db, claims, 'lead_mute', { p_contact_id: lead.id, p_is_muted: isMuted })
  expect(await mute(null)).toBe(false)
  await write(lead.id, 'Antes')
  expect(await waiting()).toHaveLength(1)
  expect(await mute(true)).toBe(true)
  expect(await waiting(), 'what had not gone out yet').toEqual([])
  expect(await mute(true), 'a repeat').toBe(true)
  await write(lead.id, 'Calado')
  expect(await waiting()).toEqual([])
  expect(await mute(false)).toBe(false)
  await write(lead.id, 'De novo')
  expect(await waiting()).toMatchObject([{ kind: 'message', tag: `lead-${lead.id}` }])

  const asBia = await signIn(base.db, bia)
  expect(await mute(true, asBia), 'another broker').toBeNull()
  await mute(true)
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    lead.id,
    bia.instanceName,
  ])
  await forgetPushes()
  expect(await mute(null, asBia)).toBe(false)
  await write(lead.id, 'Para a Bia')
  expect(await waiting()).toMatchObject([{ kind: 'message' }])
})
