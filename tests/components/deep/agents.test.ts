// The list of agents: each one's real state, and connecting WhatsApp for one without it.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, AGENT } from '#tests/support/components/admin-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

const INFO = {
  version: 0,
  lastEdit: null,
  paused: null,
  activeCount: 0,
  pausedCount: 0,
  replyCount: 0,
  roleta: null,
}

async function open(columns: object) {
  const portal = adminPortal({
    'GET /api/agents': () => [{ ...AGENT, ...columns }],
    'GET /api/agents/instances': () => [
      { instanceName: 'central', number: null, isLinked: false, agent: null },
    ],
    'POST /rest/v1/rpc/get_agent_info': () => INFO,
    'GET /rest/v1/kanban_stages': () => [],
  })
  await onDesk()
  await openApp('/prompts', portal, ADMIN)
}

test.each([
  ['sem instância', { instanceName: null, isLinked: false }, 'Escolher o WhatsApp'],
  ['desconectado', { isLinked: false }, 'Conectar o WhatsApp'],
])('um agente %s diz onde se liga', async (_, columns, way) => {
  await open(columns)
  await page.getByRole('button', { name: way }).click()
  const facts = page.getByRole('dialog', { name: AGENT.name })
  await expect.element(facts.getByLabelText('WhatsApp central')).toBeVisible()
  if (way === 'Conectar o WhatsApp')
    await expect
      .element(facts.getByRole('link', { name: 'Conectar em Gerenciar Corretores' }))
      .toHaveAttribute('href', '/')
})

test('onde nada responde está "Sem motor", e nunca "Disponível"', async () => {
  await open({ model: null })
  const main = page.getByRole('main')
  await expect.element(main.getByText('Sem motor')).toBeVisible()
  await expect.element(main.getByText(/^Ninguém responde aqui ainda/)).toBeVisible()
  await expect.element(main.getByText('Disponível')).not.toBeInTheDocument()
})

const SETUP = {
  mode: 'answer',
  model: 'um-modelo',
  isDemoModel: false,
  voiceModel: null,
  monthLimitMicros: 100_000_000 as number | null,
  mostInTenMinutes: 6,
  mostADay: 20,
  spentMicros: 0,
  conversations: 4,
  prices: [{ model: 'um-modelo', inputMicros: 2_000_000, outputMicros: 8_000_000, minuteMicros: 0 }],
  facts: [],
}

async function openWorkings(setup: Partial<typeof SETUP>) {
  const portal = adminPortal({
    'GET /api/agents': () => [AGENT],
    'POST /rest/v1/rpc/get_prompt_by_id': () => [{ id: 1, nome_agente: AGENT.name }],
    'GET /api/prompts/1': () => ({}),
    'GET /api/agents/1/setup': () => ({ ...SETUP, ...setup }),
    'GET /api/agents/1/bench': () => ({
      isCurrent: false,
      mark: 'm',
      version: 3,
      draft: null,
      run: null,
      before: null,
      own: [],
    }),
    'GET /rest/v1/kanban_stages': () => [],
  })
  await onDesk()
  await openApp('/prompts?agente=1', portal, ADMIN)
  await page.getByRole('tab', { name: 'Funcionamento e testes' }).click()
  return portal
}
const UNPRICED = 'Sem o preço do modelo nada é contado, e o limite não para o agente.'
const bar = page.getByRole('progressbar', { name: 'Gasto do mês' })
const inkOf = (locator: typeof bar) => getComputedStyle(locator.element()).color

test.each([
  [80_000_000, 'Mais de 80% do limite do mês já foi usado.'],
  [100_000_000, 'Parado: limite do mês atingido'],
])('com %i do limite gastos a barra tem a cor do que se diz', async (spentMicros, said) => {
  await openWorkings({ spentMicros })
  const words = page.getByText(said)
  await expect.element(words).toBeVisible()
  expect(inkOf(words)).toBe(inkOf(bar))
})

test('abaixo de 80% nada se diz; com preço o limite vale', async () => {
  await openWorkings({ spentMicros: 79_000_000 })
  await expect.element(bar).toBeVisible()
  for (const words of [UNPRICED, /limite do mês/])
    await expect.element(page.getByText(words)).not.toBeInTheDocument()
})

test('um limite sem o preço do modelo diz que não para ninguém', async () => {
  await openWorkings({ prices: [] })
  await expect.element(page.getByText(UNPRICED)).toBeVisible()
  await expect.element(page.getByText('sem preço neste mês')).toBeVisible()
})

test('sem limite por mês "Responde" liga com o valor oferecido, e o freio se muda', async () => {
  const SET = 'POST /api/agents/1/setup'
  const portal = await openWorkings({ mode: 'suggest', monthLimitMicros: null })
  portal.on(SET, ({ body }) =>
    body['mode'] === 'answer' && body['monthLimitMicros'] === undefined
      ? Response.json(
          {
            error: {
              code: 'agent.no-limit',
              message: 'Para responder sozinho a qualquer hora, o agente precisa de um limite por mês.',
            },
          },
          { status: 409 },
        )
      : {},
  )
  const last = () => portal.bodiesOf(SET).at(-1)
  await page.getByRole('radio', { name: /^Responde / }).click()
  await expect.element(page.getByText('Ligar com limite de R$ 200,00 por mês?')).toBeVisible()
  await page.getByRole('button', { name: 'Ligar com R$ 200,00' }).click()
  await expect.poll(last).toEqual({ mode: 'answer', monthLimitMicros: 200_000_000 })
  const brake = page.getByRole('region', { name: 'Freio' })
  await brake.getByLabelText('Respostas em 10 minutos').fill('0')
  await brake.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(brake.getByText('Escreva um número de 1 a 60.')).toBeVisible()
  await brake.getByLabelText('Respostas em 10 minutos').fill('4')
  await brake.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(last).toEqual({ mostInTenMinutes: 4, mostADay: 20 })
  const tries = page.getByRole('region', { name: 'Próximas tentativas' })
  await tries.getByText('Continua quando o lead não responde').click()
  await expect.poll(last).toEqual({ followsUp: true })
})
