// A rotation's offers on a broker's devices: notified at once, not after they end, without the full identity.
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeContact, makeSeat, signIn, type MadeBroker } from '#tests/support/make.ts'
import { addDevice, openPusher, openPushService, type Pusher } from '#tests/support/push.ts'
import {
  answerOffer,
  routingCaseOf,
  makeLinkedBroker,
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  takeLead,
} from '#tests/support/rotation.ts'

let ana: MadeBroker
let pusher: Pusher
let stop: () => Promise<void>
let portal: ReturnType<typeof openDistributor>
const base = await openBase()
const service = await openPushService(() => pusher.publicKey)
afterAll(() => service.close())
beforeEach(async () => {
  ana = await makeLinkedBroker(base.db)
  pusher = await openPusher(base.db, silentLog)
  portal = openDistributor(base.db)
})
afterEach(async () => {
  await stop()
  await base.db.exec(
    'delete from public.whatsapp_contacts; delete from public.roletas; delete from public.brokers',
  )
})

let count = 0
async function offer() {
  const path = `/offer-${++count}`
  await addDevice(base.db, ana.id, service.subscribe(path))
  const rotation = await makeSeatedRotation(base.db, [ana], { needs_acceptance: true, accept_minutes: 5 })
  const { contactId } = await takeLead(portal, { development: rotation.name, name: 'Marina Tavares' })
  await portal.run()
  return { path, roleta: rotation, contactId, ...(await routingCaseOf(base.db, contactId)) }
}
const waiting = async () => (await base.db.query('select kind, tag from portal.push_queue')).rows

test('first name and development, until it expires', async () => {
  const { path, roleta: rotation, id } = await offer()
  stop = pusher.start()
  pusher.pass(2_000)
  const [received] = await service.receivedAt(path)
  expect(received?.json.notification).toMatchObject({
    title: 'Novo lead para aceitar: Marina',
    body: `${rotation.name}. 5 minutos para aceitar.`,
    navigate: `https://portal.example/broker?oferta=${id}`,
    actions: [{ action: 'aceitar' }, { action: 'passar' }],
    tag: `offer-${id}`,
  })
  expect(JSON.stringify(received?.json)).not.toMatch(/Tavares|5511/)
  expect(Number(received?.headers['ttl'])).toBeLessThanOrEqual(300)
})

test('an offer accepted before its push is not notified, nor is the new lead', async () => {
  const { id } = await offer()
  expect(await waiting()).toEqual([{ kind: 'offer', tag: `offer-${id}` }])
  await answerOffer(portal, await signIn(base.db, ana), { id, intent: 'accept' })
  expect(await waiting()).toEqual([{ kind: 'offer', tag: `offer-${id}` }])
  stop = pusher.start()
  pusher.pass(2_000)
  while ((await waiting()).length > 0);
  expect(service.told.filter(({ json }) => json.notification.tag === `offer-${id}`)).toEqual([])
})

async function pooled() {
  const bia = await makeLinkedBroker(base.db)
  const { path, id, roleta: rotation } = await offer()
  const hers = `/offer-${++count}`
  await addDevice(base.db, bia.id, service.subscribe(hers))
  await makeSeat(base.db, { roletaName: rotation.name, instanceName: bia.instanceName, ordem: 2 })
  await base.db.query('update public.roletas set max_hops = 1 where id = $1', [rotation.id])
  await base.db.exec('delete from portal.push_queue')
  await answerOffer(portal, await signIn(base.db, ana), { id, intent: 'pass' })
  await portal.run()
  const received = { kind: 'offer', tag: `offer-${id}` }
  expect(await waiting()).toEqual([received, received])
  return { id, bia, paths: [path, hers] }
}

test('every active seat is notified of the bolsão', async () => {
  const { id, paths } = await pooled()
  stop = pusher.start()
  pusher.pass(2_000)
  for (const path of paths)
    expect((await service.receivedAt(path)).at(-1)?.json.notification).toMatchObject({
      title: 'Lead no bolsão: Marina',
      tag: `offer-${id}`,
    })
})

test('a lead taken from the bolsão is not notified any more', async () => {
  const { id, bia } = await pooled()
  await answerOffer(portal, await signIn(base.db, bia), { id, intent: 'claim' })
  const { rows } = await base.db.query('select portal.outdated_pushes(now())')
  expect(rows).toHaveLength(2)
  stop = pusher.start()
})

test('a lead that returns by a form: the broker is notified and finds the message with the lead, each once', async () => {
  const number = nextNumber()
  const { id } = await makeContact(base.db, ana.instanceName, { number, notes: 'Quer varanda ' })
  await addDevice(base.db, ana.id, service.subscribe(`/offer-${++count}`))
  await base.db.exec('delete from portal.push_queue')
  const ask = (message: string) => takeLead(portal, { development: null, number, message })
  await ask('Ainda tem?')
  expect(await waiting()).toEqual([{ kind: 'assigned', tag: `lead-${id}` }])
  portal.clock.advance(3_600_000)
  await ask('Ainda tem?')
  await ask('Aceita permuta?')
  const { rows } = await base.db.query('select notes from public.whatsapp_contacts')
  expect(rows).toEqual([
    {
      notes: [
        'Quer varanda',
        'Mensagem do formulário: Ainda tem?',
        'Mensagem do formulário: Aceita permuta?',
      ].join('\n\n'),
    },
  ])
  stop = pusher.start()
})
