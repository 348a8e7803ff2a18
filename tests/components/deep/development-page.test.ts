// The page of one development: cells with faults, and what it says without a network.
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'
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
  prices: [],
}

async function open() {
  await onDesk()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/developments/3': () => DETAILS,
  })
  await openApp('/empreendimentos?id=3', portal, ADMIN)
  await expect.element(cell('Vale até, 2 quartos')).toBeVisible()
}
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
