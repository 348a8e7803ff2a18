// 'Origens' in Relatórios: the cost of each origin, typing and importing spend, and the list of each figure.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const TEAM = '6f2b8a4e-1111-4222-8333-444455556666'
const NOTHING = {
  leads: 0, answered: 0, visits: 0, sales: 0, untold: 0, paidLeads: 0, paidAnswered: 0, paidVisits: 0, paidSales: 0,
  cents: null, isWhole: false, perLead: null, perAnswer: null, perVisit: null, perSale: null,
} // prettier-ignore
const TORRE = {
  ...NOTHING, leads: 86, answered: 84, visits: 16, sales: 3, paidLeads: 86, paidAnswered: 84, paidVisits: 16, paidSales: 3,
  cents: 610_000, perLead: 7_093, perAnswer: 7_262, perVisit: 38_125, perSale: 203_333,
} // prettier-ignore
const ORIGINS = {
  at: '2026-11-23T12:00:00Z',
  month: '2026-11',
  isAdmin: true,
  teamNames: [{ id: TEAM, name: 'Lago' }],
  total: { ...TORRE, leads: 140, untold: 54, cents: 645_000, perLead: 6_900 },
  before: { ...TORRE, perLead: 7_400, perVisit: 30_000, perSale: null },
  origins: [
    {
      ...TORRE,
      origin: 'meta',
      campaigns: [
        { ...TORRE, campaign: 'torre', name: 'Lançamento Torre' },
        { ...NOTHING, leads: 4, untold: 4, campaign: '', name: '' },
      ],
    },
    {
      ...NOTHING,
      leads: 22,
      paidLeads: 22,
      cents: 35_000,
      isWhole: true,
      perLead: 1_591,
      origin: 'olx',
      campaigns: [],
    },
    { ...NOTHING, leads: 37, untold: 37, origin: 'site', campaigns: [] },
  ],
  others: [
    {
      ...NOTHING,
      currency: 'USD',
      origin: 'meta',
      campaign: 'abroad',
      name: 'Abroad',
      paidLeads: 3,
      cents: 9_900,
      perLead: 3_300,
    },
  ],
}
const ASKED = 'POST /rest/v1/rpc/get_origins'
const LISTED = 'POST /rest/v1/rpc/get_origin_leads'
const SET = 'POST /rest/v1/rpc/set_spend'
const IMPORTED = 'POST /rest/v1/rpc/import_spend'
const CLICKS = 'POST /rest/v1/rpc/get_click_codes'
const LONG_CLICK = 'CjwKCAtoolongtobeshown4BE'
const MONTHS = 'POST /rest/v1/rpc/get_spend_months'

async function open(origins: object = ORIGINS) {
  const portal = adminPortal({
    [ASKED]: () => origins,
    [SET]: () => ({ cents: 1 }),
    [MONTHS]: () => [
      { month: '2026-11', cents: 610_000, how: 'typed', by: 'admin', at: '2026-11-23T12:00:00Z' },
      { month: '2026-10', cents: 580_000, how: 'file', by: 'admin', at: '2026-11-02T12:00:00Z' },
      { month: '2026-09', cents: null, how: null, by: null, at: null },
    ],
    [CLICKS]: () => ({
      count: 1,
      clicks: [
        { id: 7, name: 'Marina Tavares', number: null, source: 'site', campaign: null, kind: 'gclid', value: LONG_CLICK, at: '2026-11-20T12:00:00Z' },
      ], // prettier-ignore
    }),
    'GET /rest/v1/kanban_stages': () => [],
    'GET /rest/v1/brokers': () => [],
  })
  await onDesk()
  await openApp('/origens?mes=2026-11', portal, ADMIN)
  return portal
}
const table = page.getByRole('table', { name: 'Custo por origem' })
const rowOf = (name: RegExp) => table.getByRole('row', { name })
const total = page.getByRole('region', { name: 'Total' })

