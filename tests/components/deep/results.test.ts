// 'Resultado' in Relatórios: each broker's figures beside the days before, the list behind each, and the file.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const TEAM = '6f2b8a4e-1111-4222-8333-444455556666'
const NOTHING = {
  received: 0, answered: 0, answeredRate: null, median: null, p90: null, within: null, inTime: 0, decided: 0,
  withinRange: null, booked: 0, held: 0, missed: 0, untold: 0, heldRate: null, heldRange: null, won: 0, cents: 0,
  cohort: 0, converted: 0, conversion: null, conversionRange: null, sameMix: null, rank: null, lost: 0, waiting: 0,
  longest: null, losses: [],
} // prettier-ignore
const CAMILA = {
  ...NOTHING,
  received: 74,
  answered: 73,
  answeredRate: 98.6,
  median: 180,
  within: 72,
  inTime: 53,
  decided: 74,
  booked: 19,
  held: 15,
  missed: 4,
  heldRate: 78.9,
  won: 4,
  cents: 205_000_000,
  cohort: 60,
  converted: 3,
  conversion: 5,
  sameMix: 4.8,
  rank: 0.05,
  lost: 2,
  losses: [{ reason: 'no_means', leads: 2, percent: null }],
}
const BEFORE = {
  ...CAMILA,
  received: 68,
  answered: 64,
  answeredRate: 94.1,
  median: 240,
  within: 66,
  decided: 68,
}
const NOVATO = {
  ...NOTHING,
  received: 2,
  answered: 1,
  answeredRate: 50,
  median: 60,
  within: 50,
  inTime: 1,
  decided: 2,
}
const RESULTS = {
  at: '2026-11-23T12:00:00Z',
  target: 300,
  days: 23,
  before: { from: '2026-10-01', to: '2026-10-23', days: 23 },
  sources: ['facebook', 'site'],
  teamNames: [{ id: TEAM, name: 'Lago' }],
  total: { now: { ...CAMILA, received: 76, answered: 74 }, before: BEFORE },
  teams: [{ team: TEAM, name: 'Lago', now: CAMILA, before: BEFORE }],
  brokers: [
    { broker: 'corretor_novato', team: null, now: NOVATO },
    { broker: 'corretor_camila', team: TEAM, now: CAMILA, before: BEFORE },
  ],
}
const ASKED = 'POST /rest/v1/rpc/get_results'
const LISTED = 'POST /rest/v1/rpc/get_result_leads'

async function open(results: object = RESULTS, search = '?de=2026-11-01&ate=2026-11-23') {
  const portal = adminPortal({
    [ASKED]: () => results,
    'POST /rest/v1/rpc/get_available_empreendimentos': () => [
      { empreendimento: 'Mirante do Lago', lead_count: 9 },
    ],
    'GET /rest/v1/kanban_stages': () => [],
    'GET /rest/v1/brokers': () => [],
  })
  await onDesk()
  await openApp(`/resultado${search}`, portal, ADMIN)
  return portal
}
const table = page.getByRole('table', { name: 'Resultado por corretor' })
const rowOf = (name: RegExp) => table.getByRole('row', { name })

