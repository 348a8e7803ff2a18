// 'Do zero ao primeiro lead respondido' and the WhatsApp gateway: a refusal is shown at its field, a stored value
// continues.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { inviteMessage } from '#domain/invite.ts'
import { PORTAL } from '#ui/primitives/page-title.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { STAGES, SYNC } from '#tests/support/components/broker-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const SAVE = 'PUT /api/gateway'
const URL_OF_IT = 'https://evolution.example'
const EMPTY = {
  brokers: 0,
  broker: null,
  sources: 0,
  lead: null,
  address: 'https://portal.example',
  backup: { lastAtMs: 1, isFailing: false },
  gateway: { source: 'none', url: null, health: 'none' },
  isUnheard: false,
  webhook: { url: 'https://portal.example', isElsewhere: false },
}
const KEPT = { source: 'kept', url: URL_OF_IT, health: 'ok', kind: 'evolution' }
const EVOLUTION = { kind: 'evolution', source: 'kept', url: URL_OF_IT, health: 'ok' }
const refusal = () =>
  Response.json(
    { error: { code: 'gateway.unauthorized', message: 'A chave foi recusada.' } },
    { status: 422 },
  )

async function open(path: string, answers: Record<string, () => unknown>) {
  const portal = adminPortal({
    'GET /api/admins': () => [],
    'GET /api/account/second-step': () => ({ isOn: false, codesLeft: 0 }),
    'GET /api/config': () => ({ agency: { name: null, color: null, logo: null } }),
    'GET /rest/v1/kanban_stages': () => [],
    'GET /rest/v1/brokers': () => [],
    'POST /rest/v1/rpc/get_total_contatos_por_corretor': () => [],
    'GET /api/brokers/totals': () => [],
    // The CRM lists leads without a broker beside the brokers.
    'GET /api/leads/contacts/doubts': () => ({ doubts: [] }),
    [SYNC]: () => ({ cursor: 'none', reset: true, leads: [], removed: [], stages: STAGES }),
    ...answers,
  })
  await onDesk()
  await openApp(path, portal, ADMIN)
  return portal
}

const step = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const address = page.getByLabelText('Endereço')
const key = page.getByLabelText('Chave', { exact: true })
const save = page.getByRole('button', { name: 'Conferir e ligar' })

test('a chave recusada é dita no campo; a aceita abre o passo seguinte', async () => {
  let hour = EMPTY as object
  const portal = await open('/', { 'GET /api/first-hour': () => hour, [SAVE]: refusal })
  await expect.element(page.getByText('1 de 5 feito')).toBeVisible()
  await expect.element(save).toBeDisabled()
  await address.fill(` ${URL_OF_IT} `)
  await key.fill('errada')
  await save.click()
  await expect
    .element(step('Ligue o serviço de WhatsApp').getByRole('alert'))
    .toHaveTextContent('A chave foi recusada.')
  await expect.element(address).toHaveValue(` ${URL_OF_IT} `)
  await expectAccessibleInBoth()

  portal.on(SAVE, () => {
    hour = { ...EMPTY, gateway: KEPT }
    return { url: URL_OF_IT, version: '2.3.6' }
  })
  await key.fill('certa')
  await save.click()
  await expect.element(page.getByText(`Ligado em ${URL_OF_IT}.`)).toBeVisible()
  await expect.element(page.getByText('2 de 5 feito')).toBeVisible()
  await expect
    .element(step('Cadastre o primeiro corretor').getByRole('button', { name: 'Adicionar Corretor' }))
    .toBeVisible()
  expect(portal.bodiesOf(SAVE)).toEqual([
    { kind: 'evolution', url: URL_OF_IT, apiKey: 'errada' },
    { kind: 'evolution', url: URL_OF_IT, apiKey: 'certa' },
  ])
})