test('a faixa do mês, as origens com o custo de cada coisa, e o que fica fora das contas', async () => {
  await open()
  await expect.element(page.getByRole('tab', { name: 'Origens' })).toHaveAttribute('aria-selected', 'true')
  for (const words of [
    'R$ 6.450',
    '2 de 3 origens',
    'R$ 69',
    'R$ 74 em outubro',
    'R$ 381',
    '54 leads',
    'fora destas contas',
  ])
    await expect.element(total).toHaveTextContent(words)
  for (const words of ['86', '84', '16', '3', 'R$ 6.100', 'R$ 71', 'R$ 73', 'R$ 381', 'R$ 2.033'])
    await expect.element(rowOf(/Meta/)).toHaveTextContent(words)
  await expect.element(rowOf(/ZAP e OLX/)).toHaveTextContent('R$ 16')
  await expect.element(rowOf(/Site/)).toHaveTextContent('Sem gasto informado')
  await expect
    .element(page.getByRole('region', { name: 'Gasto em outras moedas' }))
    .toHaveTextContent('US$ 99')
  await rowOf(/Meta/).getByRole('button', { name: 'Meta', exact: true }).click()
  await expect.element(rowOf(/Lançamento Torre/)).toHaveTextContent('R$ 71')
  await expect.element(rowOf(/Sem campanha/)).toHaveTextContent('–')
  const clicks = page.getByRole('region', { name: 'Código do clique' })
  for (const words of ['Marina Tavares', 'gclid', 'CjwKCA…4BE', 'Baixar o código'])
    await expect.element(clicks).toHaveTextContent(words)
  await expect.element(clicks).not.toHaveTextContent(LONG_CLICK)
  await expectAccessibleInBoth()
})

