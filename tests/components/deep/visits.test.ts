// 'Agendar visita' and 'A visita aconteceu?': a day, a free hour, messages to the lead; one outcome, and the lead's
// impression.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { unsent } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { EMPTY_SHEET, leadRow } from '#tests/support/components/broker-portal.ts'
import { chooseByKey, tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'
import { calendarDay, spokenHour } from '#domain/format.ts'
import { visitWords } from '#domain/next-action/visit.ts'
import { zonedMs } from '#domain/zone.ts'
import { exit } from '#features/account/exit-data.ts'
import { LEAD_MARKS } from '#data/lead-marks.ts'

const SAVE = 'POST /rest/v1/rpc/visit_save'
const SET = 'POST /rest/v1/rpc/action_save'
const OUTCOME = 'POST /rest/v1/rpc/visit_outcome'
const SAVED = { success: true, code: 'saved', message: null, action_id: 1 }
const sheet = page.getByRole('dialog', { name: 'Agendar visita' })
const moving = page.getByRole('dialog', { name: 'Remarcar visita' })

const tomorrowAt = (hour: number) => zonedMs(calendarDay(Date.now()) + 1, hour)
const visit = (id: number, dueMs: number) => ({
  id,
  op: null,
  kind: 'visit' as const,
  due: Math.floor(dueMs / 1000),
  note: 'Vista Serrana',
})

async function openConversation(name: string, { began = false } = {}) {
  const { portal } = await openBoard([
    leadRow(1, { name: 'Rogério Bastos', next: began ? [visit(4, Date.now() - 60_000)] : null }),
    leadRow(2, { name: 'Helena Duarte', next: [visit(5, Date.now() - 3 * 3_600_000)] }),
    leadRow(3, { name: 'Marina Tavares', next: [visit(6, tomorrowAt(11))] }),
    leadRow(4, { name: 'Otávio Lima', next: [{ ...visit(7, tomorrowAt(9)), kind: 'call', note: 'Preço' }] }),
  ])
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on(SAVE, () => SAVED)
  network.on(OUTCOME, () => SAVED)
  await tap(card(name).getByText('Bom dia!'))
  await expect.element(page.getByRole('button', { name: `Opções de ${name}` })).toBeVisible()
  return network
}

test('marca uma visita num horário livre, e mostra o que o lead recebe', async () => {
  const network = await openConversation('Rogério Bastos')
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Agendar visita' }).click()
  const tomorrow = sheet.getByRole('radio').nth(1)
  await chooseByKey(tomorrow)
  await expect.element(sheet.getByText('11h já tem visita.')).toBeVisible()
  await expect.element(sheet.getByRole('radio', { name: '11h' })).toBeDisabled()
  await chooseByKey(sheet.getByRole('radio', { name: '10h', exact: true }))
  await sheet.getByRole('textbox', { name: 'Lugar' }).fill('Estande Mirante do Lago')
  await expect.element(sheet.getByText(/^Rogério, visita marcada: .*às 10h\. Local: Estande/)).toBeVisible()
  await expectAccessibleInBoth()
  await sheet.getByRole('button', { name: `Agendar para ${visitWords(tomorrowAt(10))}` }).click()
  await expect
    .poll(() => network.bodiesOf(SAVE))
    .toMatchObject([
      {
        p_contact_id: 1,
        p_starts_at: new Date(tomorrowAt(10)).toISOString(),
        p_place: 'Estande Mirante do Lago',
        p_confirm_text: expect.stringContaining('Rogério, visita marcada'),
        p_remind_text: expect.stringContaining('às 10h'),
      },
    ])
})

async function bookTomorrowAtTen() {
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Agendar visita' }).click()
  await chooseByKey(sheet.getByRole('radio').nth(1))
  await chooseByKey(sheet.getByRole('radio', { name: '10h', exact: true }))
  await sheet.getByRole('button', { name: `Agendar para ${visitWords(tomorrowAt(10))}` }).click()
}

test('um horário que outro ocupou: diz isso e oferece os livres, com a confirmação da nova hora', async () => {
  const network = await openConversation('Rogério Bastos')
  const taken = 'Esse horário acabou de ser ocupado. Escolha outro.'
  network.on(SAVE, ({ body }) =>
    body['p_starts_at'] === new Date(tomorrowAt(10)).toISOString()
      ? { success: false, code: 'taken', message: taken, action_id: null }
      : SAVED,
  )
  await bookTomorrowAtTen()
  const conversation = page.getByRole('dialog', { name: /Rogério Bastos/ })
  await expect.element(conversation).toHaveTextContent('A visita não foi marcada')
  // By keyboard, because the notice of the booking lies above it for some seconds.
  await chooseByKey(conversation.getByRole('button', { name: 'Resolver' }))
  const pending = page.getByRole('dialog', { name: 'Pendências' })
  await expect.element(pending).toHaveTextContent(/esse horário foi ocupado/)
  history.back()
  await expect.element(pending).not.toBeInTheDocument()
  history.back()
  await expect.element(conversation).not.toBeInTheDocument()
  const refused = card('Rogério Bastos')
  await expect.element(refused).toHaveTextContent('A visita não foi marcada')
  await expect.element(refused).not.toHaveTextContent('Não foi enviada')
  await tap(refused.getByRole('button', { name: 'Tentar de novo' }))
  await expect
    .element(pending)
    .toHaveTextContent(/A visita não foi marcada: esse horário foi ocupado \(.* às 10h\)/)
  await pending.getByRole('button', { name: visitWords(tomorrowAt(9)) }).click()
  await expect
    .poll(() => network.bodiesOf(SAVE).at(-1))
    .toMatchObject({
      p_starts_at: new Date(tomorrowAt(9)).toISOString(),
      p_confirm_text: expect.stringContaining('às 9h'),
      p_remind_text: expect.stringContaining('às 9h'),
    })
  await expect.element(pending).toHaveTextContent('Tudo enviado.')
  history.back()
  await expect.element(pending).not.toBeInTheDocument()
})

test('uma visita recusada por outro motivo diz esse motivo, não que o horário foi ocupado', async () => {
  const network = await openConversation('Rogério Bastos')
  const reason = 'Este lead já tem 50 próximos passos. Conclua algum.'
  network.on(SAVE, () => Response.json({ code: 'PT422', message: reason }, { status: 422 }))
  await bookTomorrowAtTen()
  history.back()
  await tap(card('Rogério Bastos').getByRole('button', { name: 'Tentar de novo' }))
  const pending = page.getByRole('dialog', { name: 'Pendências' })
  await expect.element(pending).toHaveTextContent(reason)
  await expect.element(pending).not.toHaveTextContent('ocupado')
  history.back()
  await expect.element(pending).not.toBeInTheDocument()
})

test('desfeita sem sinal depois de marcada: pergunta se avisa, porque a confirmação sai', async () => {
  const network = await openConversation('Rogério Bastos')
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Agendar visita' }).click()
  await chooseByKey(sheet.getByRole('radio').nth(1))
  await chooseByKey(sheet.getByRole('radio', { name: '10h', exact: true }))
  await sheet.getByRole('button', { name: `Agendar para ${visitWords(tomorrowAt(10))}` }).click()
  await expect.poll(() => network.bodiesOf(SAVE).length).toBe(1)
  await expect.poll(unsent).toBe(0)
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  network.on('POST /rest/v1/rpc/action_finish', () => Response.error())
  dispatchEvent(new Event('offline'))
  await page.getByRole('button', { name: 'Desfazer' }).click()
  const question = page.getByRole('dialog', { name: 'Avisar que não vai acontecer?' })
  await expect.element(question).toHaveTextContent('às 10h não vai acontecer')
  await question.getByRole('button', { name: 'Não avisar' }).click()
  await expect.element(question).not.toBeInTheDocument()
  network.on('POST /rest/v1/rpc/action_finish', () => SAVED)
  online.mockRestore()
  dispatchEvent(new Event('online'))
  await expect.poll(unsent).toBe(0)
})

test('depois da visita pergunta uma vez, e como foi', async () => {
  const network = await openConversation('Helena Duarte')
  const question = page.getByRole('region', {
    name: /^A visita aconteceu\? Helena Duarte · .* · Vista Serrana/,
  })
  await expect.element(question).toBeVisible()
  await question.getByRole('button', { name: 'Sim' }).click()
  const feeling = page.getByRole('region', { name: /^Como foi\?/ })
  await feeling.getByRole('button', { name: 'Gostou', exact: true }).click()
  await expect
    .poll(() => network.bodiesOf(OUTCOME))
    .toMatchObject([
      { p_contact_id: 2, p_action_id: 5, p_outcome: 'held', p_feeling: null },
      { p_contact_id: 2, p_action_id: 5, p_outcome: 'held', p_feeling: 'liked' },
    ])
  network.on(SET, () => ({ ...SAVED, current: null }))
  const next = page.getByRole('region', { name: /^Qual o próximo passo\?/ })
  await expect.element(next.getByRole('button', { name: 'Outra visita' })).toBeVisible()
  await next.getByRole('button', { name: /^Ligar / }).click()
  await expect.element(next).not.toBeInTheDocument()
  await expect
    .poll(() => network.bodiesOf(SET))
    .toMatchObject([{ p_contact_id: 2, p_kind: 'call', p_note: '' }])
})

test('um duplo toque em Sim é uma resposta só, e não responde à pergunta que vem no lugar', async () => {
  const network = await openConversation('Helena Duarte')
  const yes = page.getByRole('button', { name: 'Sim', exact: true })
  await expect.element(yes).toBeVisible()
  const button = yes.element() as HTMLElement
  button.click()
  button.click()
  const feeling = page.getByRole('region', { name: /^Como foi\?/ })
  await expect.element(feeling).toBeVisible()
  await expect.element(yes).not.toBeInTheDocument()
  const answers = feeling.getByRole('button', { name: 'Gostou', exact: true }).element().parentElement
  expect(answers && getComputedStyle(answers).animationName).toBe('answers-settle')
  await expect.poll(unsent).toBe(0)
  expect(network.bodiesOf(OUTCOME)).toMatchObject([{ p_outcome: 'held', p_feeling: null }])
})

test('quem não veio é chamado de novo por uma mensagem que ainda se lê antes de ir', async () => {
  const network = await openConversation('Helena Duarte')
  const box = page.getByRole('textbox', { name: 'Mensagem' })
  await box.fill('Boa tarde.')
  await page.getByRole('button', { name: 'Não veio' }).click()
  const offer = page.getByRole('region', { name: /^Quer chamar de novo\? Helena Duarte/ })
  await expectAccessibleInBoth()
  await offer.getByRole('button', { name: 'Usar' }).click()
  await expect
    .element(box)
    .toHaveValue('Boa tarde.\nOi, Helena! Não conseguimos nos ver na visita. Quer marcar outro dia?')
  await expect.element(offer).not.toBeInTheDocument()
  await expect.poll(() => network.bodiesOf(OUTCOME)).toMatchObject([{ p_action_id: 5, p_outcome: 'missed' }])
})

test('remarcar abre a folha e leva a mesma visita', async () => {
  const network = await openConversation('Helena Duarte')
  await page.getByRole('button', { name: 'Remarcar' }).click()
  await expect.element(moving.getByText(/^Era /)).toBeVisible()
  await expect.element(moving.getByRole('textbox', { name: 'Lugar' })).toHaveValue('Vista Serrana')
  await chooseByKey(moving.getByRole('radio').nth(1))
  await chooseByKey(moving.getByRole('radio', { name: spokenHour(tomorrowAt(9)), exact: true }))
  await moving.getByRole('button', { name: /^Remarcar para/ }).click()
  await expect.poll(() => network.bodiesOf(SAVE)).toMatchObject([{ p_action_id: 5, p_contact_id: 2 }])
})

const openBooking = async (name: string) => {
  await page.getByRole('button', { name: `Opções de ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Agendar visita' }).click()
}

test('com uma visita já marcada, Agendar visita abre essa para remarcar, e diz qual é', async () => {
  const network = await openConversation('Marina Tavares')
  await openBooking('Marina Tavares')
  await expect.element(moving.getByText(`Já marcada: ${visitWords(tomorrowAt(11))}`)).toBeVisible()
  // The visit has not moved yet.
  await expect.element(moving.getByRole('radio', { name: '11h' })).toBeChecked()
  await expect.element(moving.getByRole('button', { name: 'Remarcar visita' })).toBeDisabled()
  await expectAccessibleInBoth()
  await chooseByKey(moving.getByRole('radio', { name: '15h' }))
  await moving.getByRole('button', { name: `Remarcar para ${visitWords(tomorrowAt(15))}` }).click()
  const told = `Visita remarcada para ${visitWords(tomorrowAt(15))}`
  await expect.element(page.getByText(told, { exact: true })).toBeVisible()
  await expect
    .poll(() => network.bodiesOf(SAVE))
    .toMatchObject([{ p_action_id: 6, p_starts_at: new Date(tomorrowAt(15)).toISOString() }])
})

test('quem quer duas visitas marca outra, ao lado da que há', async () => {
  const network = await openConversation('Marina Tavares')
  await openBooking('Marina Tavares')
  await moving.getByRole('button', { name: 'Marcar outra' }).click()
  await chooseByKey(sheet.getByRole('radio').nth(1))
  await expect.element(sheet.getByRole('radio', { name: '11h' })).toBeDisabled()
  await chooseByKey(sheet.getByRole('radio', { name: '15h' }))
  await sheet.getByRole('button', { name: /^Agendar para/ }).click()
  await expect.poll(() => network.bodiesOf(SAVE)).toMatchObject([{ p_action_id: null, p_contact_id: 3 }])
})

test('a que já passou não é remarcada por Agendar visita: dela se pergunta', async () => {
  await openConversation('Helena Duarte')
  await openBooking('Helena Duarte')
  await expect.element(sheet.getByRole('button', { name: /^Agendar para/ })).toBeInViewport({ ratio: 1 })
})

async function openNextStep(name: string, more = {}) {
  const network = await openConversation(name, more)
  const details = page.getByRole('dialog', { name }).last()
  network.on('POST /rest/v1/rpc/lead_sheet', () => EMPTY_SHEET)
  await page.getByRole('button', { name: 'Dados do lead' }).click()
  await details.getByRole('button', { name: 'Mudar o próximo passo' }).click()
  const step = page.getByRole('dialog', { name: 'Próximo passo' })
  await expect.element(step).toBeVisible()
  return { network, step }
}

test('nos dados do lead Mudar leva ao próximo passo, e de lá a visita é remarcada; por uma hora não é adiada', async () => {
  const { network, step } = await openNextStep('Marina Tavares')
  await expect.element(step.getByRole('button', { name: 'Excluir' })).toBeVisible()
  await expect.element(step.getByRole('button', { name: 'Adiar 1 h' })).not.toBeInTheDocument()
  await step.getByRole('button', { name: 'Remarcar', exact: true }).click()
  await chooseByKey(moving.getByRole('radio', { name: '15h' }))
  await moving.getByRole('button', { name: /^Remarcar para/ }).click()
  await expect.poll(() => network.bodiesOf(SAVE)).toMatchObject([{ p_action_id: 6 }])
})

test('uma ligação mudada para visita dá lugar a ela, e Desfazer a traz de volta', async () => {
  const { network, step } = await openNextStep('Otávio Lima')
  network.on(SET, () => SAVED)
  await step.getByRole('button', { name: 'Mudar' }).click()
  await chooseByKey(step.getByRole('radio', { name: 'Visita' }))
  await step.getByRole('button', { name: 'Agendar visita' }).click()
  await chooseByKey(sheet.getByRole('radio').nth(1))
  await chooseByKey(sheet.getByRole('radio', { name: '15h' }))
  await expect.element(sheet.getByRole('textbox', { name: 'Lugar' })).toHaveValue('Estande Mirante do Lago')
  await sheet.getByRole('button', { name: /^Agendar para/ }).click()
  await expect.poll(() => network.bodiesOf(SAVE)).toMatchObject([{ p_action_id: 7, p_contact_id: 4 }])
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect
    .poll(() => network.bodiesOf(SET))
    .toMatchObject([
      { p_action_id: 7, p_kind: 'call', p_note: 'Preço', p_due_at: new Date(tomorrowAt(9)).toISOString() },
    ])
})

test('uma visita que ainda vem não se conclui: é remarcada ou excluída', async () => {
  const { step } = await openNextStep('Marina Tavares')
  await expect.element(step.getByRole('button', { name: 'Excluir' })).toBeVisible()
  await expect.element(step.getByRole('button', { name: 'Concluir' })).not.toBeInTheDocument()
})

test('excluída antes da hora, pergunta se avisa o lead, que conta com ela', async () => {
  const { network, step } = await openNextStep('Marina Tavares')
  const sent: unknown[] = []
  network.on('POST /api/messages/text', ({ body }) => {
    sent.push(body['text'])
    return { message: { id: 90 } }
  })
  network.on('POST /rest/v1/rpc/action_finish', () => SAVED)
  await step.getByRole('button', { name: 'Excluir' }).click()
  const question = page.getByRole('dialog', { name: 'Avisar que não vai acontecer?' })
  await question.getByRole('button', { name: 'Avisar', exact: true }).click()
  await expect.poll(() => sent).toEqual([expect.stringContaining('Marina, a visita de ')])
})

test('Concluir uma visita que mal começou já pergunta o que foi dela', async () => {
  const { network, step } = await openNextStep('Rogério Bastos', { began: true })
  await step.getByRole('button', { name: 'Concluir' }).click()
  await step.getByRole('button', { name: 'Não veio' }).click()
  await expect.poll(() => network.bodiesOf(OUTCOME)).toMatchObject([{ p_action_id: 4, p_outcome: 'missed' }])
})

test('deixada para depois, a pergunta não volta com a conversa', async () => {
  await openConversation('Helena Duarte')
  const question = page.getByRole('region', { name: /^A visita aconteceu\? Helena Duarte/ })
  await question.getByRole('button', { name: 'Perguntar depois' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  await tap(card('Helena Duarte').getByText('Bom dia!'))
  await expect.element(page.getByRole('button', { name: 'Opções de Helena Duarte' })).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
  expect(localStorage.getItem(LEAD_MARKS.leftVisits)).not.toBeNull()
  await exit()
  expect(localStorage.getItem(LEAD_MARKS.leftVisits)).toBeNull()
})

test('Concluir uma visita que já passou pergunta o que foi dela, na mesma folha, e fecha no fim', async () => {
  const { network, step } = await openNextStep('Helena Duarte')
  await step.getByRole('button', { name: 'Concluir' }).click()
  await expectAccessibleInBoth()
  await step.getByRole('button', { name: 'Sim', exact: true }).click()
  await step.getByRole('button', { name: 'Em dúvida' }).click()
  await step
    .getByRole('region', { name: /^Qual o próximo passo\?/ })
    .getByRole('button', { name: 'Agora não' })
    .click()
  await expect.element(step).not.toBeInTheDocument()
  await expect
    .poll(() => network.bodiesOf(OUTCOME).map((body) => [body['p_outcome'], body['p_feeling']]))
    .toEqual([
      ['held', null],
      ['held', 'unsure'],
    ])
})

test('quem não veio, dito na folha do próximo passo, também é chamado de novo', async () => {
  const { network, step } = await openNextStep('Helena Duarte')
  await step.getByRole('button', { name: 'Concluir' }).click()
  await step.getByRole('button', { name: 'Não veio' }).click()
  await expect.poll(() => network.bodiesOf(OUTCOME)).toMatchObject([{ p_outcome: 'missed' }])
  await step.getByRole('button', { name: 'Usar' }).click()
  await expect.element(step).not.toBeInTheDocument()
  await expect
    .element(page.getByRole('textbox', { name: 'Mensagem' }))
    .toHaveValue('Oi, Helena! Não conseguimos nos ver na visita. Quer marcar outro dia?')
})
