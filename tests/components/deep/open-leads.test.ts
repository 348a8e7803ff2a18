// 'Leads a distribuir' in Roleta: a lead is passed to a broker from its row, and several at once.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { STAGES, SYNC } from '#tests/support/components/broker-portal.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

const GIVE = 'POST /rest/v1/rpc/transferir_leads'
const arrived = { development: 'Mirante do Lago', owner: null, holder: null, nextAt: null, email: null }
const CASES = [
  { id: 11, contactId: 1, name: 'Igor Salles', number: '5511955500141', state: 'inbox' },
  { id: 12, contactId: 2, name: 'Luiz Ramos', number: '5511955500142', state: 'pool' },
  { id: 13, contactId: 3, name: 'Flávia Rangel', number: null, email: 'flavia@example.com', state: 'inbox' },
].map((lead) => ({ ...arrived, arrivedAt: new Date().toISOString(), ...lead }))

async function open(size: () => Promise<void> = onDesk) {
  let cases = CASES
  const portal = adminPortal({
    'GET /api/roleta/open': () => ({ cases }),
    'GET /api/brokers': () => [{ ...BROKER_ROW, number: '5511901000101' }],
    'GET /rest/v1/brokers': () => [],
    'GET /api/brokers/totals': () => [],
    'POST /rest/v1/rpc/get_total_contatos_por_corretor': () => [],
    'POST /rest/v1/rpc/get_lead_owners': () => [],
    'GET /rest/v1/kanban_stages': () => [],
    [SYNC]: () => ({ cursor: '1', reset: true, leads: [], removed: [], stages: STAGES }),
  })
  portal.on(GIVE, ({ body }) => {
    const given = body['p_contact_ids'] as number[]
    cases = cases.filter(({ contactId }) => !given.includes(contactId))
    const leads = given.map((id) => ({ id, from: null }))
    return { success: true, code: 'moved', message: null, moved: leads.length, merged: 0, leads }
  })
  await size()
  await openApp('/roleta?vista=leads', portal, ADMIN)
  await expect.element(rows.getByRole('row', { name: /Igor Salles/ })).toBeVisible()
  return portal
}

const rows = page.getByRole('table', { name: 'Leads a distribuir' })
const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })

test('da linha um lead passa para o corretor escolhido e sai da lista', async () => {
  const portal = await open()
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: 'Passar para...: Igor Salles' }).click()
  await dialog.getByRole('radio', { name: /Camila/ }).click()
  await dialog.getByRole('button', { name: 'Passar 1 lead' }).click()
  await expect.element(page.getByText('1 lead passou para Camila')).toBeVisible()
  await expect.poll(() => rows.getByRole('row', { name: /Igor Salles/ }).query()).toBeNull()
  expect(portal.bodiesOf(GIVE)).toMatchObject([{ p_contact_ids: [1], p_broker_name: 'corretor_camila' }])
})

test('vários passam de uma vez; quem só tem e-mail fica, porque ainda não tem telefone', async () => {
  const portal = await open()
  expect(rows.getByRole('checkbox', { name: /Flávia/ }).query()).toBeNull()
  expect(page.getByRole('button', { name: /^Passar para.*Flávia/ }).query()).toBeNull()
  await rows.getByRole('checkbox', { name: 'Selecionar Luiz Ramos' }).click()
  await expect.element(page.getByRole('region', { name: '1 selecionado' })).toBeVisible()
  // A press on the box opens nothing.
  expect(page.getByRole('dialog').query()).toBeNull()
  await page.getByRole('button', { name: 'Selecionar todos (2)' }).click()
  const bar = page.getByRole('region', { name: '2 selecionados' })
  await bar.getByRole('button', { name: 'Passar para...' }).click()
  await dialog.getByRole('radio', { name: /Camila/ }).click()
  await dialog.getByRole('button', { name: 'Passar 2 leads' }).click()
  await expect.element(page.getByText('2 leads passaram para Camila')).toBeVisible()
  await expect.poll(() => rows.getByRole('row').all().length).toBe(2)
  expect(portal.bodiesOf(GIVE)).toMatchObject([{ p_contact_ids: [1, 2] }])
})

test('no celular cada lead é um cartão com o mesmo botão', async () => {
  await open(onPhone)
  await page.getByRole('button', { name: 'Passar para...: Luiz Ramos' }).click()
  await expect.element(dialog.getByText('Luiz Ramos')).toBeVisible()
  await expectAccessible()
})
