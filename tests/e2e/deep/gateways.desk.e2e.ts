// A connection that moves from one gateway to the other, and a number that WhatsApp limits: what the administrator reads
// at a desk, and the broker on a phone.
import { createHmac } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { connect, startDemo, startDemoOverGateway, type WhatsApp } from '#tests/support/browser/e2e-portal.ts'
import {
  enterAsAdmin,
  enterAsBroker,
  expect,
  expectAccessible,
  NO_NETWORK,
  REFUSED,
  test as base,
} from '#tests/support/browser/story.ts'
import { bubble, CAMILA, openConversation } from '#tests/e2e/composer.ts'

const PHONE = { number: '5511955550101', name: 'Camila' }
const LUCIANA = '5511905550156'

const NOISE = { expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] } }

const withWaha = base.extend<{ waha: ListeningSimulator }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
  waha: async ({}, use) => {
    const waha = await startSimulator({ clock: systemClock, speaks: 'waha' })
    await use(waha)
    await waha.stop()
  },
})

/** Both gateways are open, and Camila is connected through the older one. */
const onBoth = withWaha.extend<{ old: WhatsApp }>({
  old: async ({ waha }, use) => {
    const { stop, ...old } = await startDemoOverGateway({ WAHA_URL: waha.url, WAHA_API_KEY: waha.apiKey })
    await connect(old, { username: 'camila', number: PHONE.number })
    await use(old)
    await stop()
  },
  portalUrl: async ({ old }, use) => use(old.origin),
})
onBoth.use(NOISE)

const onWaha = withWaha.extend({
  portalUrl: async ({ waha }, use) => {
    const { origin, stop } = await startDemo({ WAHA_URL: waha.url, WAHA_API_KEY: waha.apiKey })
    await connect({ origin, simulator: waha }, { username: 'camila', number: PHONE.number })
    await use(origin)
    await stop()
  },
})
onWaha.use(NOISE)

async function openPhone(browser: Browser, baseURL: string): Promise<Page> {
  const phone = await browser.newPage({
    baseURL,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'block',
  })
  await enterAsBroker(phone)
  return phone
}

async function cardsOn(page: Page): Promise<number> {
  await expect(page.getByRole('article').first()).toBeVisible()
  return page.getByRole('article').count()
}

