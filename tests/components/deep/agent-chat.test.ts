// An agent's chat: the holder of each conversation, the turn behind each message, and a conversation that becomes a
// test.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, AGENT } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow, STAGES, SYNC, messageRow } from '#tests/support/components/broker-portal.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

const now = Math.floor(Date.now() / 1000)
const ago = (seconds: number) => new Date((now - seconds) * 1000).toISOString()
const LIST = 'POST /rest/v1/rpc/get_agent_conversations'

function talk(id: number, name: string, columns: object = {}) {
  return {
    ...leadRow(id, { name }),
    last_author: null,
    pause: null,
    called_at: null,
    answers_here: true,
    has_broker: true,
    ...columns,
  }
}
const YASMIN = talk(1, 'Yasmin Pinheiro')
/** Computed when requested, because the test may have waited for its screen. */
const flavia = () =>
  talk(2, 'Flávia Rangel', {
    called_at: Math.floor(Date.now() / 1000) - 665,
    instanceName: 'corretor_juliana',
  })
/** The model gave no answer, so the portal called a broker. */
const MARA = () => ({ ...flavia(), id: 7, name: 'Mara Lins', called_for: 'unreachable' })
const JOSIANE = talk(3, 'Josiane Nunes', {
  last_author: 'human',
  pause: {
    reason: 'phone',
    by: 'juliana',
    since: ago(60),
    until: new Date((now + 1_800) * 1000).toISOString(),
  },
})

/** A lead on the central number whom a rotation is distributing, so no agent answers. */
const RUI = talk(5, 'Rui Salles', { answers_here: false, has_broker: false, instanceName: 'central' })
/** A lead of an agent that answers only at night; now it is day. */
const NILO = talk(6, 'Nilo Prado', {
  answers_here: false,
  answers_later: true,
  has_broker: false,
  instanceName: 'central',
})
const CAIO = talk(4, 'Caio Moura', { answers_here: false, instanceName: 'corretor_juliana' })

const turn = {
  kind: 'answer',
  beganAt: ago(300),
  endedAt: ago(290),
  bubbles: 1,
  body: null,
  sources: [],
  model: 'um-modelo',
  costMicros: 12_000,
  inputTokens: 1_850,
  outputTokens: 42,
  version: 12,
}
const TURNS = [
  { ...turn, id: 93, number: 3, state: 'waiting', reason: null, endedAt: null, steps: [], messageId: null },
  {
    ...turn,
    id: 92,
    number: 2,
    state: 'sent',
    reason: null,
    bubbles: 2,
    body: 'Posso te mostrar no sábado: 10h ou 15h?',
    steps: [
      { name: 'buscar_fatos', result: '2 quartos, vaga dupla: 2 unidades' },
      { name: 'agendar_visita', result: 'sáb 28: 10h, 15h livres' },
    ],
    messageId: 12,
  },
  { ...turn, id: 91, number: 1, state: 'refused', reason: 'price', steps: [], messageId: null },
]
const LINES = [
  { id: 10, type: 'incoming', body: 'Bom dia! Quanto custa o de 2 quartos?', author: null },
  { id: 11, type: 'incoming', body: 'Tem vaga para dois carros?', author: null },
  { id: 12, type: 'outgoing', body: 'Posso te mostrar no sábado: 10h ou 15h?', author: 'agent' },
].map((line, at) =>
  messageRow({ timestamp: now - 300 + at, delivery: line.type === 'outgoing' ? 'read' : null, ...line }),
)

