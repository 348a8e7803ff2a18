// 'Conversões para a Meta' in Integrações: both targets, their settings, the log with Meta's messages, and decisions.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk } from '#tests/support/components/device.ts'

const NAMES = { qualified: 'Lead qualificado', visit: 'Visita feita', sale: 'Venda' }
const OFF = {
  state: 'off',
  fault: null,
  dataset: '',
  waba: '',
  names: NAMES,
  stage: null,
  tokenTail: null,
  testCode: '',
  counts: {},
}
const TARGETS = [
  { ...OFF, target: 'messaging' },
  {
    ...OFF,
    target: 'crm',
    state: 'stopped',
    fault: 'Token expirado',
    dataset: '123',
    tokenTail: '9xQ2',
    testCode: 'TEST77',
    counts: { waiting: 2, unsure: 1 },
  },
]
const EVENT = {
  id: 3, leadName: 'Marina Tavares', leadNumber: null, step: 'sale', target: 'crm', name: 'Venda', happenedAt: '2026-11-20T12:00:00Z',
  state: 'sent', dueAt: '2026-11-20T12:00:00Z', tries: 1, status: 200, code: null, subcode: null, fault: null, trace: 'T1', decidedBy: null,
} // prettier-ignore
const LOG = [
  EVENT,
  { ...EVENT, id: 2, leadName: 'Luiz Ramos', state: 'unsure', status: null, fault: 'cut', trace: null },
  {
    ...EVENT,
    id: 1,
    leadName: 'Ana Lima',
    state: 'refused',
    status: 400,
    fault: 'Nome inválido',
    code: 100,
    subcode: 2_804_066,
    trace: 'T9',
  },
  {
    ...EVENT,
    id: 5,
    leadName: 'Caio Reis',
    state: 'waiting',
    status: 400,
    fault: 'Session has expired',
    code: 190,
  },
  { ...EVENT, id: 6, leadName: 'Davi Reis', state: 'waiting', status: null, fault: 'token-lost' },
  { ...EVENT, id: 4, leadName: 'Bia Reis', state: 'late', tries: 0, status: null },
]
const LISTED = 'POST /rest/v1/rpc/get_conversions'
const DECIDED = 'POST /rest/v1/rpc/decide_conversion'
const SET = 'POST /rest/v1/rpc/set_conversion_target'
const REPLAYED = 'POST /rest/v1/rpc/replay_conversions'
const TEST_CODE = 'POST /rest/v1/rpc/set_conversion_test'
const TOKEN = 'POST /api/conversions/token'

async function open(targets: object[] = TARGETS) {
  const portal = adminPortal({
    'GET /api/webhooks': () => [],
    'GET /api/service-tokens': () => [],
    'POST /rest/v1/rpc/get_conversion_targets': () => targets,
    [LISTED]: () => LOG,
    [DECIDED]: () => ({ state: 'sent' }),
    [SET]: () => ({ state: 'on' }),
    [TEST_CODE]: () => ({ testCode: '' }),
    [REPLAYED]: () => ({ again: 500, left: 12, late: 1 }),
    [TOKEN]: () => ({ tokenTail: 'abcd' }),
    'GET /rest/v1/kanban_stages': () => [
      { id: 1, name: 'Negociação', slug: 'negociacao', order_index: 3, kind: 'open', hue: 'negociacao' },
      { id: 2, name: 'Fechado', slug: 'fechado', order_index: 4, kind: 'won', hue: 'closed' },
    ],
  })
  await onDesk()
  await openApp('/integracoes', portal, ADMIN)
  return portal
}
const card = page.getByRole('region', { name: 'Conversões para a Meta' })
const rowOf = (name: RegExp) =>
  page.getByRole('table', { name: 'Registro das conversões' }).getByRole('row', { name })

test('os dois caminhos com o seu estado, e o registro nas palavras da Meta', async () => {
  await open()
  for (const words of [
    'Pela conversa',
    'Desligado',
    'Pelo CRM',
    'Parado',
    'O token da Meta não vale mais, ou falta uma permissão a ele. Informe um token novo: as conversões esperam. A Meta respondeu: Token expirado',
    '2 esperando · 1 sem certeza',
    'Com o código de teste TEST77: a Meta mostra os eventos em Testar eventos, e também os conta',
  ])
    await expect.element(card).toHaveTextContent(words)
  await expect
    .element(rowOf(/Ana Lima/))
    .toHaveTextContent('Nome inválido · código 100/2804066 · fbtrace_id T9')
  await expect
    .element(rowOf(/Luiz Ramos/))
    .toHaveTextContent('a conexão caiu antes da resposta · a Meta pode já ter contado')
  for (const name of [/Caio Reis/, /Davi Reis/])
    await expect.element(rowOf(name)).toHaveTextContent('não saiu: espera um token que valha')
  await expect.element(rowOf(/Bia Reis/)).toHaveTextContent('passou de 7 dias')
  await expectAccessibleInBoth()
})

