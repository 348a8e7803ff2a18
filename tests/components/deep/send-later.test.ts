// 'Enviar depois': opened by a long press on 'Enviar', chosen, shown below the conversation, changed, sent now,
// cancelled; also offline.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { chooseByKey, tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const SCHEDULE = 'POST /rest/v1/rpc/message_schedule'
const UNSCHEDULE = 'POST /rest/v1/rpc/message_unschedule'
const sheet = page.getByRole('dialog', { name: 'Enviar depois' })
const waiting = page.getByRole('list', { name: 'Mensagens agendadas' })
const box = page.getByRole('textbox', { name: 'Mensagem', exact: true }).first()
const SAVED = { success: true, code: 'saved', message: null, scheduled_id: 1 }
const DAY_SECONDS = 86_400

type Later = NonNullable<ReturnType<typeof leadRow>['later']>[number]

async function openConversation(later?: Partial<Later>) {
  const row = leadRow(1, {
    name: 'Rogério Bastos',
    ...(later && {
      later: [{ id: 7, op: null, due: Math.floor(Date.now() / 1000) + DAY_SECONDS, silent: true, ...later }],
    }),
  })
  const { portal } = await openBoard([row, leadRow(2, { name: 'Marina Tavares' })])
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on('POST /rest/v1/rpc/get_scheduled_messages', () => [
    { id: 7, contact_id: 1, text: 'Separei a planta', due: 0, changed: 1_795_000_000 },
  ])
  network.on(SCHEDULE, () => SAVED)
  network.on(UNSCHEDULE, () => SAVED)
  await tap(card('Rogério Bastos').getByText('Bom dia!'))
  await expect.element(box).toBeVisible()
  return { network }
}

test('Enviar com o outro botão abre a folha; o texto fica à vista até a hora, e não sai duas vezes', async () => {
  const { network } = await openConversation()
  await box.fill('Separei a planta, {nome}')
  // Stands for a long press, which a message's menu tests.
  await page.getByRole('button', { name: 'Enviar', exact: true }).click({ button: 'right' })
  await expect.element(sheet).toBeVisible()
  await expect
    .element(sheet.getByRole('textbox', { name: 'Mensagem' }))
    .toHaveValue('Separei a planta, Rogério')
  await expect.element(sheet.getByRole('button', { name: /^Agendar para/ })).toBeInViewport({ ratio: 1 })
  await sheet.getByRole('button', { name: /^Agendar para amanhã, 9h/ }).click()
  await expect.element(waiting.getByText('Separei a planta, Rogério')).toBeVisible()
  await expect.element(waiting.getByText('Sai amanhã, 9h, se ele não responder')).toBeVisible()
  await expect.element(box).toHaveValue('')
  await expect
    .poll(() => network.bodiesOf(SCHEDULE))
    .toMatchObject([{ p_text: 'Separei a planta, Rogério', p_unless_answered: true, p_scheduled_id: null }])
  expect(network.bodiesOf('POST /api/messages/text')).toEqual([])
})

test('antes de qualquer resposta já está à vista, pelo menu e pelo teclado', async () => {
  const { network } = await openConversation()
  const answered = Promise.withResolvers<void>()
  network.on(SCHEDULE, () => answered.promise.then(() => SAVED))
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Enviar depois' }).click()
  await expect.element(sheet.getByRole('switch')).toBeInTheDocument()
  await expectAccessibleInBoth()
  await sheet.getByRole('textbox', { name: 'Mensagem' }).fill('Até segunda')
  await chooseByKey(sheet.getByRole('radio', { name: /Segunda que vem/ }))
  await chooseByKey(sheet.getByRole('switch'))
  await userEvent.keyboard('{Enter}')
  await expect.element(waiting.getByText('Até segunda')).toBeVisible()
  await expect.element(waiting.getByText(/^Sai .*9h$/)).toBeVisible()
  await expectAccessibleInBoth()
  answered.resolve()
})

test('o que espera sai agora, muda ou é cancelado', async () => {
  const { network } = await openConversation({})
  await expect.element(waiting.getByText('Separei a planta')).toBeVisible()
  await waiting.getByRole('button', { name: 'Mudar' }).click()
  await sheet.getByRole('textbox', { name: 'Mensagem' }).fill('Separei as plantas')
  await sheet.getByRole('button', { name: /^Agendar/ }).click()
  await expect.element(waiting.getByText('Separei as plantas')).toBeVisible()
  await waiting.getByRole('button', { name: 'Enviar agora' }).click()
  await expect.element(waiting.getByText('Saindo…')).toBeVisible()
  await waiting.getByRole('button', { name: 'Cancelar' }).click()
  await expect
    .poll(() => network.bodiesOf(SCHEDULE))
    .toMatchObject([
      { p_scheduled_id: 7, p_text: 'Separei as plantas' },
      { p_scheduled_id: 7, p_due_at: null, p_unless_answered: false },
    ])
  await expect.poll(() => network.bodiesOf(UNSCHEDULE)).toMatchObject([{ p_scheduled_id: 7 }])
})

test.each([
  [{ why: 'answered' }, /^Não saiu: Rogério respondeu às \d+h/, 'Enviar assim mesmo', 'Descartar'],
  [{ why: 'late' }, 'Passou da hora.', 'Enviar agora', 'Cancelar'],
  [{ why: 'not-linked' }, 'Espera o WhatsApp conectar', 'Mudar', 'Cancelar'],
] as const)('%o diz por que não saiu, e o que se pode fazer', async (later, words, act, drop) => {
  await openConversation(later)
  await expect.element(waiting.getByText(words)).toBeVisible()
  await expect.element(waiting.getByRole('button', { name: act })).toBeVisible()
  await expect.element(waiting.getByRole('button', { name: drop })).toBeVisible()
})

test('a quem pediu para não receber só resta descartar', async () => {
  await openConversation({ why: 'opted-out' })
  await expect.element(waiting.getByText(/pediu para não receber/)).toBeVisible()
  expect(waiting.getByRole('button').elements()).toHaveLength(1)
})