async function open(contactId: number, isPhone = false, handover: object | null = null) {
  const portal = adminPortal({
    'GET /api/agents': () => [AGENT],
    [LIST]: ({ body }) =>
      body['p_holder'] === 'waiting'
        ? [flavia()]
        : body['p_holder'] === 'agent'
          ? [YASMIN]
          : [YASMIN, flavia(), JOSIANE, CAIO, RUI, NILO, MARA()],
    'POST /rest/v1/rpc/get_agent_conversation': () => YASMIN,
    'POST /rest/v1/rpc/get_agent_holders': () => ({ agent: 1, waiting: 1 }),
    [`GET /api/agents/1/turns/${contactId}`]: () => (contactId === 1 ? TURNS : []),
    'GET /rest/v1/whatsapp_messages': () => LINES.toReversed(),
    'GET /rest/v1/quick_replies': () => [],
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/assist/voice': () => ({ canTranscribe: false }),
    'POST /rest/v1/rpc/get_plans': () => ({
      plans: [],
      own: null,
      shared: [],
      hours: { from: 0, until: 24, sundays: true },
    }),
    [`GET /api/assist/${contactId}/handover`]: () => ({ handover, baton: null }),
    [`POST /api/assist/${contactId}/suggestion`]: () => ({ suggestion: null, isBeingWritten: false }),
  })
  await (isPhone ? onPhone() : onDesk())
  await openApp(`/prompts?agente=1&ver=chat&conversa=${contactId}`, portal, ADMIN)
  return portal
}

const list = page.getByRole('region', { name: 'Conversas Ativas' })
const row = (name: string) => list.getByRole('link', { name: new RegExp(name) })
const turns = page.getByRole('region', { name: 'Turnos do agente' })
const chip = page.getByRole('button', { name: 'Turno 2 · 2 consultas' })

test('cada conversa diz com quem está', async () => {
  const portal = await open(1)
  await expect.element(row('Yasmin')).toHaveTextContent('Com o agente')
  await expect.element(row('Yasmin')).toHaveAttribute('aria-current', 'page')
  await expect.element(row('Flávia')).toHaveTextContent('Pediu corretor há 11 min')
  await expect.element(row('Josiane')).toHaveTextContent(/Com Juliana até (às|amanhã às) /)
  // On a number where the agent does not answer.
  await expect.element(row('Caio')).toHaveTextContent(/Com Juliana$/)
  await expect.element(row('Rui')).toHaveTextContent(/Sem corretor$/)
  await expect.element(row('Nilo')).toHaveTextContent(/Com o agente a partir das 20h$/)
  await expect.element(row('Mara')).toHaveTextContent(/O modelo não respondeu · há 11 min$/)
  await expect.element(page.getByText('Esperando 8 s por outra mensagem')).toBeVisible()
  await expectAccessibleInBoth()

  await list.getByRole('button', { name: 'À espera 1' }).click()
  await expect.element(row('Yasmin')).not.toBeInTheDocument()
  await expect.element(row('Flávia')).toBeVisible()
  expect(portal.bodiesOf(LIST).at(-1)).toMatchObject({ p_holder: 'waiting' })
  // The open conversation stays, although the list has lost it.
  await expect.element(page.getByText('O agente conduz esta conversa.')).toBeVisible()
})