test('a primeira resposta encerra os passos e diz em quanto tempo saiu', async () => {
  const broker = { instanceName: 'corretor_camila', hasPassword: true, isLinked: true, isTold: true }
  let lead = { name: 'Marta', seconds: null as number | null, isOwned: true }
  const portal = await open('/', {
    'GET /api/first-hour': () => ({ ...EMPTY, brokers: 1, broker, sources: 1, lead }),
  })
  portal.on(SAVE, () => {
    lead = { ...lead, seconds: 72 }
    return { url: URL_OF_IT, version: '2.3.6' }
  })
  await expect.element(page.getByText('Marta chegou e espera resposta.')).not.toBeInTheDocument()
  await expect.element(page.getByText('Esconder guia')).toBeVisible()
  await address.fill(URL_OF_IT)
  await key.fill('certa')
  await save.click()
  const end = page.getByRole('region', { name: 'Primeiro lead respondido' })
  await expect.element(end.getByText('Respondido em 1 min 12 s.')).toBeVisible()
  await expect
    .element(page.getByRole('heading', { name: 'Do zero ao primeiro lead respondido' }))
    .not.toBeInTheDocument()
})

test('o lead de teste vai para o corretor escolhido, e se remove depois da resposta', async () => {
  localStorage.removeItem('first-hour-closed')
  const broker = { instanceName: 'corretor_camila', hasPassword: true, isLinked: true, isTold: true }
  const made = { ...EMPTY, gateway: KEPT, brokers: 2, broker, sources: 1 }
  let hour: object = made
  const portal = await open('/', {
    'GET /api/first-hour': () => hour,
    'GET /api/brokers': () => [
      BROKER_ROW,
      { ...BROKER_ROW, id: '22222222-2222-4222-8222-222222222222', instanceName: 'corretor_juliana' },
    ],
    'POST /rest/v1/rpc/send_test_lead': () => ({
      code: 'conflict',
      message: 'Este número já está com Rafael.',
    }),
  })
  const answer = step('Responda o primeiro lead')
  const number = answer.getByLabelText(/^Seu WhatsApp/)
  const send = answer.getByRole('button', { name: 'Enviar um lead de teste' })
  await expect.element(send).toBeDisabled()
  await answer.getByLabelText('Corretor que recebe').selectOptions('corretor_juliana')
  await number.fill('(11) 95555-0177')
  await send.click()
  await expect.element(answer.getByText('Este número já está com Rafael.')).toBeVisible()
  await expectAccessibleInBoth()

  const lead = { name: 'Lead de teste', seconds: null as number | null, isOwned: true }
  portal.on('POST /rest/v1/rpc/send_test_lead', () => {
    hour = { ...made, lead, test: { instanceName: 'corretor_juliana' } }
    return { code: 'saved', message: null }
  })
  await number.fill('(11) 95555-0188')
  await send.click()
  await expect.element(answer.getByText('Lead de teste chegou e espera resposta.')).toBeVisible()
  await expect.element(answer.getByText('Ele não conta nos números.')).toBeVisible()
  await expect.element(answer.getByRole('button', { name: 'Remover o lead de teste' })).toBeVisible()
  expect(portal.bodiesOf('POST /rest/v1/rpc/send_test_lead')).toMatchObject([
    { p_number: '(11) 95555-0177', p_broker_name: 'corretor_juliana' },
    { p_number: '(11) 95555-0188', p_broker_name: 'corretor_juliana' },
  ])

  hour = { ...made, lead: { ...lead, seconds: 130 }, test: { instanceName: 'corretor_juliana' } }
  portal.on('POST /rest/v1/rpc/remove_test_lead', () => {
    hour = { ...made, lead: { ...lead, seconds: 130 }, test: null }
    return { removed: true }
  })
  const end = page.getByRole('region', { name: 'Primeiro lead respondido' })
  await expect.element(end.getByText('Respondido em 2 min 10 s.'), { timeout: 8_000 }).toBeVisible()
  await expect
    .element(end.getByText('O lead de teste ainda está com Juliana; ele não conta nos números.'))
    .toBeVisible()
  await end.getByRole('button', { name: 'Remover o lead de teste' }).click()
  await page.getByRole('button', { name: 'Remover', exact: true }).click()
  await expect.element(end.getByText('O portal está pronto.')).toBeVisible()
  await end.getByRole('button', { name: 'Fechar' }).click()
  await expect.element(end).not.toBeInTheDocument()
})

