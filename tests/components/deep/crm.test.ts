// The CRM: on a phone the list of brokers, then the phone's board; a lead can be transferred from every view.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, CAMILA, openApp } from '#tests/support/components/app.tsx'
import { BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { brokerPortal, STAGES } from '#tests/support/components/broker-portal.ts'
import { cardIn } from '#tests/support/components/columns.ts'
import { onDesk, onPhone, tap } from '#tests/support/components/device.ts'
import { card, countOf, list, tab } from '#tests/support/components/phone-board.ts'

const { id, instanceName = '' } = CAMILA
const BROKER = { ...BROKER_ROW, id, instanceName, number: '5511901000101' }

const JULIANA = { ...BROKER, id: '22222222-2222-4222-8222-222222222222', instanceName: 'corretor_juliana' }

const crmPortal = () =>
  brokerPortal(undefined, {
    'GET /api/brokers': () => [BROKER],
    'GET /api/leads/contacts/doubts': () => ({ doubts: [] }),
    'GET /api/health': () => ({ status: 'ok', database: 'ok', gateway: 'ok', version: '0.1.0' }),
    'GET /rest/v1/kanban_stages': () => STAGES,
    'POST /rest/v1/rpc/get_lead_owners': () => [],
    'POST /rest/v1/rpc/get_total_contatos_por_corretor': () => [
      { broker_name: instanceName, total_contatos: 49 },
    ],
  })

test('no celular o CRM é o quadro do celular: um estágio por vez, e um toque abre a conversa', async () => {
  const { network } = crmPortal()
  await onPhone()
  await openApp('/crm', network, ADMIN)
  await expect.poll(() => countOf('[data-pill]')).toBe(2)
  await expect.element(list.getByRole('article').first()).toBeVisible()
  await expectAccessible()
  await tap(tab('Negociação'))
  await expect.element(page.getByRole('tab', { name: /^Negociação/, selected: true })).toBeVisible()
  const lead = list.getByRole('article').first().getByRole('heading').element().textContent
  await tap(card(lead).getByText('Bom dia!'))
  await expect.element(page.getByRole('dialog', { name: lead }).getByText('Lead de Camila')).toBeVisible()
  history.back()
  await expect.element(card(lead)).toBeVisible()
})

test('na mesa o lead passa a outro corretor pelo menu da conversa e pelo do card', async () => {
  const { network } = crmPortal()
  network.on('GET /api/brokers', () => [BROKER, JULIANA])
  await onDesk()
  await openApp(`/crm?corretores=${CAMILA.username}`, network, ADMIN)
  const found = cardIn('Novos Contatos', 'Marina Tavares')
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await found.getByRole('button', { name: /^Mover/ }).click()
  await page.getByRole('button', { name: 'Passar para outro corretor' }).click()
  await expect.element(dialog.getByRole('radio', { name: /Juliana/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await found.getByRole('button', { name: /^Abrir conversa/ }).click()
  await page.getByRole('button', { name: /^Opções/ }).click()
  await page.getByRole('menuitem', { name: 'Passar para outro corretor' }).click()
  await expect.element(dialog.getByRole('radio', { name: /Juliana/ })).toBeVisible()
})

test.each([
  ['vários quadros à vista', '/crm', 'Sem corretor'],
  ['o de Juliana à vista', '/crm?corretores=juliana', 'Juliana'],
])('um lead adicionado com %s é de quem se vê', async (_, address, owner) => {
  const { network } = crmPortal()
  network.on('GET /api/brokers', () => [BROKER, JULIANA])
  network.on('POST /rest/v1/rpc/get_available_empreendimentos', () => [])
  await onDesk()
  await openApp(address, network, ADMIN)
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  await expect.element(sheet.getByLabelText('Corretor')).toHaveDisplayValue(owner)
})

const chips = page.getByRole('list', { name: 'Corretores selecionados' })
const chosen = () =>
  chips
    .getByRole('listitem')
    .all()
    .map((chip) => chip.element().textContent?.slice(1))

test('na primeira vez abre com todos, e guarda quem foi escolhido por último', async () => {
  localStorage.removeItem('crm-brokers')
  const { network } = crmPortal()
  network.on('GET /api/brokers', () => [BROKER, JULIANA])
  await onDesk()
  await openApp('/crm', network, ADMIN)
  await expect.poll(chosen).toEqual(['Camila', 'Juliana'])
  // Nobody was chosen yet, so the first choice is meant alone.
  const juliana = page
    .getByRole('navigation', { name: 'Corretores' })
    .getByRole('button', { name: /^Juliana/ })
  await expect.element(juliana).toHaveAttribute('aria-pressed', 'false')
  await juliana.click()
  await expect.poll(chosen).toEqual(['Juliana'])
  await expect.element(juliana).toHaveAttribute('aria-pressed', 'true')
  // Without a chosen broker none is shown; the next visit opens with those that were chosen last.
  await page.getByRole('button', { name: 'Limpar', exact: true }).click()
  await expect.element(page.getByText('Nenhum corretor selecionado')).toBeVisible()
  expect(localStorage.getItem('crm-brokers')).toBe('juliana')
})

test('depois abre com quem foi escolhido por último, menos quem saiu', async () => {
  localStorage.setItem('crm-brokers', 'marcos juliana')
  const { network } = crmPortal()
  network.on('GET /api/brokers', () => [BROKER, JULIANA])
  await onDesk()
  await openApp('/crm', network, ADMIN)
  await expect.poll(chosen).toEqual(['Juliana'])
  localStorage.removeItem('crm-brokers')
})

test('na mesa a conversa abre ao lado do quadro, e outra toma o seu lugar', async () => {
  const { network } = crmPortal()
  await onDesk({ width: 1_280 })
  await openApp(`/crm?corretores=${CAMILA.username}`, network, ADMIN)
  await expect.element(page.getByRole('article').first()).toBeVisible()
  const heads = page.getByRole('article').getByRole('heading')
  const [first, second] = [heads.nth(0).element().textContent ?? '', heads.nth(1).element().textContent ?? '']
  await page
    .getByRole('article')
    .nth(0)
    .getByRole('button', { name: /^Abrir conversa/ })
    .click()
  const talk = (name: string) => page.getByRole('dialog', { name })
  await expect.element(talk(first).getByText('Lead de Camila')).toBeVisible()
  expect(talk(first).element().getBoundingClientRect().right).toBe(1_280)
  // The list of brokers makes room.
  expect(page.getByRole('navigation', { name: 'Corretores' }).query()).toBeNull()
  await page
    .getByRole('article')
    .nth(1)
    .getByRole('button', { name: /^Abrir conversa/ })
    .click()
  await expect.element(talk(second).getByText('Lead de Camila')).toBeVisible()
  await expectAccessible()
  await talk(second).getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
  await expect.element(page.getByRole('navigation', { name: 'Corretores' })).toBeVisible()
})

test('um número em dúvida é escolhido no CRM, e o aviso some', async () => {
  const { network } = crmPortal()
  const doubt = {
    contactId: 7,
    name: 'Inés Quispe',
    instanceName,
    numbers: ['+51987654005', '5551987654005'],
  }
  let doubts = [doubt]
  network.on('GET /api/leads/contacts/doubts', () => ({ doubts }))
  network.on('POST /api/leads/contacts/7/decision', () => {
    doubts = []
    return { isKnown: false }
  })
  await onDesk()
  await openApp('/crm', network, ADMIN)
  await expect.element(page.getByText('1 lead com o número em dúvida.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Escolher' }).click()
  const dialog = page.getByRole('dialog', { name: 'Qual é o número?' })
  await expectAccessible()
  await dialog.getByRole('button', { name: '+51' }).click()
  await expect.element(dialog.getByText('Nenhum lead em dúvida')).toBeVisible()
  expect(network.bodiesOf('POST /api/leads/contacts/7/decision')).toEqual([
    { operationId: expect.any(String), number: '+51987654005' },
  ])
  await expect
    .element(page.getByText('1 lead com o número em dúvida.', { exact: false }))
    .not.toBeInTheDocument()
})

test('o ponto verde de um corretor vale para os dois nomes do seu estado na API', async () => {
  const { network } = crmPortal()
  const states = { ana: 'connected', bia: 'ativo', caio: 'inativo' }
  network.on('GET /api/brokers', () =>
    Object.entries(states).map(([name, status], at) => ({
      ...BROKER,
      id: `${at}3333333-3333-4333-8333-333333333333`,
      instanceName: `corretor_${name}`,
      status,
    })),
  )
  await onDesk()
  await openApp('/crm', network, ADMIN)
  const isGreen = async (name: string) => {
    const broker = page.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect.element(broker).toBeVisible()
    return broker.element().querySelector('.bg-online') !== null
  }
  expect([await isGreen('Ana'), await isGreen('Bia'), await isGreen('Caio')]).toEqual([true, true, false])
})
