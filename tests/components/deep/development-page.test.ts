// The page of one development: cells with faults, its units, and what it says without a network.
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'
import { BARE_MIRANTE } from '#tests/support/make-app.ts'

const plan = (id: number, name: string, validUntil: string) => ({
  id,
  name,
  bedrooms: 2,
  suites: 1,
  parking: 1,
  areaFrom: 62,
  areaTo: null,
  priceFromCents: 41_200_000,
  priceToCents: null,
  pricedOn: '2026-11-21',
  validUntil,
  unitsLeft: 18,
  drawingId: null,
})
const unit = (code: string, state: string) => ({
  planId: 1,
  tower: 'A',
  code,
  floor: '1',
  area: 62.5,
  priceCents: 41_200_000,
  state,
})
const DETAILS = {
  ...BARE_MIRANTE,
  version: 3,
  builder: null,
  description: null,
  archivedAt: null,
  savedBy: null,
  savedAt: null,
  plans: [plan(1, '2 quartos', '2099-11-30'), plan(2, 'Cobertura', '2020-11-15')],
  usage: {
    texts: [],
    rotation: null,
    agent: null,
    sources: [],
    openLeads: 0,
    waitingLeads: 0,
    visits: 0,
  },
  units: [unit('101', 'disponivel'), unit('102', 'reservado')],
  prices: [],
}

const TABLE = {
  id: 9,
  kind: 'tabela',
  title: 'Tabela de novembro',
  mimeType: 'application/pdf',
  fileName: 'tabela.pdf',
  sizeBytes: 310_000,
  width: null,
  height: null,
  addedAt: '2026-11-21T12:00:00Z',
}

async function open(hold = onDesk) {
  await hold()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/developments/3': () => DETAILS,
    'POST /api/developments/3/save': () => ({ ...DETAILS, version: 4 }),
  })
  await openApp('/empreendimentos?id=3', portal, ADMIN)
  await expect.element(cell('Vale até, 2 quartos')).toBeVisible()
  return portal
}
type Save = { development: { units?: object[] } }
const cell = (name: string) => page.getByLabelText(name)
const ringOf = (name: string) => getComputedStyle(cell(name).element()).boxShadow

test('um preço sem validade tem borda de erro e o motivo; um vencido, borda de aviso', async () => {
  await open()
  const plain = ringOf('A partir de, 2 quartos')
  expect(ringOf('Vale até, Cobertura')).not.toBe(plain)
  await cell('Vale até, 2 quartos').fill('')
  await cell('A partir de, Cobertura').click()
  await expect.element(page.getByRole('alert').getByText('Falta a validade.')).toBeVisible()
  expect(ringOf('Vale até, 2 quartos')).toMatch(/0px 0px 0px 2px inset/)
  await expectAccessibleInBoth()
})

test('um arquivo que outra pessoa acrescentou aparece na volta à página', async () => {
  const portal = await open()
  portal.on('GET /api/developments', () => ({ developments: [] }))
  portal.on('GET /api/developments/unbound', () => ({ texts: [] }))
  await page.getByRole('main').getByRole('button', { name: 'Empreendimentos', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: 'Empreendimentos', exact: true })).toBeVisible()
  portal.on('GET /api/developments/3', () => ({ ...DETAILS, media: [TABLE] }))
  history.back()
  await expect.element(page.getByText('Tabela de novembro')).toBeVisible()
  await expect.element(page.getByText('Alterações não salvas')).not.toBeInTheDocument()
})

test('sem rede a página diz que precisa de internet para salvar', async () => {
  await open()
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'onLine')
    dispatchEvent(new Event('online'))
  })
  dispatchEvent(new Event('offline'))
  await expect.element(page.getByText('Você precisa de internet para salvar.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Salvar', exact: true })).toBeDisabled()
})

describe('as unidades', () => {
  const units = page.getByRole('table', { name: 'Unidades' })
  const card = page.getByRole('region', { name: 'Unidades' })
  const pasteAt = (name: string, text: string) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    cell(name)
      .element()
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }
  const saved = (portal: Awaited<ReturnType<typeof open>>) => portal.bodiesOf('POST /api/developments/3/save')

  test('mostra cada unidade com sua situação, e quantas há de cada', async () => {
    await open()
    await expect.element(cell('Preço, A 101')).toHaveValue('R$ 412.000')
    await expect.element(cell('Situação, A 102')).toHaveValue('Reservada')
    await expect.element(card.getByText('1 disponível')).toBeVisible()
    await expect.element(card.getByText('1 reservada')).toBeVisible()
    await expectAccessibleInBoth()
  })

  test('no telefone a tabela rola por si, a página não', async () => {
    await open(onPhone)
    await expect.element(units).toBeInTheDocument()
    expect(document.documentElement.scrollWidth).toBe(innerWidth)
    await expectAccessibleInBoth()
  })

  test('muda, tira, acrescenta e cola da planilha; salvar leva as unidades', async () => {
    const portal = await open()
    await cell('Situação, A 101').selectOptions('Vendida')
    await page.getByRole('button', { name: 'Tirar A 102' }).click()
    await expect.element(cell('Unidade, A 101')).toHaveFocus()
    await card.getByRole('button', { name: 'Unidade', exact: true }).click()
    await expect.element(cell('Unidade, Linha 2')).toHaveFocus()
    pasteAt('Unidade, Linha 2', '103\tA\t1\t62,5\t430 mil\tReservado\n104\tA\t1\t70\t1,2 milhão\tLivre')
    await expect.element(cell('Situação, A 103')).toHaveValue('Reservada')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(page.getByText('Empreendimento salvo.')).toBeVisible()
    expect(saved(portal)).toMatchObject([
      {
        development: {
          units: [
            {
              planId: 1,
              tower: 'A',
              code: '101',
              floor: '1',
              area: 62.5,
              priceCents: 41_200_000,
              state: 'vendido',
            },
            { planId: null, code: '103', priceCents: 43_000_000, state: 'reservado' },
            { planId: null, code: '104', priceCents: 120_000_000, state: 'disponivel' },
          ],
        },
      },
    ])
  })

  test('sem mudança nas unidades, salvar não as leva', async () => {
    const portal = await open()
    await cell('Bairro').fill('Centro')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(page.getByText('Empreendimento salvo.')).toBeVisible()
    expect((saved(portal) as Save[])[0]?.development).not.toHaveProperty('units')
  })

  test('de muitas mostra 50 por vez; um erro longe é dito, achado, e nada é salvo', async () => {
    const portal = await open()
    const lines = Array.from(
      { length: 120 },
      (_, at) => `${at + 1}\tB\t1\t62\t400 mil\t${at === 90 ? 'permuta' : ''}`,
    )
    pasteAt('Unidade, A 102', lines.join('\n'))
    await expect.element(card.getByText('1 a 50 de 121')).toBeVisible()
    expect(units.getByRole('row').all()).toHaveLength(51)
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(card.getByText('Uma célula com erro.')).toBeVisible()
    expect(saved(portal)).toEqual([])
    await card.getByRole('button', { name: 'Ver a primeira' }).click()
    await expect.element(cell('Situação, B 91')).toHaveFocus()
    await expect.element(page.getByRole('alert').getByText('Disponível, reservada ou vendida.')).toBeVisible()
    await card.getByRole('button', { name: 'Próximas unidades' }).click()
    await expect.element(card.getByText('101 a 121 de 121')).toBeVisible()
  })
})
