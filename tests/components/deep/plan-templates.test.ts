// 'Planos de tentativas' and the rule of a source: published by administrators, off by default.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const SAVE = 'POST /rest/v1/rpc/plan_template_save'
const KEY = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const dialog = page.getByRole('dialog', { name: 'Planos de tentativas' })

const SOURCE = {
  id: KEY,
  kind: 'form',
  name: 'Site',
  perMinute: 120,
  code: 'AB12',
  settings: {},
  createdBy: 'chefe',
  createdAt: '2026-11-20T12:00:00Z',
  revokedAt: null,
  offAt: null,
  testedAt: null,
  usedAt: null,
  lastName: null,
  gapSeconds: null,
  leads: 0,
  monthLeads: 0,
  waiting: 0,
  failed: 0,
  unread: 0,
}
const KIND = { kind: 'form', name: 'Formulário', what: '', initials: 'FO', hue: 'new', place: 'Cole no site' }

async function openSources() {
  await onDesk()
  const portal = adminPortal({
    'GET /api/leads/keys': () => ({ kinds: [KIND], keys: [SOURCE] }),
    'GET /api/leads/unread': () => ({ unread: [] }),
    'GET /api/brokers': () => [],
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [],
    'GET /api/imports': () => ({ imports: [] }),
    'POST /rest/v1/rpc/get_plans': () => ({
      plans: [],
      own: null,
      shared: [
        { development: null, steps: [{ day: 1, minute: 600, kind: 'message', text: 'Viu a tabela?' }] },
      ],
      hours: { from: 8, until: 20, sundays: false },
    }),
    'GET /rest/v1/developments': () => [{ id: 3, name: 'Mirante do Lago' }],
    [SAVE]: () => [],
    [`PATCH /api/leads/keys/${KEY}`]: () => ({}),
  })
  await openApp('/roleta?vista=captacao', portal, ADMIN)
  return portal
}

test('publica o plano de um empreendimento, e confere dia e hora antes', async () => {
  const portal = await openSources()
  await page.getByRole('button', { name: 'Planos de tentativas' }).click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Texto da 1ª tentativa' }))
    .toHaveValue('Viu a tabela?')
  await expectAccessibleInBoth()
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Plano de' }), 'Mirante do Lago')
  await expect.element(dialog.getByText('Sem plano próprio: vale o de toda a agência.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Mais uma tentativa' }).click()
  await dialog.getByRole('textbox', { name: 'Dia' }).fill('0')
  await dialog.getByRole('button', { name: 'Publicar' }).click()
  await expect.element(dialog.getByText(/^Confira o dia, de 1 a 60/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Dia' }).fill('3')
  await dialog.getByRole('textbox', { name: 'Texto da 1ª tentativa' }).fill('Oi, {nome}!')
  await dialog.getByRole('button', { name: 'Publicar' }).click()
  await expect
    .poll(() => portal.bodiesOf(SAVE))
    .toMatchObject([
      {
        p_development_id: 3,
        p_steps: [{ day: 3, minute: 600, kind: 'message', text: 'Oi, {nome}!' }],
      },
    ])
})

test('a regra de uma fonte começa desligada', async () => {
  const portal = await openSources()
  const rule = page.getByRole('switch', { name: /Começa o plano de tentativas sozinho/ })
  await expect.element(rule).not.toBeChecked()
  await page.getByText('Começa o plano de tentativas sozinho').click()
  await expect
    .poll(() => portal.bodiesOf(`PATCH /api/leads/keys/${KEY}`))
    .toEqual([{ settings: { startsPlans: true } }])
})