test('digitar um gasto: Enter salva, o mês aparece ao lado, e um valor errado diz como se escreve', async () => {
  const portal = await open()
  await rowOf(/Meta/).getByRole('button', { name: 'Meta', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Gasto de Lançamento Torre em novembro' })
  await field.fill('1.250,5x')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert').getByText('Escreva um valor como 1.250,50.')).toBeVisible()
  expect(portal.bodiesOf(SET)).toEqual([])
  await field.fill('1.250,5')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Salvo', { exact: true })).toBeVisible()
  expect(portal.bodiesOf(SET)).toEqual([
    { p_origin: 'meta', p_campaign: 'Lançamento Torre', p_month: '2026-11-01', p_cents: 125_050 },
  ])
  const months = page.getByRole('region', { name: 'Gasto de Lançamento Torre por mês' })
  for (const words of [
    'Novembro',
    'digitado em 23/11/2026 por admin',
    'importado de CSV em 02/11/2026',
    'sem gasto informado',
  ])
    await expect.element(months).toHaveTextContent(words)
  await months.getByRole('textbox', { name: 'Lançamento Torre em setembro' }).fill('0')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => portal.bodiesOf(SET)).toHaveLength(2)
  expect(portal.bodiesOf(SET)[1]).toMatchObject({ p_month: '2026-09-01', p_cents: 0 })
})

test('“Sem gasto informado” abre o campo; Escape desfaz; a recusa do servidor aparece', async () => {
  const portal = await open()
  await page.getByRole('button', { name: 'Sem gasto informado: Site. Informar' }).click()
  const field = page.getByRole('textbox', { name: 'Gasto de Site em novembro' })
  await expect.element(field).toHaveFocus()
  await field.fill('90')
  await userEvent.keyboard('{Escape}')
  await expect.element(field).toHaveValue('')
  portal.on(SET, () =>
    Response.json(
      {
        code: 'PT422',
        message: 'Este mês já tem gasto por campanha.',
        details: null,
        hint: 'spend.campaigns',
      },
      { status: 422 },
    ),
  )
  await field.fill('90')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Este mês já tem gasto por campanha.')).toBeVisible()
})

test('cada número abre a sua lista, com o mesmo filtro', async () => {
  const portal = await open()
  portal.on(LISTED, () => ({
    count: 1,
    leads: [
      { id: 7, name: 'Lead 7', number: null, broker: 'corretor_camila', source: 'facebook', campaign: 'Lançamento Torre',
        at: '2026-11-20T12:00:00Z', cents: 64_000_000 },
    ], // prettier-ignore
  }))
  await rowOf(/Meta/).getByRole('button', { name: 'Meta', exact: true }).click()
  await rowOf(/Lançamento Torre/)
    .getByRole('button', { name: /^Fechados/ })
    .click()
  const list = page.getByRole('dialog', { name: 'Fechados · Meta · Lançamento Torre' })
  await expect.element(list.getByRole('row', { name: /Lead 7/ })).toHaveTextContent('R$ 640 mil')
  expect(portal.bodiesOf(LISTED)[0]).toMatchObject({
    p_figure: 'sales', p_origin: 'meta', p_campaign: 'torre', p_is_paid: false, p_month: '2026-11-01', p_skip: 0,
  }) // prettier-ignore
  await userEvent.keyboard('{Escape}')
  await total.getByRole('button', { name: /^Por visita feita/ }).click()
  await expect
    .poll(() => portal.bodiesOf(LISTED).at(-1))
    .toMatchObject({ p_figure: 'visits', p_origin: null, p_is_paid: true })
})

test('importar: a prévia diz o que foi lido e recusado, e só depois grava', async () => {
  const portal = await open()
  portal.on(IMPORTED, () => ({ saved: 1, replaced: 0, refused: [{ place: 1, reason: 'whole' }] }))
  await page.getByRole('button', { name: 'Importar gastos (CSV)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar gastos' })
  const choose = (text: string) =>
    dialog.getByLabelText('Escolher arquivo').upload(new File([text], 'gastos.csv', { type: 'text/csv' }))
  await choose('nome;telefone\nAna;11\n')
  await expect.element(dialog.getByText('Não achamos as colunas')).toBeVisible()
  await choose('mes;origem;campanha;gasto\n2026-11;meta;Torre;1.234\n')
  await dialog.getByRole('button', { name: '1.234 são mil e tantos' }).click()
  await expect.element(dialog.getByRole('row', { name: /Torre/ })).toHaveTextContent('R$ 1.234')
  await dialog.getByRole('button', { name: 'Outro arquivo' }).click()
  await choose(
    'mes;origem;campanha;gasto\n2026-11;meta;Torre;10,50\n2026-11;zap;Destaque;20,00\n2026-13;zap;;1,00\n',
  )
  await expect.element(dialog.getByText('1 linha recusada')).toBeVisible()
  await expect.element(dialog.getByText(/^Linha 4: falta o mês ou o dia/)).toBeVisible()
  expect(portal.bodiesOf(IMPORTED)).toEqual([])
  await dialog.getByRole('button', { name: 'Importar 2 gastos' }).click()
  await expect.element(dialog.getByText('1 gasto importado; 1 recusado:')).toBeVisible()
  await expect
    .element(dialog.getByText(/^Destaque, novembro( de 2026)?: a origem já tem um gasto único/))
    .toBeVisible()
  expect(portal.bodiesOf(IMPORTED)).toEqual([
    {
      p_lines: [
        {
          origin: 'meta',
          campaign: 'Torre',
          campaignId: null,
          month: '2026-11',
          currency: 'BRL',
          cents: 1_050,
        },
        {
          origin: 'zap',
          campaign: 'Destaque',
          campaignId: null,
          month: '2026-11',
          currency: 'BRL',
          cents: 2_000,
        },
      ],
    },
  ])
})

test('com equipe, os valores só são mostrados; um mês vazio diz isso', async () => {
  const portal = await open()
  await page.getByRole('combobox', { name: 'Equipe' }).selectOptions(TEAM)
  await expect
    .poll(() => portal.bodiesOf(ASKED).at(-1))
    .toMatchObject({ p_team: TEAM, p_month: '2026-11-01' })
  await expect.element(page.getByText(/Com equipe, o gasto é a parte dela/)).toBeVisible()
  expect(page.getByRole('textbox').elements()).toEqual([])
  portal.on(ASKED, () => ({ ...ORIGINS, origins: [], others: [], total: NOTHING, before: NOTHING }))
  await page.getByRole('combobox', { name: 'Mês' }).selectOptions('2026-10')
  await expect.element(page.getByText('Nenhum lead nem gasto neste mês.')).toBeVisible()
})
