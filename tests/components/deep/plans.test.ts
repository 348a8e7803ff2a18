// 'Próximas tentativas': proposed above the box to a silent lead, accepted with one tap, undone, changed, declined; on
// the lead's sheet; also without a network.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow, messageRow } from '#tests/support/components/broker-portal.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const START = 'POST /rest/v1/rpc/plan_start'
const STOP = 'POST /rest/v1/rpc/plan_stop'
const PLANS = 'POST /rest/v1/rpc/get_plans'
const strip = page.getByRole('region', { name: 'Próximas tentativas' })
const editor = page.getByRole('dialog', { name: 'Próximas tentativas' })
const box = page.getByRole('textbox', { name: 'Mensagem', exact: true }).first()
const SAVED = { success: true, code: 'saved', message: null, current: null, plan_id: 9 }
const DAY = 86_400
const now = Math.floor(Date.now() / 1000)

const TEMPLATE = {
  development: 'Mirante do Lago',
  steps: [
    { day: 1, minute: 600, kind: 'message', text: '{nome}, conseguiu ver a tabela?' },
    { day: 3, minute: 900, kind: 'call', text: '' },
    { day: 7, minute: 540, kind: 'message', text: '{nome}, ainda faz sentido ver o Mirante?' },
  ],
}
const HOURS = { from: 0, until: 24, sundays: true }

type Plan = Record<string, unknown> & { steps: object[] }
const planRow = (columns: Partial<Plan>): Plan => ({
  id: 9,
  op: null,
  contact_id: 1,
  state: 'running',
  reason: null,
  by: 'person',
  started: now - 5 * DAY,
  changed: now,
  steps: [],
  ...columns,
})
const op = (at: number) => `${at}1111111-0000-4000-8000-000000000000`
const stepRow = (at: number, columns: object = {}) => ({
  op: op(at),
  kind: 'message',
  due: now + at * DAY,
  text: `Texto ${at}`,
  sends: true,
  state: 'open',
  why: null,
  at: null,
  delivery: null,
  ...columns,
})

type Around = { columns?: Parameters<typeof leadRow>[1]; plan?: Plan; wrote?: number; templates?: object[] }

/** A lead who wrote four days ago and was answered. */
async function openConversation({ columns, plan, wrote = 4 * DAY, templates = [TEMPLATE] }: Around = {}) {
  const answered = {
    id: 2,
    body: 'Qualquer dúvida é só chamar.',
    timestamp: now - 3 * DAY,
    type: 'outgoing',
  } as const
  const row = leadRow(1, {
    name: 'Rogério Bastos',
    status: 'conversa',
    last_message: { ...answered, kind: 'text', delivery: 'read' },
    waiting_since: null,
    ...columns,
  })
  const { portal } = await openBoard([row, leadRow(2, { name: 'Marina Tavares', status: 'conversa' })])
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [
    messageRow({ ...answered, delivery: 'read' }),
    messageRow({ id: 1, body: 'Vou olhar com calma.', timestamp: now - wrote }),
  ])
  network.on(PLANS, () => ({ plans: plan ? [plan] : [], own: null, shared: templates, hours: HOURS }))
  network.on(START, () => SAVED)
  network.on(STOP, () => SAVED)
  await tap(page.getByRole('tab', { name: /^Conversa/ }))
  await tap(card('Rogério Bastos').getByText('Qualquer dúvida'))
  await expect.element(box).toBeVisible()
  return portal
}

test('um toque aceita as três, com os textos do modelo', async () => {
  const { network } = await openConversation()
  await expect.element(page.getByText('Rogério não escreve há 4 dias')).toBeVisible()
  await expect.element(strip.getByText(/^amanhã 10h · /)).toBeVisible()
  await expectAccessibleInBoth()
  await strip.getByRole('button', { name: 'Aceitar as três' }).click()
  await expect.element(page.getByText('Plano aceito: 3 tentativas')).toBeVisible()
  await expect
    .poll(() => network.bodiesOf(START))
    .toMatchObject([
      {
        p_contact_id: 1,
        p_plan_id: null,
        p_as_default: false,
        p_steps: [
          { kind: 'message', text: 'Rogério, conseguiu ver a tabela?' },
          { kind: 'call', text: '' },
          { kind: 'message', text: 'Rogério, ainda faz sentido ver o Mirante?' },
        ],
      },
    ])
})

