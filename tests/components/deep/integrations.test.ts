// 'Integrações': webhook addresses and their state, resending an event, a secret and an API key shown once.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

const now = Date.now()
const [SHEET, TV] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const hook = {
  id: SHEET,
  name: 'Planilha da diretoria',
  url: 'https://fluxos.exemplo.com/hook/leads',
  events: ['lead.created', 'lead.assigned', 'lead.answered'],
  state: 'active',
  reason: null,
  secretTail: '91d0',
  oldSecretUntilMs: null,
  failures: 2,
  deliveredAtMs: now - 60_000,
  nextAtMs: now + 11.5 * 60_000,
  waiting: 1,
}
const paused = {
  ...hook,
  id: TV,
  name: 'Painel de TV',
  events: ['lead.answered', 'broker.link_lost'],
  state: 'paused',
  reason: 'failures',
  nextAtMs: null,
}
const sent = {
  id: 7,
  messageId: '33333333-3333-4333-8333-333333333333',
  type: 'lead.created',
  leadId: 1,
  leadName: 'Luiz Ramos',
  leadNumber: '5511955550101',
  leadEmail: null,
  happenedAtMs: now - 600_000,
  state: 'waiting',
  isHeld: false,
  tries: 2,
  dueAtMs: now + 11.5 * 60_000,
  status: 503,
  fault: 'status',
  tookMs: 9_800,
}
const token = {
  id: '44444444-4444-4444-8444-444444444444',
  name: 'n8n do marketing',
  grants: ['leads:read', 'leads:write'],
  tail: '7c1e',
  createdAt: '2026-11-01T00:00:00Z',
  expiresAt: '2099-03-01T12:00:00Z',
  revokedAt: null,
  usedAt: new Date(now - 3 * 60_000).toISOString(),
}

async function open(isPhone = false, listed: object[] = [hook, paused]) {
  const portal = adminPortal({
    'GET /api/webhooks': () => listed,
    'POST /rest/v1/rpc/get_conversion_targets': () => [],
    [`GET /api/webhooks/${SHEET}/events`]: () => [
      sent,
      { ...sent, id: 6, leadName: 'Marina Tavares', state: 'delivered', status: 200, tookMs: 182 },
      { ...sent, id: 5, leadName: null },
      { ...sent, id: 4, leadName: null, leadNumber: null, leadEmail: 'luiz@exemplo.com.br' },
      { ...sent, id: 3, leadId: null, leadName: null, leadNumber: null, type: 'broker.link_lost' },
    ],
    [`GET /api/webhooks/${TV}/events`]: () => [
      { ...sent, id: 9, tries: 20, dueAtMs: now - 60_000 },
      { ...sent, id: 8, leadName: 'Marina Tavares', tries: 0, status: null, fault: null, tookMs: null },
    ],
    'GET /api/service-tokens': () => [
      token,
      { ...token, id: 'x', name: 'antiga', revokedAt: '2026-11-02T00:00:00Z' },
    ],
    'GET /rest/v1/kanban_stages': () => [],
  })
  await (isPhone ? onPhone() : onDesk())
  await openApp('/integracoes', portal, ADMIN)
  return portal
}

const hooks = page.getByRole('table', { name: 'Avisos para outros sistemas' })
const deliveries = page.getByRole('table', { name: 'últimas entregas' })
const tokens = page.getByRole('table', { name: 'Chaves de acesso' })

test('como vai cada endereço, cada entrega e cada chave', async () => {
  await open()
  const sheet = hooks.getByRole('row', { name: /Planilha/ })
  for (const words of ['Tentando de novo em 12 min', 'Novo, distribuído, respondido', 'há 1 min'])
    await expect.element(sheet).toHaveTextContent(words)
  const tv = hooks.getByRole('row', { name: /Painel de TV/ })
  for (const words of ['Pausado após 20 falhas', 'Respondido, WhatsApp caiu'])
    await expect.element(tv).toHaveTextContent(words)
  const failed = deliveries.getByRole('row', { name: /Luiz Ramos/ })
  for (const words of ['503 · 3ª tentativa às', '10 s', sent.messageId])
    await expect.element(failed).toHaveTextContent(words)
  await expect.element(deliveries.getByRole('row', { name: /Marina/ })).toHaveTextContent('200 recebido')
  // A lead without a name has the usual label; an event without a lead has none.
  for (const called of ['(11) 95555-0101', 'luiz@exemplo.com.br'])
    await expect.element(deliveries.getByRole('cell', { name: called, exact: true })).toBeVisible()
  await expect.element(deliveries.getByRole('row', { name: /link_lost/ })).toHaveTextContent('–')
  const key = tokens.getByRole('row', { name: /n8n/ })
  for (const words of [
    '••••7c1e',
    'Ler leads',
    'Criar e mudar leads',
    'usada há 3 min',
    'vence em 01/03/2099',
  ])
    await expect.element(key).toHaveTextContent(words)
  await expect.element(page.getByText('antiga')).not.toBeInTheDocument()
  await expectAccessibleInBoth()
})

