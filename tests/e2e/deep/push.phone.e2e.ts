// From the push explanation to the notification that opens the lead: the browser subscribes at a local push service,
// which checks and decrypts the portal's pushes; the debugger delivers them to the browser.
import type { CDPSession, Page, Worker } from '@playwright/test'
import { connect } from '#tests/support/browser/e2e-portal.ts'
import { call, signIn } from '#tests/support/portal.ts'
import { openPushService, type PushService } from '#tests/support/push.ts'
import {
  enterAsAdmin,
  enterAsBroker,
  expect,
  expectAccessible,
  overGateway,
  REFUSED,
} from '#tests/support/browser/story.ts'

const RAFAEL = 'corretor_rafael'
const PHONE = '5511955550222'
const MARTA = { instance: RAFAEL, from: '5511955550188', name: 'Marta Queiroz' }

const test = overGateway.extend<{ service: PushService }>({
  service: async ({ portalUrl }, use) => {
    const config = await call<{ pushPublicKey: string }>(`${portalUrl}/api/config`)
    const service = await openPushService(() => config.body.pushPublicKey)
    await use(service)
    await service.close()
  },
})
// A board fetch in progress at sign-out.
test.use({ serviceWorkers: 'allow', expectedNoise: { patterns: [REFUSED] } })