test('Desfazer, enquanto a linha está à vista, volta atrás', async () => {
  const { network } = await openConversation()
  await strip.getByRole('button', { name: 'Aceitar as três' }).click()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.element(strip).toBeVisible()
  // The undo names the operation of the plan, which was sent meanwhile.
  const begun = () => network.bodiesOf(START).map(({ p_operation_id: operation }) => operation)
  await expect
    .poll(() => network.bodiesOf(STOP).map((body) => [body['p_reason'], body['p_plan_operation']]))
    .toEqual(begun().map((operation) => ['undone', operation]))
})

test('sem modelo nenhum texto sai sozinho: o corretor escreve na hora', async () => {
  const { network } = await openConversation({ templates: [] })
  await strip.getByRole('button', { name: 'Editar' }).click()
  await expect.element(editor.getByText('você escreve na hora').first()).toBeVisible()
  await editor.getByRole('button', { name: 'Aceitar as três' }).click()
  await expect
    .poll(() => network.bodiesOf(START).flatMap(({ p_steps: steps }) => steps as { text: string }[]))
    .toMatchObject([{ text: '' }, { text: '' }, { text: '' }])
})

test('Editar muda tipo, texto e hora, tira e acrescenta, e guarda como padrão', async () => {
  const { network } = await openConversation()
  await strip.getByRole('button', { name: 'Editar' }).click()
  await expect.element(editor.getByText('Para sozinho se o lead responder.')).toBeVisible()
  await expectAccessibleInBoth()
  await editor.getByRole('button', { name: /^Tirar Ligar/ }).click()
  await editor.getByRole('textbox', { name: 'Texto da mensagem' }).first().fill('Separei a planta.')
  await editor.getByRole('button', { name: 'Mais uma tentativa' }).click()
  await userEvent.selectOptions(editor.getByRole('combobox', { name: 'O que fazer' }).last(), 'task')
  await editor.getByText('Usar como meu padrão').click()
  await editor.getByRole('button', { name: 'Aceitar as três' }).click()
  await expect
    .poll(() => network.bodiesOf(START))
    .toMatchObject([
      {
        p_as_default: true,
        p_steps: [{ text: 'Separei a planta.' }, { kind: 'message' }, { kind: 'task' }],
      },
    ])
})

test('Não tentar e Agora não somem com a faixa', async () => {
  const { network } = await openConversation()
  await strip.getByRole('button', { name: 'Não tentar' }).click()
  await expect.element(strip).not.toBeInTheDocument()
  await expect.poll(() => network.bodiesOf(STOP)).toMatchObject([{ p_reason: 'declined' }])
})

test('Agora não guarda por três dias no aparelho', async () => {
  const { network } = await openConversation()
  await strip.getByRole('button', { name: 'Agora não' }).click()
  await expect.element(strip).not.toBeInTheDocument()
  expect(network.bodiesOf(STOP)).toEqual([])
  expect(localStorage.getItem('plan.not-now')).toContain('"1":')
})

test('sem internet: aceito, fica na fila com os passos no lead, e sai depois', async () => {
  const { network } = await openConversation()
  await expect.element(strip).toBeVisible()
  network.on(START, () => Response.error())
  await strip.getByRole('button', { name: 'Aceitar as três' }).click()
  await expect
    .element(
      page.getByRole('list', { name: 'Mensagens agendadas' }).getByText('Rogério, conseguiu ver a tabela?'),
    )
    .toBeVisible()
  await expect.element(strip).not.toBeInTheDocument()
  await expect.element(page.getByText(/^Próximas tentativas: amanhã 10h · /)).toBeVisible()
  // The answer changes only after the first request has failed.
  await expect.poll(() => network.bodiesOf(START).length).toBeGreaterThan(0)
  const failed = network.bodiesOf(START).length
  network.on(START, () => SAVED)
  dispatchEvent(new Event('online'))
  await expect.poll(() => network.bodiesOf(START).length).toBeGreaterThan(failed)
  const operations = network.bodiesOf(START).map((body) => body['p_operation_id'])
  expect(new Set(operations).size, 'one operation').toBe(1)
})