onBoth(
  'uma conexão muda de serviço sem perder lead, conversa nem mensagem',
  async ({ page, browser, portalUrl, old, waha }) => {
    const hers = await openPhone(browser, portalUrl)
    const cards = await cardsOn(hers)
    expect(cards).toBeGreaterThan(0)

    // The gateway of before is away, so what she writes waits.
    old.simulator.control.down({ on: true })
    const { lines, box, send } = await openConversation(hers, 'Luciana Prado')
    const earlier = lines.getByText('E dá para parcelar a entrada?')
    await expect(earlier).toBeVisible()
    const waiting = 'Conversou com o seu marido?'
    await box.fill(waiting)
    await send.click()
    await expect(bubble(lines, waiting)).toBeVisible()
    await hers.goBack()

    await enterAsAdmin(page, '/conta')
    await page.getByRole('button', { name: 'Mudar para WAHA: Camila' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mudar Camila para WAHA' })
    await expect(dialog.getByRole('img', { name: /^QR Code/ })).toBeVisible()
    await expectAccessible(page)

    await expect(hers.getByText(/está mudando de serviço/)).toBeVisible()
    await hers.getByRole('button', { name: 'Ver código' }).click()
    const code = hers.getByRole('dialog', { name: 'Conectar WhatsApp' })
    await expect(code.getByRole('img', { name: /^QR Code/ })).toBeVisible()
    await expectAccessible(hers)

    // The phone brings along what a lead wrote while neither gateway was linked.
    waha.control.scan({ instance: CAMILA, ...PHONE })
    waha.control.history({
      instance: CAMILA,
      messages: [{ from: LUCIANA, name: 'Luciana Prado', text: 'Ele quer ver a planta' }],
    })
    await expect(code.getByText('Conectado!')).toBeVisible()
    await expect(code).toBeHidden()
    await expect(hers.getByText(/está mudando de serviço/)).toBeHidden()
    await expect(dialog.getByText(/^Pronto\./)).toBeVisible()
    await dialog.getByRole('button', { name: 'Fechar' }).last().click()
    await expect(page.getByRole('button', { name: 'Mudar para Evolution API: Camila' })).toBeVisible()

    expect(await cardsOn(hers)).toBe(cards)
    await openConversation(hers, 'Luciana Prado')
    await expect(earlier).toBeVisible()
    await expect(lines.getByText('Ele quer ver a planta')).toHaveCount(1)
    await expect(bubble(lines, waiting)).toHaveCount(1)
    const sent = () => [...old.simulator.sentTexts(CAMILA), ...waha.sentTexts(CAMILA)]
    await expect.poll(sent).toEqual([waiting])

    // Answers use the new one.
    await box.fill('Mando agora mesmo')
    await send.click()
    await expect.poll(() => waha.sentTexts(CAMILA)).toEqual([waiting, 'Mando agora mesmo'])
    await hers.close()
  },
)

/** WAHA tells its limits beside the state of a session that works. */
async function tellLimits({ url, apiKey }: ListeningSimulator, data: object) {
  const asked = await fetch(`${url}/api/sessions/${CAMILA}`, { headers: { 'x-api-key': apiKey } })
  const { config, me } = (await asked.json()) as Session
  const [webhook] = config.webhooks
  const payload = { name: CAMILA, status: 'WORKING', statuses: [], data }
  const body = JSON.stringify({
    timestamp: Date.now(),
    event: 'session.status',
    session: CAMILA,
    me,
    payload,
  })
  const hmac = createHmac('sha512', webhook.hmac.key).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-webhook-hmac': hmac }
  const { status } = await fetch(webhook.url, { method: 'POST', headers, body })
  expect(status).toBe(200)
}
type Session = { me: object; config: { webhooks: [{ url: string; hmac: { key: string } }] } }

onWaha(
  'um número que o WhatsApp limita é dito a corretor e administrador, até quando',
  async ({ page, browser, portalUrl, waha }) => {
    const hers = await openPhone(browser, portalUrl)
    await enterAsAdmin(page)
    const ends = Math.floor(Date.now() / 1000) + 5 * 3_600
    const card = page.getByRole('article', { name: 'Camila', exact: true })
    const goesOn = / Campanhas esperam; respostas a quem escreve saem normalmente\./

    await tellLimits(waha, { reachoutTimelock: { isActive: true, timeEnforcementEnds: ends } })
    await expect(hers.getByText(/não deixa este número começar conversas, até \d/)).toBeVisible()
    await expect(card.getByText(/não deixa Camila começar conversas, até \d/)).toBeVisible()
    await tellLimits(waha, {
      reachoutTimelock: { isActive: false },
      messageCapping: { cappingStatus: 'CAPPED', totalQuota: 50, usedQuota: 50, cycleEnd: ends },
    })
    await expect(hers.getByText(/não deixa este número começar mais conversas, até \d/)).toBeVisible()
    await expect(card.getByText(/não deixa Camila começar mais conversas, até \d/)).toBeVisible()
    await expect(card.getByText(goesOn)).toBeVisible()
    for (const one of [hers, page]) await expectAccessible(one)

    // A lead who writes is answered all the same.
    waha.control.receive({ instance: CAMILA, from: LUCIANA, name: 'Luciana Prado', text: 'Ainda está aí?' })
    const { lines, box, send } = await openConversation(hers, 'Luciana Prado')
    await expect(lines.getByText('Ainda está aí?')).toBeVisible()
    await box.fill('Estou, sim')
    await send.click()
    await expect.poll(() => waha.sentTexts(CAMILA)).toEqual(['Estou, sim'])
    await hers.goBack()

    await tellLimits(waha, {
      reachoutTimelock: { isActive: false },
      messageCapping: { cappingStatus: 'NONE' },
    })
    for (const one of [hers, page]) await expect(one.getByText(goesOn)).toBeHidden()
    await hers.close()
  },
)