test('do convite no aplicativo ao aviso que abre o lead, e "Sair" acaba com tudo', async ({
  page,
  context,
  whatsapp,
  service,
}) => {
  const { simulator, origin } = whatsapp
  await context.grantPermissions(['notifications'], { origin })
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await page.addInitScript(subscribesWithout, service.subscribe('/rafael'))
  await page.addInitScript(keepsBadge)
  // A separate session, because 'Sair' ends only this one.
  const token = await signIn(origin, 'rafael@corretor.local', 'demo-corretor')
  await connect(whatsapp, { username: 'rafael', number: PHONE })
  await enterAsBroker(page, 'rafael')
  const sheet = page.getByRole('dialog', { name: 'Saiba na hora quando um lead responder' })

  // Not before a conversation was opened, and not over it.
  await page.getByRole('button', { name: 'Abrir conversa' }).first().click()
  await expect(page.getByRole('log', { name: 'Mensagens' })).toBeVisible()
  await page.waitForFunction(() => localStorage.getItem('push-offer') !== null)
  await expect(sheet).toBeHidden()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()
  await expect(sheet).toBeVisible()
  await expect(
    sheet.getByText(
      'Avisamos só sobre mensagens novas e campanhas concluídas. Você escolhe os horários na sua conta.',
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Ativar avisos' }).click()
  await expect(page.getByText('Avisos ativados neste aparelho')).toBeVisible()
  await expect(sheet).toBeHidden()

  // The portal's push reaches this device and is decrypted with its keys.
  simulator.control.receive({ ...MARTA, text: 'Vi a placa do Mirante. Ainda tem?' })
  const [received] = await service.receivedAt('/rafael')
  expect(received?.json.notification).toMatchObject({
    title: 'Novo lead: Marta Queiroz',
    body: 'Vi a placa do Mirante. Ainda tem?',
  })
  const worker = await workerOf(page)
  await worker.evaluate(keepsBadge)
  const browser = await pushesInto(page, { origin, worker })
  const waiting = received?.json.app_badge ?? 0
  await expect.poll(() => badge(worker)).toBe(waiting)
  await browser.deliver(JSON.stringify(received?.json))
  await browser.deliver(JSON.stringify(received?.json))
  const notice = {
    title: 'Novo lead: Marta Queiroz',
    body: 'Vi a placa do Mirante. Ainda tem?',
    tag: received?.json.notification.tag,
    lang: 'pt-BR',
    actions: ['responder', 'lida'],
  }
  // Every push shows something.
  await browser.deliver('nada que se leia')
  // Notifications are shown in sequence: by then both of the lead's were, and one replaced the other.
  await expect.poll(async () => (await shown(worker)).map(({ title }) => title)).toContain('Portal RHS')
  expect((await shown(worker)).filter(({ tag }) => tag !== 'portal')).toEqual([notice])

  // A tap navigates the page without reloading it.
  await page.evaluate(() => Object.assign(window, { isFirstLoad: true }))
  const isSaid = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/push/watching') &&
      (response.request().postDataJSON() as { contactId: number | null }).contactId !== null,
  )
  await touch(worker, received?.json.notification.tag ?? '', '')
  const conversation = page.getByRole('dialog', { name: 'Marta Queiroz' })
  const lines = conversation.getByRole('log', { name: 'Mensagens' })
  await expect(lines.getByText('Vi a placa do Mirante. Ainda tem?')).toBeVisible()
  expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(true)
  await expect.poll(() => badge(worker)).toBe(waiting)

  // While the conversation is open nobody is notified; closed, the next message notifies, and its button marks it read.
  await isSaid
  simulator.control.receive({ ...MARTA, text: 'Estou na frente do prédio' })
  await expect(lines.getByText('Estou na frente do prédio')).toBeVisible()
  await conversation.getByRole('button', { name: 'Fechar' }).click()
  await expect(conversation).toBeHidden()
  simulator.control.receive({ ...MARTA, text: 'Consegue descer?' })
  const next = (await service.receivedAt('/rafael', 2))[1]
  expect(next?.json.notification).toMatchObject({ title: 'Marta Queiroz', body: 'Consegue descer?' })
  const card = page.getByRole('article', { name: /^Marta/ })
  await expect(card.locator('.unread-pill')).toHaveText('1')
  await browser.deliver(JSON.stringify(next?.json))
  await expect.poll(async () => (await shown(worker)).map(({ body }) => body)).toContain('Consegue descer?')
  await touch(worker, next?.json.notification.tag ?? '', 'lida')
  await expect(card.locator('.unread-pill')).toHaveCount(0)
  await expect.poll(() => badge(worker)).toBe(waiting)

  // With no window open: the push service changes the subscription, and the portal sends there.
  await page.goto('about:blank')
  const seenAt = async () =>
    (await call<{ devices: { seenAt: string }[] }>(`${origin}/api/push`, { token })).body.devices[0]?.seenAt
  const before = await seenAt()
  await worker.evaluate(subscribesAnew, service.subscribe('/rafael-de-novo'))
  await worker.evaluate(losesSubscription)
  await expect.poll(seenAt).not.toBe(before)
  simulator.control.receive({ ...MARTA, text: 'Ainda estou aqui' })
  const [elsewhere] = await service.receivedAt('/rafael-de-novo')
  const { tag = '', navigate = '' } = elsewhere?.json.notification ?? {}

  // Marking one read by its button leaves it waiting for an answer; a tap opens the app at the lead.
  const tell = async () => {
    await browser.deliver(JSON.stringify(elsewhere?.json))
    await expect.poll(async () => (await shown(worker)).map(({ body }) => body)).toContain('Ainda estou aqui')
    await expect.poll(() => badge(worker)).toBe(waiting)
  }
  await tell()
  await touch(worker, tag, 'lida')
  await expect.poll(() => badge(worker)).toBe(waiting)
  await tell()
  await worker.evaluate(notesWindows)
  await touch(worker, tag, '')
  await expect.poll(() => worker.evaluate(() => Reflect.get(globalThis, 'opened'))).toBe(navigate)
  await page.goto(navigate)
  await expect(lines.getByText('Ainda estou aqui')).toBeVisible()
  await conversation.getByRole('button', { name: 'Fechar' }).click()

  // 'Sair' ends pushes for this device, on the server and on the locked screen.
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => shown(worker)).toEqual([])
  await expect.poll(() => badge(worker)).toBe(0)
  // The device does not wait for the server.
  await expect
    .poll(async () => (await call<{ devices: unknown[] }>(`${origin}/api/push`, { token })).body.devices)
    .toEqual([])
})