test('um token que o portal não lê mais não é recusa da Meta', async () => {
  await open(TARGETS.map((target) => ({ ...target, fault: 'token-lost' })))
  await expect
    .element(card)
    .toHaveTextContent(
      'O portal não consegue mais ler o token guardado. Informe o token de novo: as conversões esperam, e nada se perdeu.',
    )
  await expect.element(card).not.toHaveTextContent(/recusou|respondeu/)
})

test('sem certeza, uma pessoa decide; recusada, pode ir de novo; as outras não mudam', async () => {
  const portal = await open()
  await page.getByRole('button', { name: 'Considerar enviada: Luiz Ramos' }).click()
  await page.getByRole('button', { name: 'Enviar de novo: Ana Lima' }).click()
  await expect
    .poll(() => portal.bodiesOf(DECIDED))
    .toEqual([
      { p_id: 2, p_decision: 'sent' },
      { p_id: 1, p_decision: 'again' },
    ])
  expect(
    rowOf(/Marina|Bia/)
      .getByRole('button')
      .elements(),
  ).toEqual([])
  await page.getByRole('combobox', { name: 'Estado' }).selectOptions('unsure')
  await expect.poll(() => portal.bodiesOf(LISTED).at(-1)).toMatchObject({ p_state: 'unsure' })
})

test('configurar: o token vai à parte e não volta, a recusa aparece, e ligar salva tudo', async () => {
  const portal = await open()
  portal.on(SET, () =>
    Response.json(
      {
        code: 'PT422',
        message: 'Para ligar, informe o conjunto de dados.',
        details: null,
        hint: 'conversion.incomplete',
      },
      { status: 422 },
    ),
  )
  await page.getByRole('button', { name: 'Configurar: Pela conversa' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conversões: pela conversa' })
  await dialog.getByText('Enviar à Meta').click()
  await dialog.getByRole('textbox', { name: 'Id da conta do WhatsApp (WABA)' }).fill('555')
  await dialog.getByLabelText('Token de acesso', { exact: true }).fill('EAAB-um-token-bem-comprido')
  await dialog.getByRole('combobox', { name: /qualificado/ }).selectOptions('negociacao')
  await dialog.getByRole('textbox', { name: 'Visita feita' }).fill('')
  await expect.element(dialog).toHaveTextContent('A Meta também conta estes eventos nas medições.')
  await dialog.getByRole('textbox', { name: /eventos de teste/ }).fill('TEST12345')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(dialog.getByText('Para ligar, informe o conjunto de dados.')).toBeVisible()
  portal.on(SET, () => ({ state: 'on' }))
  await dialog.getByRole('textbox', { name: 'Id do conjunto de dados' }).fill('123')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(page.getByText('Envio ligado.')).toBeVisible()
  expect(portal.bodiesOf(TOKEN)[0]).toEqual({ target: 'messaging', token: 'EAAB-um-token-bem-comprido' })
  expect(portal.bodiesOf(TEST_CODE).at(-1)).toEqual({ p_target: 'messaging', p_code: 'TEST12345' })
  expect(portal.bodiesOf(SET).at(-1)).toEqual({
    p_target: 'messaging', p_is_on: true, p_dataset: '123', p_waba: '555', p_stage: 'negociacao', p_names: { ...NAMES, visit: '' },
  }) // prettier-ignore
})

test.each([
  ['refused', /nomes de evento de agora/],
  ['unsure', /contam duas vezes/],
] as const)('todas as de um estado vão de novo, depois de uma pergunta: %s', async (state, consequence) => {
  const portal = await open()
  const replayAll = page.getByRole('button', { name: 'Enviar todas de novo' })
  await expect.element(rowOf(/Ana Lima/)).toBeVisible()
  await expect.element(replayAll).not.toBeInTheDocument()
  await page.getByRole('combobox', { name: 'Estado' }).selectOptions(state)
  await replayAll.click()
  await expect.element(page.getByText(consequence)).toBeVisible()
  expect(portal.bodiesOf(REPLAYED)).toEqual([])
  await page.getByRole('button', { name: 'Enviar todas', exact: true }).click()
  await expect.poll(() => portal.bodiesOf(REPLAYED)).toEqual([{ p_state: state }])
  await expect
    .element(page.getByText('500 vão de novo; faltam 12: mande outra vez; 1 passou de 7 dias.'))
    .toBeVisible()
})