test('o serviço que deixou de aceitar a chave volta a pedir o endereço e a chave', async () => {
  await open('/', {
    'GET /api/first-hour': () => ({ ...EMPTY, gateway: { ...KEPT, health: 'unauthorized' } }),
  })
  await expect.element(page.getByText('O serviço recusa a chave.')).toBeVisible()
  await expect.element(address).toHaveValue(URL_OF_IT)
})

test('o serviço que responde e não alcança o portal é dito, com o endereço', async () => {
  const webhook = { url: 'http://127.0.0.1:8080', isElsewhere: false }
  await open('/', { 'GET /api/first-hour': () => ({ ...EMPTY, gateway: KEPT, isUnheard: true, webhook }) })
  await expect
    .element(step('Ligue o serviço de WhatsApp').getByRole('status'))
    .toHaveTextContent(/não alcança o portal em http:\/\/127\.0\.0\.1:8080/)
  await expect.element(page.getByText('1 de 5 feito')).toBeVisible()
})

test('o primeiro lead sem corretor é dito, com o lugar onde se passa', async () => {
  const broker = { instanceName: 'corretor_camila', hasPassword: true, isLinked: true, isTold: true }
  const lead = { name: 'Marta', seconds: null, isOwned: false }
  await open('/', {
    'GET /api/first-hour': () => ({ ...EMPTY, gateway: KEPT, brokers: 1, broker, sources: 1, lead }),
    'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [],
    'GET /api/roleta/open': () => ({ cases: [] }),
  })
  await expect.element(page.getByText(/^Marta chegou e está sem corretor\./)).toBeVisible()
  await page.getByRole('button', { name: 'Ver leads a distribuir' }).click()
  await expect.element(page.getByRole('heading', { name: 'Gerenciamento de Roletas' })).toBeVisible()
  expect(location.search).toBe('?vista=leads')
})

test('esperar não é erro: só o que falhou fica vermelho', async () => {
  const invited = { instanceName: 'corretor_bia', hasPassword: false, isLinked: false, isTold: false }
  let gateway = KEPT
  const portal = await open('/', {
    'GET /api/first-hour': () => ({ ...EMPTY, brokers: 1, broker: invited, gateway }),
  })
  portal.on(SAVE, () => ({ url: URL_OF_IT, version: '2.3.6' }))
  const colourOf = (text: string) => getComputedStyle(page.getByText(text).element()).color
  await expect.element(page.getByText('Bia ainda não abriu o convite.')).toBeVisible()
  const hint = colourOf('Ele recebe um convite e conecta o WhatsApp pelo próprio celular.')
  expect(colourOf('Bia ainda não abriu o convite.')).toBe(hint)
  gateway = { ...KEPT, health: 'unauthorized' }
  await page.getByRole('link', { name: 'CRM' }).click()
  await page.getByRole('link', { name: 'WhatsApp' }).click()
  await expect.element(page.getByText('O serviço recusa a chave.')).toBeVisible()
  expect(colourOf('O serviço recusa a chave.')).not.toBe(hint)
})

test('o convite vai com uma mensagem que diz de que portal é', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const portal = await open('/', {
    'GET /api/first-hour': () => ({ ...EMPTY, gateway: KEPT }),
    'POST /api/brokers': () => ({ instanceName: 'corretor_camila', invite: 'abc' }),
  })
  await page.getByRole('button', { name: 'Adicionar Corretor' }).first().click()
  await page.getByLabelText('Nome do corretor').fill('camila')
  await page.getByRole('button', { name: 'Criar corretor' }).click()
  const link = `${location.origin}/login?usuario=camila&convite=abc`
  await expect.element(page.getByRole('textbox', { name: 'Link de primeiro acesso' })).toHaveValue(link)
  await page.getByRole('button', { name: 'Copiar mensagem com o link' }).click()
  await expect.element(page.getByText('Mensagem copiada.')).toBeVisible()
  expect(copied).toHaveBeenLastCalledWith(inviteMessage('Camila', PORTAL, link))
  expect(portal.bodiesOf('POST /api/brokers')).toHaveLength(1)
})