test('"Agora não" vale; na conta os avisos se ligam, se calam de noite, escondem nomes e saem de outro aparelho', async ({
  page,
  context,
  portalUrl: origin,
  service,
}) => {
  await context.grantPermissions(['notifications'], { origin })
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await page.addInitScript(subscribesWithout, service.subscribe('/juliana'))
  await page.addInitScript(() => {
    if (!localStorage.getItem('push-offer'))
      localStorage.setItem('push-offer', '{"hasOpened":true,"declines":0,"declinedAtMs":0}')
  })
  await enterAsBroker(page, 'juliana')
  const sheet = page.getByRole('dialog', { name: 'Saiba na hora quando um lead responder' })
  await sheet.getByRole('button', { name: 'Agora não' }).click()
  await expect(sheet).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('push-offer'))).toContain('"declines":1')
  await page.reload()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: /Avisos/ }).click()
  const pushes = page.getByRole('dialog', { name: 'Avisos' })
  await expect(pushes.getByText('Nenhum aparelho recebe avisos ainda.')).toBeVisible()
  await pushes.getByText('Avisos neste aparelho').click()
  await expect(pushes.getByText('este aparelho')).toBeVisible()
  await pushes.getByText('Ocultar nomes na tela bloqueada').click()
  await pushes.getByText('Horário de silêncio').click()
  await pushes.getByLabel('Das', { exact: true }).fill('22:30')
  await pushes.getByLabel('Até', { exact: true }).fill('22:30')
  await expect(pushes.getByText('Escolha um começo e um fim diferentes.')).toBeVisible()
  await pushes.getByLabel('Até', { exact: true }).fill('06:45')
  await pushes.getByLabel('Até', { exact: true }).blur()
  await expectAccessible(page)

  const token = await signIn(origin, 'juliana@corretor.local', 'demo-corretor')
  type Kept = { devices: { id: string; name: string; isThis: boolean }[]; settings: object }
  const stored = async () => (await call<Kept>(`${origin}/api/push`, { token })).body
  await expect
    .poll(async () => (await stored()).settings)
    .toEqual({ hidesNames: true, quiet: { from: '22:30', until: '06:45' } })
  expect((await stored()).devices).toMatchObject([
    { name: expect.stringMatching(/ · Chrome$/), isThis: false },
  ])

  // Another device removes this one from the list; it notices at its next start.
  const [device] = (await stored()).devices
  const removed = await fetch(`${origin}/api/push/devices/${device?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(removed.status).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect(page.getByRole('button', { name: /Avisos/ })).toContainText('Desligados')
})

test('o administrador liga os avisos sem instalar nada, e o do WhatsApp que caiu abre os corretores', async ({
  page,
  context,
  portalUrl: origin,
  service,
}) => {
  await context.grantPermissions(['notifications'], { origin })
  await page.addInitScript(subscribesWithout, service.subscribe('/chefe'))
  await enterAsAdmin(page, '/auditoria')
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect(page.getByRole('button', { name: /Avisos/ })).toContainText('Desligados')
  await page.getByRole('button', { name: /Avisos/ }).click()
  const pushes = page.getByRole('dialog', { name: 'Avisos' })
  await expect(pushes.getByText('O WhatsApp de um corretor caiu e não voltou em um minuto.')).toBeVisible()
  await pushes.getByText('Avisos neste aparelho').click()
  await expect(pushes.getByText('este aparelho')).toBeVisible()
  await expectAccessible(page)
  // The app registers the device again at each start, and pushes stay on.
  await page.reload({ waitUntil: 'commit' })
  const said = await page.waitForResponse((response) => response.url().endsWith('/api/push/devices'))
  expect(await said.json()).toEqual({ id: expect.any(String) })

  const worker = await workerOf(page)
  const browser = await pushesInto(page, { origin, worker })
  const title = 'O WhatsApp de Camila caiu'
  const notification = { title, body: 'Toque para ver os corretores.', navigate: `${origin}/`, tag: 'lost-1' }
  await browser.deliver(JSON.stringify({ web_push: 8030, notification }))
  await expect.poll(async () => (await shown(worker)).map((each) => each.title)).toEqual([title])
  await touch(worker, 'lost-1', '')
  await expect(page).toHaveURL(`${origin}/`)
  await expect(page.getByRole('heading', { name: 'Gerenciar Corretores' })).toBeVisible()
})

test('Remarcar, no aviso de uma visita que passou, abre a folha que a remarca', async ({
  page,
  context,
  portalUrl: origin,
}) => {
  await context.grantPermissions(['notifications'], { origin })
  await enterAsBroker(page, 'juliana')
  const token = await signIn(origin, 'juliana@corretor.local', 'demo-corretor')
  const leads = await call<{ id: number }[]>(`${origin}/rest/v1/whatsapp_contacts?select=id&limit=1`, {
    token,
  })
  const contactId = leads.body[0]?.id
  const worker = await workerOf(page)
  const browser = await pushesInto(page, { origin, worker })
  const title = 'A visita aconteceu?'
  const day = `${origin}/broker/hoje`
  const notification = {
    title,
    tag: 'visit-1',
    navigate: `${day}?visita=${contactId}`,
    actions: [{ action: 'remarcar', title: 'Remarcar', navigate: `${day}?remarcar=${contactId}` }],
    data: { contactId, visitId: 1 },
  }
  await browser.deliver(JSON.stringify({ web_push: 8030, notification }))
  await expect.poll(async () => (await shown(worker)).map((each) => each.title)).toEqual([title])
  await touch(worker, 'visit-1', 'remarcar')
  await expect(page).toHaveURL(`${day}?remarcar=${contactId}`)
  await expect(page.getByRole('dialog', { name: /^(Agendar|Remarcar) visita$/ })).toBeVisible()
})

type Subscription = ReturnType<PushService['subscribe']>

/** The browser's own push service is unreachable here; the page's subscription has the same form. */
function subscribesWithout({ endpoint, keys }: Subscription) {
  const KEY = 'test-subscription'
  const options = () => {
    const stored = localStorage.getItem(KEY)
    return stored === null ? null : Uint8Array.from(JSON.parse(stored) as number[])
  }
  const subscription = () => ({
    endpoint,
    options: { applicationServerKey: options()?.buffer ?? null },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: () => {
      localStorage.removeItem(KEY)
      return Promise.resolve(true)
    },
  })
  Object.assign(PushManager.prototype, {
    subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      localStorage.setItem(KEY, JSON.stringify([...applicationServerKey]))
      return Promise.resolve(subscription())
    },
    getSubscription: () => Promise.resolve(options() ? subscription() : null),
  })
}

/** In the worker: the old subscription is gone, and a new one has another address. */
function subscribesAnew({ endpoint, keys }: Subscription) {
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(null),
    subscribe: () => Promise.resolve({ toJSON: () => ({ endpoint, keys }) }),
  })
}

function losesSubscription() {
  const { ExtendableEvent } = globalThis as unknown as { ExtendableEvent: typeof Event }
  dispatchEvent(new ExtendableEvent('pushsubscriptionchange'))
}

/** The badge cannot be read back, so its values are stored where page and worker can read them. */
function keepsBadge() {
  Object.defineProperty(navigator, 'setAppBadge', {
    value: async (count: number) => {
      const cache = await caches.open('test-badge')
      await cache.put('/test-badge', new Response(String(count)))
    },
  })
}

const badge = (worker: Worker) =>
  worker.evaluate(async () => Number(await (await caches.match('/test-badge'))?.text()))

/** A browser opens a window only after a real tap. */
function notesWindows() {
  const { clients } = globalThis as unknown as { clients: { openWindow: (address: string) => unknown } }
  clients.openWindow = (opened) => Promise.resolve(Object.assign(globalThis, { opened }))
}

async function workerOf(page: Page): Promise<Worker> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no worker')
  return worker
}

type Destination = { origin: string; worker: Worker }

/** Delivers pushes as the browser's push service does. */
async function pushesInto(
  page: Page,
  { origin, worker }: Destination,
): Promise<{ deliver: (data: string) => Promise<void> }> {
  await worker.evaluate(countsShown)
  const session: CDPSession = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted)
      if (own) resolve(own.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const count = () => worker.evaluate(() => Number(Reflect.get(globalThis, 'shownCount')))
  return {
    // Resolves once it is shown, because notifications cannot be listed while one appears.
    deliver: async (data) => {
      const before = await count()
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
      await expect.poll(count).toBe(before + 1)
    },
  }
}

function countsShown() {
  const { ServiceWorkerRegistration: Registration } = globalThis as unknown as {
    ServiceWorkerRegistration: { prototype: ServiceWorkerRegistration }
  }
  const show = Registration.prototype.showNotification
  Object.assign(globalThis, { shownCount: 0 })
  Registration.prototype.showNotification = async function (...args) {
    await show.apply(this, args)
    Object.assign(globalThis, { shownCount: Number(Reflect.get(globalThis, 'shownCount')) + 1 })
  }
}

type WorkerScope = { registration: ServiceWorkerRegistration }

const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as WorkerScope
    const notifications = await registration.getNotifications()
    return notifications.map((notification) => {
      const { title, body, tag, lang } = notification
      const { actions } = notification as Notification & { actions: { action: string }[] }
      return { title, body, tag, lang, actions: actions.map(({ action }) => action) }
    })
  })

/** A tap on the notification, or on one of its buttons. */
const touch = (worker: Worker, tag: string, action: string) =>
  worker.evaluate(
    async (touched) => {
      const { registration } = globalThis as unknown as WorkerScope
      const [notification] = await registration.getNotifications({ tag: touched.tag })
      const { NotificationEvent } = globalThis as unknown as {
        NotificationEvent: new (type: string, init: object) => Event
      }
      dispatchEvent(new NotificationEvent('notificationclick', { notification, action: touched.action }))
    },
    { tag, action },
  )