test.each([
  ['que escreveu há pouco', { wrote: DAY }],
  [
    'com próximo passo',
    { columns: { next: [{ id: 1, op: null, kind: 'call' as const, due: now + DAY, note: '' }] } },
  ],
  ['que pediu para não receber', { columns: { opted_out: true } }],
  [
    'que já teve um plano neste silêncio',
    { plan: planRow({ state: 'ended', reason: 'stopped', started: now - DAY }) },
  ],
])('não é oferecido a um lead %s', async (_, around) => {
  const { network } = await openConversation(around)
  await expect.poll(() => network.bodiesOf(PLANS).length).toBeGreaterThan(0)
  await expect.element(strip).not.toBeInTheDocument()
})

test('depois da última pergunta: arquivar, mais uma, deixar', async () => {
  const over = [stepRow(-4), stepRow(-3), stepRow(-2)].map((step) => ({
    ...step,
    state: 'done',
    at: step.due,
  }))
  const { network } = await openConversation({
    plan: planRow({ state: 'done', steps: over }),
    wrote: 9 * DAY,
  })
  const asked = page.getByRole('region', { name: 'Plano de tentativas' })
  await expect.element(asked.getByText('Sem resposta em 3 tentativas.')).toBeVisible()
  await expectAccessibleInBoth()
  await asked.getByRole('button', { name: 'Mais uma' }).click()
  await editor.getByRole('button', { name: 'Salvar' }).click()
  await expect
    .poll(() => network.bodiesOf(START))
    .toMatchObject([{ p_plan_id: 9, p_steps: [{ kind: 'call' }] }])
})

test('o plano de quem atendia antes espera a confirmação', async () => {
  const waits = [
    stepRow(-1, { state: 'asking', why: 'handed-over' }),
    stepRow(2, { state: 'asking', why: 'handed-over' }),
  ]
  const { network } = await openConversation({ plan: planRow({ state: 'asking', steps: waits }) })
  const asked = page.getByRole('region', { name: /^Plano de tentativas/ })
  await asked.getByRole('button', { name: 'Confirmar' }).click()
  await expect
    .poll(() => network.bodiesOf(START))
    .toMatchObject([{ p_plan_id: 9, p_steps: [{ operationId: op(-1) }, { operationId: op(2) }] }])
  const [first] = network.bodiesOf(START).flatMap(({ p_steps: steps }) => steps as { dueAt: string }[])
  expect(Date.parse(first?.dueAt ?? ''), 'a step that is over moves ahead').toBeGreaterThan(Date.now())
})

test('respondeu: o plano acaba e a conversa diz', async () => {
  await openConversation({
    plan: planRow({ state: 'ended', reason: 'answered', started: now - 4 * DAY + 60 }),
  })
  await expect.element(page.getByText('Plano encerrado: Rogério respondeu.')).toBeVisible()
})

test('na folha do lead: feitas, próximas e recusadas; editar e parar', async () => {
  const steps = [
    stepRow(-4, { state: 'done', at: now - 4 * DAY, delivery: 'read' }),
    stepRow(1, { state: 'refused', why: 'first-texts' }),
    stepRow(2, { kind: 'call', sends: false, text: '' }),
    stepRow(6),
  ]
  const { network } = await openConversation({ plan: planRow({ steps }) })
  network.on('POST /rest/v1/rpc/lead_sheet', () => Response.error())
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  const plan = page
    .getByRole('dialog', { name: 'Rogério Bastos' })
    .last()
    .getByRole('region', { name: 'Plano de tentativas' })
  for (const words of [
    '1 de 4 feita',
    'Não saiu: este WhatsApp já começou conversas demais hoje',
    'Última. Depois você decide',
  ])
    await expect.element(plan.getByText(words)).toBeVisible()
  await expect.element(plan.getByText(/lida, sem resposta$/)).toBeVisible()
  await expect.element(plan.getByText('Aviso no celular 10 min antes')).toBeVisible()
  await expectAccessibleInBoth()
  await plan.getByRole('button', { name: 'Editar', exact: true }).click()
  await editor.getByRole('textbox', { name: 'Texto da mensagem' }).last().fill('Mudou de ideia?')
  await editor.getByRole('button', { name: 'Salvar' }).click()
  await expect
    .poll(() => network.bodiesOf(START))
    .toMatchObject([
      { p_plan_id: 9, p_steps: [{ operationId: op(1) }, { kind: 'call' }, { text: 'Mudou de ideia?' }] },
    ])
  await plan.getByRole('button', { name: 'Parar' }).click()
  await expect.poll(() => network.bodiesOf(STOP)).toMatchObject([{ p_reason: 'stopped', p_plan_id: 9 }])
  await expect.element(plan).not.toBeInTheDocument()
})
