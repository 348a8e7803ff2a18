// What a gerente's screens show, and those of a broker who also leads.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp, type Person } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

const GERENTE: Person = { id: '00000000-0000-4000-8000-00000000aaaa', role: 'gerente', username: 'leandro' }
const CLOCKS = {
  at: new Date().toISOString(),
  since: new Date().toISOString(),
  target: 900,
  risk: [],
  means: { answered: 0, within: 0, wait: null, offered: null, accepted: null, response: null },
  brokers: [],
}

test('o gerente entra em Agora, com as telas da equipe e mais nenhuma', async () => {
  await onDesk()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_clocks': () => CLOCKS,
    'GET /api/brokers': () => [BROKER_ROW],
  })
  await openApp('/', portal, GERENTE)
  await expect.element(page.getByRole('heading', { name: 'Agora', level: 1 })).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Principal' }).getByRole('link')
  expect(tabs.elements().map(({ textContent }) => textContent)).toEqual([
    'Agora',
    'Resultado',
    'CRM',
    'Roleta',
  ])
  // The target is the agency's.
  expect(page.getByLabelText('Meta').elements()).toEqual([])
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect.element(page.getByRole('link', { name: 'Minha conta' })).toBeVisible()
  expect(page.getByRole('link', { name: 'Administradores' }).elements()).toEqual([])
})

test('no celular o corretor que gerencia tem a equipe no menu da conta', async () => {
  const { network } = brokerPortal()
  network.on('GET /api/assist/own', () => ({ isOn: false, isAvailable: false }))
  network.on('POST /rest/v1/rpc/get_clocks', () => CLOCKS)
  network.on('GET /rest/v1/kanban_stages', () => [])
  await onPhone()
  await openApp('/broker', network, { ...CAMILA, isLeader: true })
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('link', { name: 'Minha equipe' }).click()
  await expect.element(page.getByRole('heading', { name: 'Agora', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect.element(page.getByRole('link', { name: 'Meus leads' })).toBeVisible()
})
