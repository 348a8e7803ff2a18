// 'Agora' in Relatórios: leads that wait for a first response, for how long, and their brokers; a row opens the
// conversation.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { STAGES, SYNC } from '#tests/support/components/broker-portal.ts'
import { onDesk, onPhone, targetOf } from '#tests/support/components/device.ts'

const at = Date.now()
const ago = (seconds: number) => new Date(at - seconds * 1000).toISOString()
const lead = {
  number: null,
  source: 'instagram',
  development: 'Mirante do Lago',
  offeredAt: null,
  acceptedAt: null,
  dueAt: ago(-600),
  twiceAt: ago(-1_500),
  warnedAt: null,
}

const CLOCKS = {
  at: ago(0),
  since: ago(36_000),
  target: 900,
  risk: [
    {
      ...lead,
      id: 1,
      name: 'Flávia Rangel',
      broker: 'corretor_eduardo',
      receivedAt: ago(2_060),
      dueAt: ago(1_160),
      twiceAt: ago(260),
      offeredAt: ago(2_056),
      acceptedAt: ago(2_001),
    },
    {
      ...lead,
      id: 2,
      name: 'Luiz Ramos',
      broker: 'corretor_rafael',
      receivedAt: ago(990),
      dueAt: ago(90),
      twiceAt: ago(-810),
    },
    { ...lead, id: 3, name: 'Marina Tavares', broker: 'corretor_camila', receivedAt: ago(27) },
  ],
  means: { answered: 43, within: 41, wait: 408, offered: 4, accepted: 84, response: 320 },
  brokers: [
    {
      broker: 'corretor_camila',
      waiting: 1,
      received: 14,
      answered: 12,
      median: 240,
      withinFive: 8,
      booked: 3,
      held: 2,
      won: 1,
      value: 64_000_000,
    },
  ],
}

async function open(clocks: object = CLOCKS, on: () => Promise<void> = onDesk) {
  const portal = adminPortal({
    'POST /rest/v1/rpc/get_clocks': () => clocks,
    'GET /rest/v1/kanban_stages': () => [],
    'GET /rest/v1/brokers': () => [],
    'GET /api/brokers': () => [],
  })
  await on()
  await openApp('/reports?secao=agora', portal, ADMIN)
  return portal
}

const risk = page.getByRole('table', { name: 'Em risco agora' })

test('quem espera a primeira resposta, há quanto tempo', async () => {
  await open()
  await expect
    .element(page.getByText('3 leads esperam a primeira resposta · 1 passou do dobro da meta'))
    .toBeVisible()
  const row = risk.getByRole('row', { name: /Flávia Rangel/ })
  for (const words of ['Eduardo', '+ 4 s', '+ 55 s', '34 min'])
    await expect.element(row).toHaveTextContent(words)
  await expect.element(page.getByText('41 de 43 respostas na meta de 15 min')).toBeVisible()
  const camila = page.getByRole('table', { name: 'Por corretor, hoje' }).getByRole('row', { name: /Camila/ })
  for (const words of ['14', '12', '4 min', '67%', '2 de 3', 'R$ 640 mil'])
    await expect.element(camila).toHaveTextContent(words)
  await expectAccessibleInBoth()
})

test('de mais de cem que esperam todos são contados, e a lista diz quantos não mostra', async () => {
  await open({ ...CLOCKS, counts: { waiting: 172, twice: 140 } })
  await expect
    .element(page.getByText('172 leads esperam a primeira resposta · 140 passaram do dobro da meta'))
    .toBeVisible()
  await expect.element(page.getByText('169 leads mais antigos não aparecem nesta lista.')).toBeVisible()
})

test('sem ninguém à espera, diz isso', async () => {
  await open({ ...CLOCKS, risk: [] })
  await expect.element(page.getByText('Ninguém em risco agora')).toBeVisible()
  await expect.element(page.getByText('14 leads hoje, ninguém esperando.')).toBeVisible()
})

test('sem nenhum lead hoje não se elogia', async () => {
  await open({ ...CLOCKS, risk: [], brokers: [] })
  await expect.element(page.getByText('Nenhum lead hoje', { exact: true })).toBeVisible()
  expect(page.getByText(/Ninguém em risco|ninguém esperando/).query()).toBeNull()
})