test('cada corretor com o período anterior, a equipe antes dos seus, poucos leads sem porcento', async () => {
  await open()
  await expect.element(page.getByRole('tab', { name: 'Resultado' })).toHaveAttribute('aria-selected', 'true')
  for (const words of [
    '74',
    '+ 6',
    '99%',
    '3 min',
    '− 1 min',
    '72%',
    '+ 6 p.',
    '19',
    '15',
    '4',
    'R$ 2,1 mi',
    '5,0%',
  ])
    await expect.element(rowOf(/Camila/)).toHaveTextContent(words)
  for (const words of ['1 de 2', '–']) await expect.element(rowOf(/Novato/)).toHaveTextContent(words)
  const names = table
    .getByRole('row')
    .elements()
    .map((row) => row.textContent ?? '')
  const order = ['Total', 'Equipe Lago', 'Camila', 'Novato'].map((name) =>
    names.findIndex((text) => text.includes(name)),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  await expectAccessibleInBoth()
})

test('sem comparar, as segundas linhas somem, e o endereço sabe disso', async () => {
  const portal = await open()
  await page.getByRole('button', { name: /^Comparar: 1 a 23 de outubro/ }).click()
  await expect.poll(() => portal.bodiesOf(ASKED).at(-1)).toMatchObject({ p_compare: false })
  portal.on(ASKED, () => ({ ...RESULTS, before: null }))
  await expect
    .element(page.getByRole('button', { name: 'Comparar', exact: true }))
    .toHaveAttribute('aria-pressed', 'false')
  expect(location.search).toContain('comparar=nao')
})

test('um número abre a sua lista pelo teclado, e um lead a sua conversa', async () => {
  const portal = await open()
  portal.on(LISTED, () => ({
    count: 4,
    leads: [1, 2, 3, 4].map((id) => ({
      id,
      name: `Lead ${id}`,
      number: null,
      broker: 'corretor_camila',
      source: 'facebook',
      development: 'Mirante do Lago',
      at: '2026-11-20T12:00:00Z',
      seconds: null,
      isAnswered: null,
      cents: 64_000_000,
      part: null,
    })),
  }))
  const figure = rowOf(/Camila/).getByRole('button', { name: /^Fechados/ })
  await expect.element(figure).toBeVisible()
  figure.element().focus()
  await userEvent.keyboard('{Enter}')
  const list = page.getByRole('dialog', { name: 'Fechados · Camila' })
  await expect.element(list.getByText('4 leads · 1 a 23 de novembro')).toBeVisible()
  await expect.element(list.getByRole('row', { name: /Lead 3/ })).toHaveTextContent('R$ 640 mil')
  expect(portal.bodiesOf(LISTED)[0]).toMatchObject({
    p_figure: 'won',
    p_broker: 'corretor_camila',
    p_from: '2026-11-01',
    p_to: '2026-11-23',
    p_skip: 0,
  })
  await page
    .getByRole('button', { name: /^Fechar/ })
    .first()
    .click()
  await expect.poll(() => location.search).not.toContain('figura')
})

test('o número de uma equipe abre a lista da equipe; o filtro por equipe pergunta só por ela', async () => {
  const portal = await open()
  portal.on(LISTED, () => ({ count: 0, leads: [] }))
  await rowOf(/Equipe Lago/)
    .getByRole('button', { name: /^Recebidos.*74/ })
    .first()
    .click()
  await expect.poll(() => portal.bodiesOf(LISTED)[0]).toMatchObject({ p_team: TEAM, p_broker: null })
  await userEvent.keyboard('{Escape}')
  await page.getByRole('combobox', { name: 'Equipe' }).selectOptions(TEAM)
  await expect.poll(() => portal.bodiesOf(ASKED).at(-1)).toMatchObject({ p_team: TEAM })
})

test('um período sem leads diz isso', async () => {
  await open({ ...RESULTS, total: null, teams: [], brokers: [] })
  await expect.element(page.getByText('Nenhum lead neste período.')).toBeVisible()
})

test('ordena por conversão: quem tem poucos leads vem depois', async () => {
  await open({ ...RESULTS, teams: [], brokers: RESULTS.brokers.map((line) => ({ ...line, team: null })) })
  await table.getByRole('button', { name: 'Conversão em 30 dias', exact: true }).click()
  await expect
    .element(table.getByRole('columnheader', { name: 'Conversão em 30 dias' }))
    .toHaveAttribute('aria-sort', 'descending')
  const names = table
    .getByRole('row')
    .elements()
    .map((row) => row.textContent ?? '')
  expect(names.findIndex((text) => text.includes('Camila'))).toBeLessThan(
    names.findIndex((text) => text.includes('Novato')),
  )
})
