// 'Nova campanha' of administrators: the live count, who is left out and why, and the comparison after each time.
// tests/e2e/deep/segments runs a whole campaign on the demonstration.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

const COUNT = 'POST /api/campaigns/segments/count'
const START = 'POST /api/campaigns/segments'
const SAVE = 'POST /rest/v1/rpc/segment_save'
const LEADS = 'POST /rest/v1/rpc/get_segment_leads'
const OFFER = {
  segments: [{ id: 4, name: 'Parados', question: { stages: ['conversa'], quietDays: 30 } }],
  stages: [
    { value: 'conversa', label: 'Conversa' },
    { value: 'negociacao', label: 'Negociação' },
  ],
  developments: Array.from({ length: 8 }, (_, index) => ({
    value: index + 1,
    label: `Residencial ${index + 1}`,
  })),
  sources: ['meta', 'olx'],
  tags: ['3 quartos', 'Já comprou'],
}
const COUNTED = {
  matching: 289,
  eligible: 238,
  receiving: 214,
  heldOut: 24,
  leftOut: { 'opted-out': 12, recent: 31, 'not-on-whatsapp': 3, 'no-broker': 5 },
  private: 5,
  restDays: 14,
  brokerCount: 1,
  pace: { perHour: 12, opensAt: 8, closesAt: 20 },
  endsAt: '2026-11-25T19:00:00Z',
  nowMs: Date.parse('2026-11-24T12:00:00Z'),
  zone: 'America/Sao_Paulo',
}
const MARINA = {
  id: 7,
  name: 'Marina Tavares',
  number: '5511955551234',
  broker: 'corretor_camila',
  status: 'conversa',
  development: 'Residencial 1',
  talkedAt: '2026-10-01T12:00:00Z',
}
const panel = page.getByRole('region', { name: 'Quem recebe' })
const group = (name: string) => page.getByRole('group', { name })

async function open({
  counted = COUNTED,
  address = '/remarketing?nova=quem',
  isPhone = false,
}: { counted?: object; address?: string; isPhone?: boolean } = {}) {
  await (isPhone ? onPhone() : onDesk())
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_segments': () => OFFER,
    [COUNT]: () => counted,
    [LEADS]: () => ({ count: 214, leads: [MARINA] }),
  })
  await openApp(address, portal, ADMIN)
  return portal
}

test('diz quantos recebem e quem fica fora e por quê; só particulares não abrem', async () => {
  await open()
  await expect.element(panel.getByRole('status')).toHaveTextContent('214 recebem')
  await expect
    .element(panel.getByText('289 combinam com as condições. 51 ficam fora e 24 são comparação.'))
    .toBeVisible()
  await expect.element(panel.getByRole('button', { name: /^Em descanso.*14 dias.*31$/ })).toBeVisible()
  await expect.element(panel.getByText('Só o corretor sabe quem são. Não entram na conta.')).toBeVisible()
  expect(panel.getByRole('button', { name: /Particulares/ }).elements()).toHaveLength(0)
  await expect
    .element(page.getByText('Com 12 por hora, das 8h às 20h, termina amanhã, por volta das 16h.'))
    .toBeVisible()
  await expectAccessibleInBoth()
  await panel.getByRole('button', { name: /^Sorteados para não receber.*10% de 238/ }).click()
  const list = page.getByRole('dialog', { name: 'Sorteados para não receber' })
  await expect.element(list.getByText('214 contatos')).toBeVisible()
  await expect.element(list.getByText('Marina Tavares')).toBeVisible()
})