test('um toque avisa o corretor; quem passou do dobro da meta pode ser passado ali mesmo', async () => {
  const portal = await open()
  let isTold = false
  portal.on('POST /rest/v1/rpc/warn_of_lead', () => {
    isTold = true
    return { code: 'told', message: null }
  })
  portal.on('POST /rest/v1/rpc/get_clocks', () => ({
    ...CLOCKS,
    risk: CLOCKS.risk.map((lead) => (lead.id === 2 && isTold ? { ...lead, warnedAt: ago(0) } : lead)),
  }))
  await page.getByRole('button', { name: 'Avisar o corretor de Luiz Ramos' }).click()
  await expect.element(risk.getByText(/^Avisado há/)).toBeVisible()
  expect(portal.bodiesOf('POST /rest/v1/rpc/warn_of_lead')).toEqual([{ p_contact_id: 2 }])

  portal.on('POST /rest/v1/rpc/get_total_contatos_por_corretor', () => [])
  portal.on('POST /rest/v1/rpc/get_lead_owners', () => [])
  portal.on('GET /api/brokers/totals', () => [])
  portal.on(SYNC, () => ({ cursor: '1', reset: true, leads: [], removed: [], stages: STAGES }))
  expect(page.getByRole('button', { name: /^Passar Luiz/ }).query()).toBeNull()
  await page.getByRole('button', { name: 'Passar Flávia Rangel para outro corretor' }).click()
  const handOver = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await expect.element(handOver.getByText('Flávia Rangel')).toBeVisible()
})

test('cada número de um corretor abre a lista de quem ele conta, e a meta se muda ali', async () => {
  const portal = await open()
  portal.on('POST /rest/v1/rpc/get_clock_leads', () => [
    {
      ...lead,
      id: 7,
      name: 'Igor Salles',
      broker: 'corretor_camila',
      receivedAt: ago(900),
      answeredAt: ago(840),
      value: null,
      visitAt: null,
    },
  ])
  portal.on('POST /rest/v1/rpc/set_answer_target', () => ({ minutes: 5 }))
  await page.getByRole('button', { name: 'Respondidos: Camila: 12' }).click()
  const list = page.getByRole('dialog', { name: 'Respondidos: Camila' })
  await expect.element(list.getByRole('row', { name: /Igor Salles/ })).toHaveTextContent('em 1 min')
  expect(portal.bodiesOf('POST /rest/v1/rpc/get_clock_leads')).toEqual([
    { p_broker: 'corretor_camila', p_figure: 'answered' },
  ])
  await list.getByRole('button', { name: 'Fechar' }).click()
  await page.getByRole('combobox', { name: 'Meta' }).selectOptions('5')
  await expect.poll(() => portal.bodiesOf('POST /rest/v1/rpc/set_answer_target')).toEqual([{ p_minutes: 5 }])
})

test('as visitas de hoje, feitas e marcadas, abrem cada uma a sua lista', async () => {
  const portal = await open()
  const visit = { ...lead, broker: 'corretor_camila', receivedAt: ago(90_000), answeredAt: null, value: null }
  portal.on('POST /rest/v1/rpc/get_clock_leads', () => [
    { ...visit, id: 8, name: 'Helena Duarte', visitAt: '2026-11-23T14:00:00Z' },
    { ...visit, id: 8, name: 'Helena Duarte', visitAt: '2026-11-23T18:30:00Z' },
  ])
  await page.getByRole('button', { name: 'Visitas feitas hoje: Camila: 2' }).click()
  const held = page.getByRole('dialog', { name: 'Visitas feitas hoje: Camila' })
  await expect.element(held.getByRole('row', { name: /Helena Duarte/ }).nth(1)).toHaveTextContent('15:30')
  await expect.element(held.getByRole('columnheader', { name: 'Visita' })).toBeVisible()
  await expectAccessible()
  await held.getByRole('button', { name: 'Fechar' }).click()
  await page.getByRole('button', { name: 'Visitas de hoje: Camila: 3' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Visitas de hoje: Camila' })).toBeVisible()
  expect(portal.bodiesOf('POST /rest/v1/rpc/get_clock_leads')).toEqual([
    { p_broker: 'corretor_camila', p_figure: 'held' },
    { p_broker: 'corretor_camila', p_figure: 'booked' },
  ])
})

test('enquanto ninguém está de plantão a meta não corre, e a linha o diz', async () => {
  await open({ ...CLOCKS, risk: [{ ...CLOCKS.risk[2], isOpen: false }] })
  await expect.element(page.getByRole('row', { name: /Marina Tavares/ })).toHaveTextContent('fora do horário')
})

test.each([
  ['no celular', onPhone],
  ['no tablet', () => onDesk({ hasTouch: true, width: 820, height: 1180 })],
  ['num tablet largo', () => onDesk({ hasTouch: true, width: 1180, height: 820 })],
])('os números de um corretor são alvos de 44 px %s', async (_, on) => {
  await open(CLOCKS, on)
  const numbers = page.getByRole('table', { name: 'Por corretor, hoje' }).getByRole('button')
  await expect.element(numbers.first()).toBeVisible()
  const small = numbers.all().flatMap((number) => {
    number.element().scrollIntoView({ block: 'center', inline: 'center' })
    const { width, height } = targetOf(number)
    return width >= 44 && height >= 44 ? [] : [`${number.element().ariaLabel}: ${width} × ${height}`]
  })
  expect(small).toEqual([])
})