test('a marca fica a um toque dos passos', async () => {
  await open('/', { 'GET /api/first-hour': () => EMPTY })
  await page.getByRole('button', { name: 'Definir a marca' }).click()
  await expect.element(page.getByRole('heading', { name: 'Marca' })).toBeVisible()
})

test('depois da primeira hora a chave se troca em Conta, e sai do campo', async () => {
  const portal = await open('/conta', {
    'GET /api/gateway': () => ({ gateways: [EVOLUTION], newKind: 'evolution', instances: [] }),
    [SAVE]: () => ({ url: URL_OF_IT, version: '2.3.6' }),
  })
  await expect.element(address).toHaveValue(URL_OF_IT)
  await key.fill('nova')
  await save.click()
  await expect.element(page.getByText('Serviço de WhatsApp ligado')).toBeVisible()
  await expect.element(key).toHaveValue('')
  expect(portal.bodiesOf(SAVE)).toEqual([{ kind: 'evolution', url: URL_OF_IT, apiKey: 'nova' }])
})

test('o que o servidor diz não se troca na tela', async () => {
  await open('/conta', {})
  await expect.element(page.getByText('Vem das configurações do servidor e se troca lá.')).toBeVisible()
  await expect.element(address).not.toBeInTheDocument()
})

test('a primeira hora também aceita o outro serviço, com o que ele pede', async () => {
  const portal = await open('/', {
    'GET /api/first-hour': () => EMPTY,
    [SAVE]: () => ({ url: 'https://waha.example', version: '2026.7.1' }),
  })
  await page.getByLabelText('Serviço', { exact: true }).selectOptions('WAHA')
  await page.getByRole('button', { name: 'Onde encontro isso?' }).click()
  await expect.element(page.getByText(/chave de API das configurações dele/)).toBeVisible()
  await address.fill('https://waha.example')
  await key.fill('certa')
  await save.click()
  await expect
    .poll(() => portal.bodiesOf(SAVE))
    .toEqual([{ kind: 'waha', url: 'https://waha.example', apiKey: 'certa' }])
})

test('com dois serviços se escolhe o das novas conexões, e uma conexão muda pelo código', async () => {
  let step: object = { kind: 'code', image: 'data:image/png;base64,iVBORw0KGgo=' }
  const both = {
    gateways: [
      { ...EVOLUTION, source: 'environment', url: null },
      { kind: 'waha', source: 'environment', url: null, health: 'unreachable' },
    ],
    newKind: 'evolution',
    instances: [{ instanceName: 'corretor_camila', kind: 'evolution', target: null }],
  }
  const portal = await open('/conta', {
    'GET /api/gateway': () => both,
    'PUT /api/gateway/new': () => ({ newKind: 'waha' }),
    'POST /api/instance/move': () => step,
    'DELETE /api/instance/move': () => ({}),
  })
  await expect.element(page.getByRole('region', { name: 'WAHA' }).getByText('Não responde.')).toBeVisible()
  await page.getByLabelText('Novas conexões usam').selectOptions('WAHA')
  await expect.poll(() => portal.bodiesOf('PUT /api/gateway/new')).toEqual([{ kind: 'waha' }])

  await page.getByRole('button', { name: 'Mudar para WAHA: Camila' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mudar Camila para WAHA' })
  await expect.element(dialog.getByRole('img', { name: 'QR Code para conectar o WhatsApp' })).toBeVisible()
  await expectAccessibleInBoth()
  step = { kind: 'moved' }
  await expect.element(dialog.getByText(/já usam o novo serviço/), { timeout: 10_000 }).toBeVisible()
  await dialog.getByRole('button', { name: 'Fechar', exact: true }).last().click()
  await expect.element(dialog).not.toBeInTheDocument()
})