test('as condições vão inteiras ao portal; o número de antes fica, apagado, até o novo', async () => {
  const portal = await open()
  await expect.element(panel.getByRole('status')).toHaveTextContent('214 recebem')
  let answer: (counted: object) => void = () => undefined
  portal.on(COUNT, () => new Promise((resolve) => (answer = resolve)))
  await group('Estágio').getByRole('button', { name: 'Conversa' }).click()
  await group('Empreendimento').getByRole('button', { name: 'mais 2' }).click()
  await group('Empreendimento').getByRole('button', { name: 'Residencial 8' }).click()
  await group('Etiquetas').getByRole('button', { name: '3 quartos' }).click()
  await userEvent.selectOptions(group('Etiquetas').getByRole('combobox'), 'Já comprou')
  await group('Última conversa').getByRole('textbox').fill('30')
  await group('Visita').getByRole('button', { name: 'Marcou e não veio' }).click()
  await group('Valor').getByRole('textbox', { name: 'Valor mínimo' }).fill('350 mil')
  await userEvent.selectOptions(
    page.getByRole('combobox', { name: 'Quantos por cento ficam de fora' }),
    '20%',
  )
  await expect.element(panel).toHaveAttribute('aria-busy', 'true')
  await expect.element(panel.getByRole('status')).toHaveTextContent('214 recebem')
  await expect
    .poll(() => portal.bodiesOf(COUNT).at(-1))
    .toEqual({
      question: {
        stages: ['conversa'],
        developments: [8],
        tags: ['3 quartos'],
        withoutTags: ['Já comprou'],
        quietDays: 30,
        visit: ['missed'],
        minCents: 35_000_000,
        withoutValue: true,
      },
      percent: 20,
    })
  answer({ ...COUNTED, receiving: 9, heldOut: 2, matching: 62 })
  await expect.element(panel.getByRole('status')).toHaveTextContent('9 recebem')
  await expect.element(panel).toHaveAttribute('aria-busy', 'false')
  await page.getByRole('button', { name: 'Limpar' }).click()
  await expect
    .element(group('Estágio').getByRole('button', { name: 'Conversa' }))
    .toHaveAttribute('aria-pressed', 'false')
})

test('um campo que não se lê diz por quê, e não conta', async () => {
  await open()
  await group('Última conversa').getByRole('textbox').fill('0')
  await expect.element(page.getByText('De 1 a 3.650 dias.')).toBeVisible()
  await group('Valor').getByRole('textbox', { name: 'Valor máximo' }).fill('muito')
  await expect.element(page.getByText('Um valor como 350 mil.')).toBeVisible()
  await group('Valor').getByRole('textbox', { name: 'Valor máximo' }).fill('100 mil')
  await group('Valor').getByRole('textbox', { name: 'Valor mínimo' }).fill('200 mil')
  await expect.element(page.getByText('O mínimo passa do máximo.')).toBeVisible()
})