test('um aviso vai de novo sem perguntar, e um que segura outros é pulado depois da pergunta', async () => {
  const portal = await open()
  portal.on(`POST /api/webhooks/${SHEET}/replay`, () => ({ count: 1 }))
  portal.on(`POST /api/webhooks/${SHEET}/events/7/skip`, () => ({ isSkipped: true }))
  const failed = deliveries.getByRole('row', { name: /Luiz Ramos/ })
  await failed.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect.element(page.getByText('1 aviso vai de novo.')).toBeVisible()
  expect(portal.bodiesOf(`POST /api/webhooks/${SHEET}/replay`)).toEqual([{ eventId: 7 }])
  await failed.getByRole('button', { name: 'Pular' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pular' }).click()
  await expect.poll(() => portal.bodiesOf(`POST /api/webhooks/${SHEET}/events/7/skip`)).toHaveLength(1)
})

test('num endereço pausado nada tem hora para sair, e o que se envia de novo espera a retomada', async () => {
  const portal = await open()
  portal.on(`POST /api/webhooks/${TV}/replay`, () => ({ count: 1 }))
  await hooks.getByRole('button', { name: 'Abrir Painel de TV' }).click()
  const failed = deliveries.getByRole('row', { name: /Luiz Ramos/ })
  await expect.element(failed).toHaveTextContent('503 · pausado')
  await expect.element(failed).not.toHaveTextContent('tentativa')
  await expect.element(deliveries.getByRole('row', { name: /Marina/ })).toHaveTextContent('Pausado')
  await failed.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect.element(page.getByText('1 aviso vai de novo quando você retomar.')).toBeVisible()
})

test('o segredo do endereço novo aparece uma vez, e o primeiro teste vai depois dele', async () => {
  const portal = await open()
  const refused = {
    code: 'webhook.address',
    message: 'Use um endereço público que comece com https://.',
  }
  portal.on('POST /api/webhooks', () => Response.json({ error: refused }, { status: 422 }))
  await page.getByRole('button', { name: 'Novo endereço' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo endereço' })
  const add = dialog.getByRole('button', { name: 'Adicionar' })
  await add.click()
  for (const fault of ['Dê um nome.', 'Escreva o endereço.'])
    await expect.element(dialog.getByText(fault)).toBeVisible()
  await dialog.getByLabelText('Nome').fill('ERP')
  await dialog.getByLabelText('Endereço').fill('https://erp.exemplo.com/portal')
  await dialog.getByRole('button', { name: 'Ganho' }).click()
  await expectAccessible()
  await add.click()
  await expect.element(dialog.getByText(refused.message)).toBeVisible()
  portal.on('POST /api/webhooks', () => ({ id: TV, secret: 'whsec_todo' }))
  await add.click()
  const secret = page.getByRole('dialog', { name: 'Segredo' })
  await expect.element(secret.getByText(/Copie agora\./)).toBeVisible()
  await expect.element(secret.getByRole('textbox', { name: 'Segredo' })).toHaveValue('whsec_todo')
  expect(portal.bodiesOf('POST /api/webhooks').at(-1)).toEqual({
    name: 'ERP',
    url: 'https://erp.exemplo.com/portal',
    events: ['lead.created', 'lead.assigned', 'lead.answered', 'lead.won'],
  })
  const send = secret.getByRole('button', { name: 'Enviar teste' })
  portal.on(`POST /api/webhooks/${TV}/test`, () => ({ status: 401, fault: 'status', tookMs: 90 }))
  await send.click()
  await expect.element(secret.getByText(/O teste falhou: 401\. Confira o endereço e o segredo/)).toBeVisible()
  await expectAccessible()
  portal.on(`POST /api/webhooks/${TV}/test`, () => ({ status: 200, fault: null, tookMs: 182 }))
  await send.click()
  await expect.element(secret.getByText('Respondeu em 182 ms. O endereço está ligado.')).toBeVisible()
  await expect.element(send).not.toBeInTheDocument()
})

test('um endereço sem o primeiro teste diz o que falta, e não pode ser retomado', async () => {
  const untested = { ...hook, state: 'off', reason: 'untested', nextAtMs: null }
  const portal = await open(false, [untested])
  portal.on(`POST /api/webhooks/${SHEET}/test`, () => ({ status: 200, fault: null, tookMs: 182 }))
  await expect
    .element(hooks.getByRole('row', { name: /Planilha/ }))
    .toHaveTextContent('Falta o primeiro teste')
  await expect.element(page.getByRole('button', { name: 'Retomar' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Enviar teste' }).click()
  await expect.element(page.getByText('Respondeu em 182 ms. O endereço está ligado.')).toBeVisible()
})

test('as entregas passadas de um só aviso', async () => {
  const portal = await open()
  portal.on(`GET /api/webhooks/${SHEET}/events`, ({ url }) => [
    { ...sent, leadName: url.search === '?type=lead.answered' ? 'Só respondidos' : 'Todos' },
  ])
  await page.getByLabelText('Aviso', { exact: true }).selectOptions('Respondido')
  await expect.element(deliveries.getByRole('row', { name: /Só respondidos/ })).toBeVisible()
})

test('um endereço pausado é retomado, e o segredo é trocado com um dia de folga', async () => {
  const portal = await open()
  portal.on(`POST /api/webhooks/${TV}/state`, () => ({ state: 'active' }))
  portal.on(`POST /api/webhooks/${TV}/secret`, () => ({ secret: 'whsec_outro', untilMs: now + 864e5 }))
  await hooks.getByRole('button', { name: 'Abrir Painel de TV' }).click()
  await page.getByRole('button', { name: 'Retomar' }).click()
  await expect.poll(() => portal.bodiesOf(`POST /api/webhooks/${TV}/state`)).toEqual([{ state: 'active' }])
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Trocar segredo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trocar segredo' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Segredo' }).getByRole('textbox'))
    .toHaveValue('whsec_outro')
})

test('um período vai de novo', async () => {
  const portal = await open()
  portal.on(`POST /api/webhooks/${SHEET}/replay`, () => ({ count: 12 }))
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Enviar um período de novo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enviar um período de novo' })
  await dialog.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect.element(dialog.getByText('O fim precisa vir depois do começo.')).toBeVisible()
  await dialog.getByLabelText('De').fill('2026-11-20T08:00')
  await dialog.getByLabelText('Até').fill('2026-11-20T09:00')
  await dialog.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect.element(page.getByText('12 avisos vão de novo.')).toBeVisible()
  const [span] = portal.bodiesOf(`POST /api/webhooks/${SHEET}/replay`)
  expect(Date.parse(String(span?.['to'])) - Date.parse(String(span?.['from']))).toBe(3_600_000)
})

test('uma chave tem nome, permissões e fim, e aparece uma vez; revogada, some', async () => {
  const portal = await open(true)
  portal.on('POST /api/service-tokens', () => ({ id: 'y', token: 'eyJ.todo.7c1e' }))
  portal.on(`POST /api/service-tokens/${token.id}/revoke`, () => ({ isRevoked: true }))
  await page.getByRole('button', { name: 'Nova chave' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nova chave' })
  await dialog.getByLabelText('Nome').fill('Make')
  await dialog.getByRole('button', { name: 'Criar chave' }).click()
  await expect.element(dialog.getByText('Escolha um dia daqui a no máximo dois anos.')).toBeVisible()
  const day = new Date(now + 30 * 864e5).toLocaleDateString('sv')
  await dialog.getByLabelText('Vale até').fill(day)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Criar chave' }).click()
  const shown = page.getByRole('dialog', { name: 'Chave criada' })
  await expect.element(shown.getByRole('textbox')).toHaveValue('eyJ.todo.7c1e')
  expect(portal.bodiesOf('POST /api/service-tokens')).toMatchObject([
    { name: 'Make', grants: ['leads:read'], expiresAt: new Date(`${day}T23:59:59`).toISOString() },
  ])
  await shown.getByRole('button', { name: 'Concluir' }).click()
  await tokens.getByRole('button', { name: 'Revogar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revogar' }).click()
  await expect.poll(() => portal.bodiesOf(`POST /api/service-tokens/${token.id}/revoke`)).toHaveLength(1)
})

test('on wide screens the account screens have their list beside them; phones have it only in the account', async () => {
  const portal = await open()
  const list = page.getByRole('navigation', { name: 'Telas da conta e do sistema' })
  const names = [
    'Minha conta',
    'Administradores',
    'Equipes',
    'Integrações',
    'Auditoria',
    'Dados pessoais',
    'Saúde do sistema',
  ]
  await expect
    .element(list.getByRole('link', { name: 'Integrações' }))
    .toHaveAttribute('aria-current', 'page')
  expect(
    list
      .getByRole('link')
      .all()
      .map((link) => link.element().textContent),
  ).toEqual(names)
  const nothing = () => []
  portal.on('GET /rest/v1/agent_prompts', nothing)
  portal.on('POST /rest/v1/rpc/authenticate_admin', nothing)
  portal.on('POST /rest/v1/rpc/get_total_contatos_por_corretor', nothing)
  portal.on('POST /rest/v1/rpc/listar_roletas_com_corretores', nothing)
  await list.getByRole('link', { name: 'Saúde do sistema' }).click()
  await expect.element(page.getByRole('heading', { name: 'Saúde do sistema', level: 1 })).toBeVisible()
  await expect.element(page.getByText('listar_roletas_com_corretores')).toBeInTheDocument()
  await expect.element(list).toBeVisible()
  await onPhone()
  await expect.element(list).not.toBeInTheDocument()
})
