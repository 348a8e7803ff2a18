// 'Passar para…': a broker passes a lead to a colleague of the team, and answers what colleagues pass.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onPhone, tap } from '#tests/support/components/device.ts'

const INCOMING = {
  contact_id: 900,
  first_name: 'Rogério',
  development: 'Mirante',
  from: 'corretor_rafael',
  at: 1,
}
type Passes = { colleagues: string[]; incoming: object[]; outgoing: object[] }
const TEAM: Passes = { colleagues: ['corretor_eduardo', 'corretor_rafael'], incoming: [], outgoing: [] }

async function open(passes: Passes, address = '/broker') {
  const { network } = brokerPortal()
  network.on('GET /api/assist/own', () => ({ isOn: false, isAvailable: false }))
  network.on('GET /api/roleta/mine', () => ({
    offers: [],
    pool: [],
    pausedUntil: null,
    hasTeam: true,
    now: new Date().toISOString(),
  }))
  network.on('POST /rest/v1/rpc/get_lead_passes', () => passes)
  for (const name of ['lead_pass', 'lead_take'] as const)
    network.on(`POST /rest/v1/rpc/${name}`, () => ({
      success: true,
      code: 'saved',
      message: null,
      current: null,
    }))
  await onPhone()
  await openApp(address, network, CAMILA)
  await expect.element(page.getByRole('article').first()).toBeVisible()
  return network
}

test('um lead que um colega passa: primeiro nome e empreendimento, e a resposta', async () => {
  const network = await open({ ...TEAM, incoming: [INCOMING] })
  const card = page.getByRole('article', { name: 'Rogério', exact: true })
  await expect.element(card.getByText('Rafael quer passar este lead para você')).toBeVisible()
  await expectAccessibleInBoth()
  network.on('POST /rest/v1/rpc/get_lead_passes', () => TEAM)
  await tap(page.getByRole('button', { name: 'Aceitar Rogério' }))
  await expect.element(page.getByText('Rogério vem para o seu quadro').first()).toBeVisible()
  await expect.poll(() => card.elements()).toEqual([])
  await expect
    .poll(() => network.bodiesOf('POST /rest/v1/rpc/lead_take'))
    .toMatchObject([{ p_contact_id: 900, p_accepts: true }])
})

test('o menu da conversa passa o lead a um colega, e Desfazer o traz de volta', async () => {
  const network = await open(TEAM)
  await tap(page.getByRole('article').first())
  await tap(page.getByRole('button', { name: /^Opções/ }))
  await tap(page.getByRole('menuitem', { name: 'Passar para…' }))
  await expect.element(page.getByRole('heading', { name: 'Passar para' })).toBeVisible()
  await tap(page.getByRole('button', { name: 'Eduardo' }))
  await expect.element(page.getByText(/^Eduardo recebe o pedido/).first()).toBeVisible()
  await expect
    .poll(() => network.bodiesOf('POST /rest/v1/rpc/lead_pass'))
    .toMatchObject([{ p_to_broker: 'corretor_eduardo' }])
})