test('ninguém combina: diz qual condição tirar, e não compara', async () => {
  await open({
    counted: {
      ...COUNTED,
      matching: 0,
      eligible: 0,
      receiving: 0,
      heldOut: 0,
      leftOut: {},
      private: 0,
      brokerCount: 0,
      pace: null,
      endsAt: null,
      without: { condition: 'tags', count: 96 },
    },
  })
  await group('Etiquetas').getByRole('button', { name: '3 quartos' }).click()
  await expect.element(panel.getByText('Ninguém combina')).toBeVisible()
  await expect.element(panel.getByText('Tire uma condição: sem “3 quartos” são 96.')).toBeVisible()
  await expect.element(page.getByText('Poucos contatos para comparar.')).toBeVisible()
  await expect.element(page.getByRole('switch', { name: 'Deixar 10% de fora, por sorteio' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Escrever a mensagem' })).toBeDisabled()
})

test('um segmento salvo traz as condições; salva com nome, e a recusa aparece', async () => {
  const portal = await open()
  portal.on(SAVE, () =>
    Response.json(
      { code: 'PT422', hint: 'segment.taken', message: 'Já existe um segmento com este nome.' },
      { status: 422 },
    ),
  )
  await page.getByRole('button', { name: /^Segmentos salvos 1/ }).click()
  await page.getByRole('menuitem', { name: 'Parados' }).click()
  await expect
    .element(group('Estágio').getByRole('button', { name: 'Conversa' }))
    .toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Parados' }).click()
  await page.getByRole('menuitem', { name: 'Salvar como novo segmento' }).click()
  const dialog = page.getByRole('dialog', { name: 'Salvar segmento' })
  await dialog.getByRole('textbox', { name: 'Nome' }).fill('Parados')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(dialog.getByText('Já existe um segmento com este nome.')).toBeVisible()
  portal.on(SAVE, () => 9)
  await dialog.getByRole('textbox', { name: 'Nome' }).fill('Parados há um mês')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect
    .poll(() => portal.bodiesOf(SAVE).at(-1))
    .toEqual({ p_id: null, p_name: 'Parados há um mês', p_question: { stages: ['conversa'], quietDays: 30 } })
})

test('três passos até o começo, também no celular', async () => {
  const portal = await open({ isPhone: true })
  portal.on(START, () => ({ send: { id: 1, receiving: 214, heldOut: 24, campaigns: 1 } }))
  portal.on('POST /rest/v1/rpc/get_segment_sends', () => ({ count: 0, sends: [] }))
  portal.on('POST /rest/v1/rpc/get_campaign_stats', () => [])
  portal.on('POST /rest/v1/rpc/get_campaign_history', () => [])
  await expect.element(panel.getByRole('status')).toHaveTextContent('214 recebem')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
  await page.getByRole('button', { name: 'Escrever a mensagem' }).click()
  await page.getByRole('textbox', { name: 'Mensagem' }).fill('Oi, {nome}!')
  await expect.element(page.getByText('Oi, Marina!')).toBeVisible()
  await page.getByRole('button', { name: 'Conferir e iniciar' }).click()
  await expectAccessibleInBoth()
  await page.getByRole('button', { name: 'Iniciar campanha (214 contatos)' }).click()
  await expect.element(page.getByText('Campanha para 214 contatos iniciada')).toBeVisible()
  expect(portal.bodiesOf(START)).toMatchObject([
    { question: {}, percent: 10, segmentId: null, message: 'Oi, {nome}!', startsAt: null, marks: true },
  ])
})

const SEND = {
  id: 3,
  name: 'Parados',
  message: 'Oi, {nome}!',
  by: 'chefe',
  assignedAt: '2026-11-01T12:00:00Z',
  shownAt: '2026-11-15T12:00:00Z',
  judgedAt: '2026-12-01T12:00:00Z',
  receiving: 214,
  heldOut: 40,
  days: 14 as number | null,
  sent: 200,
  isOver: true,
}
const measure = (more: object) => ({ measure: 'answered', campaign: [40, 214], holdout: [2, 40], ...more })
const RATED = { rates: [18.7, 5], difference: 13.7, range: [1.4, 20.6] }

test.each([
  [
    'antes de 14 dias',
    { ...SEND, days: null },
    { days: null, measures: [] },
    'O resultado aparece em 15/11/2026, 14 dias depois do sorteio.',
  ],
  [
    'sem comparação',
    { ...SEND, heldOut: 0 },
    { days: 14, measures: [] },
    'Sem grupo de comparação, não há como saber o que viria de qualquer jeito.',
  ],
  [
    'poucas pessoas',
    SEND,
    { days: 14, measures: [measure({})] },
    'Menos de 30 pessoas em um dos grupos: só as contagens.',
  ],
  [
    'de 14 a 30 dias',
    SEND,
    { days: 14, measures: [measure(RATED)] },
    /^Até 14 dias depois do sorteio\. O veredito sai em 01\/12\/2026/,
  ],
  [
    'depois de 30 dias',
    { ...SEND, days: 30 },
    { days: 30, measures: [measure({ ...RATED, verdict: 'more' })] },
    'Trouxe a mais',
  ],
])('o resultado %s', async (_name, send, result, words) => {
  await onDesk()
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_segment_sends': () => ({ count: 1, sends: [send] }),
    'POST /rest/v1/rpc/get_segment_result': () => result,
    'POST /rest/v1/rpc/get_segment_result_leads': () => ({ count: 39, gone: 1, leads: [MARINA] }),
    'POST /rest/v1/rpc/get_campaign_stats': () => [],
    'POST /rest/v1/rpc/get_campaign_history': () => [],
  })
  await openApp('/remarketing', portal, ADMIN)
  await page.getByRole('button', { name: /^Ver o que trouxe a campanha/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Parados' })
  await expect.element(dialog.getByText(words)).toBeVisible()
  await expectAccessibleInBoth()
  if (result.measures.length === 0) return
  await dialog.getByRole('button', { name: 'Receberam: 40 de 214. Ver leads' }).click()
  const list = page.getByRole('dialog', { name: 'Responderam, dos que recebem' })
  await expect.element(list.getByText('39 contatos, e 1 pessoa cujos dados saíram do portal')).toBeVisible()
})