test.each([
  [1, 'Escrever pausa o agente'],
  [3, 'Mensagem'],
])('o chat de um agente que responde diz como, e na conversa %i "%s"', async (contactId, invites) => {
  await open(contactId)
  await expect.element(page.getByRole('main').getByText('Responde', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('textbox', { name: 'Mensagem' }))
    .toHaveAttribute('placeholder', invites)
})

test('a passagem é dita a quem a lê: aqui o agente passou ao corretor', async () => {
  await open(1, false, {
    at: ago(250),
    wants: '2 quartos',
    said: 'Posso te mostrar no sábado.',
    missing: '',
    lines: 3,
    firstId: 10,
    lastId: 12,
  })
  const card = page.getByRole('region', { name: 'Passagem do assistente' })
  await expect.element(card.getByRole('heading')).toHaveTextContent('O agente passou ao corretor')
})

test('a etiqueta sob uma mensagem abre o turno que a escreveu', async () => {
  await open(1)
  await chip.click()
  await expect.element(chip).toHaveAttribute('aria-current', 'true')
  await expect.element(turns.getByText('2 mensagens juntas')).toBeVisible()
  await expect.element(turns.getByText(/2 quartos, vaga dupla/)).toBeVisible()
  await expect.element(turns.getByText('Nenhum preço sem fonte')).toBeVisible()
  await expect.element(turns.getByText('1.850 tokens lidos, 42 escritos').nth(1)).toBeVisible()
  await expect.element(turns.getByText('Versão 12', { exact: true }).nth(1)).toBeVisible()
  // Only one turn is open at a time.
  await turns.getByText('Turno 1').click()
  await expect.element(turns.getByText('Preço sem fonte.')).toBeVisible()
  await expect.element(turns.getByText('2 mensagens juntas')).not.toBeVisible()
  await expect.element(chip).toHaveAttribute('aria-current', 'false')
})

test('no celular os turnos abrem numa folha, no turno tocado', async () => {
  await open(1, true)
  await chip.click()
  const sheet = page.getByRole('dialog', { name: 'Turnos do agente' })
  await expect.element(sheet.getByText('2 mensagens juntas')).toBeVisible()
  await expectAccessible()
})

test('deitado, o título e o × da folha dos turnos ficam à vista, por mais que ela role', async () => {
  await open(1, true)
  await page.viewport(844, 390)
  await chip.click()
  const sheet = page.getByRole('dialog', { name: 'Turnos do agente' })
  await expect.element(sheet.getByText('2 mensagens juntas')).toBeVisible()
  const dialog = sheet.element()
  expect(dialog.scrollHeight).toBeGreaterThan(dialog.clientHeight + 40)
  dialog.scrollTo({ top: dialog.scrollHeight, behavior: 'instant' })
  const close = sheet.getByRole('button', { name: 'Fechar', exact: true })
  for (const part of [sheet.getByRole('heading', { name: 'Turnos do agente' }), close])
    await expect.element(part).toBeInViewport({ ratio: 1 })
  await close.click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('quem espera um corretor é passado a outro', async () => {
  const portal = await open(2)
  portal.on('GET /rest/v1/whatsapp_instances', () => [])
  portal.on('GET /api/leads/2/owners', () => [])
  portal.on('POST /rest/v1/rpc/get_total_contatos_por_corretor', () => [])
  portal.on('POST /rest/v1/rpc/get_lead_owners', () => [])
  portal.on(SYNC, () => ({ cursor: '1', reset: true, leads: [], removed: [], stages: STAGES }))
  await expect.element(page.getByText('Juliana ainda não respondeu.')).toBeVisible()
  await page.getByRole('button', { name: 'Passar para…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await expect.element(dialog).toHaveTextContent('Flávia Rangel')
})

test('quem está na roleta não tem corretor nem agente', async () => {
  await open(5)
  await expect.element(page.getByText('Ainda não tem corretor.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Passar para…' })).toBeVisible()
  await expect.element(page.getByText('O agente conduz esta conversa.')).not.toBeInTheDocument()
})

test('um turno vira teste em dois toques, depois de mostrar o que guarda', async () => {
  const portal = await open(1)
  portal.on('GET /api/agents/1/cases/of/92', () => ({
    title: 'Tem vaga para dois carros?',
    lines: [{ by: 'lead', text: 'Sou a [nome]. Tem vaga para dois carros?' }],
  }))
  portal.on('POST /api/agents/1/cases', () => ({ id: 5 }))
  await chip.click()
  await turns.getByRole('button', { name: 'Virar conversa de teste' }).click()
  const dialog = page.getByRole('dialog', { name: 'Virar conversa de teste' })
  await expect.element(dialog.getByText('Sou a [nome]. Tem vaga para dois carros?')).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Guardar teste' }).click()
  await expect
    .element(page.getByText('Teste guardado. Vale na próxima vez que os testes rodarem.'))
    .toBeVisible()
  expect(portal.bodiesOf('POST /api/agents/1/cases')).toMatchObject([{ turnId: 92, handsOver: false }])
})
