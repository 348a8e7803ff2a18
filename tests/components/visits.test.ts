// 'Agendar visita' and 'A visita aconteceu?': a day, an hour that nobody has, what the lead is told; one answer, and how it was.
import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { unsent } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'
import { calendarDay, spokenHour } from '#domain/format.ts'
import { visitWords } from '#domain/next-action/visit.ts'
import { zonedMs } from '#domain/zone.ts'

const SAVE = 'POST /rest/v1/rpc/visit_save'
const OUTCOME = 'POST /rest/v1/rpc/visit_outcome'
const SAVED = { success: true, code: 'saved', message: null, action_id: 1 }
const sheet = page.getByRole('dialog', { name: 'Agendar visita' })

const tomorrowAt = (hour: number) => zonedMs(calendarDay(Date.now()) + 1, hour)
const visit = (id: number, dueMs: number) => ({
  id,
  op: null,
  kind: 'visit' as const,
  due: Math.floor(dueMs / 1000),
  note: 'Vista Serrana',
})

async function openConversation(name: string) {
  const { portal } = await openBoard([
    leadRow(1, { name: 'Rogério Bastos' }),
    leadRow(2, { name: 'Helena Duarte', next: [visit(5, Date.now() - 3 * 3_600_000)] }),
    leadRow(3, { name: 'Marina Tavares', next: [visit(6, tomorrowAt(11))] }),
  ])
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on('GET /rest/v1/campaign_settings', () => [
    {
      opens_at: 0,
      closes_at: 24,
      sends_on_sundays: true,
      daily_cap: 200,
      warm_up_from: 20,
      warm_up_days: 14,
      rest_days: 7,
    },
  ])
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: 540, until: 1_080 }))
  network.on('POST /rest/v1/rpc/get_visit_setup', () => ({ hours, feed_made_at: null }))
  network.on(SAVE, () => SAVED)
  network.on(OUTCOME, () => SAVED)
  await tap(card(name).getByText('Bom dia!'))
  await expect.element(page.getByRole('button', { name: `Opções de ${name}` })).toBeVisible()
  return network
}

/** As a keyboard or a reader does: what is seen of it may still be rising. */
async function choose(choice: Locator) {
  await expect.element(choice).toBeInTheDocument()
  const element = choice.element() as HTMLElement
  element.focus()
  element.click()
}

test('marca uma visita num horário livre, e mostra o que o lead recebe', async () => {
  const network = await openConversation('Rogério Bastos')
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Agendar visita' }).click()
  const tomorrow = sheet.getByRole('radio').nth(1)
  await choose(tomorrow)
  await expect.element(sheet.getByText('11h já tem visita.')).toBeVisible()
  await expect.element(sheet.getByRole('radio', { name: '11h' })).toBeDisabled()
  await choose(sheet.getByRole('radio', { name: '10h', exact: true }))
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
  await expect.element(sheet.getByRole('textbox', { name: 'Lugar' })).toHaveValue('Vista Serrana')
  await choose(sheet.getByRole('radio').nth(1))
  await choose(sheet.getByRole('radio', { name: spokenHour(tomorrowAt(9)), exact: true }))
  await sheet.getByRole('button', { name: /^Agendar para/ }).click()
  await expect.poll(() => network.bodiesOf(SAVE)).toMatchObject([{ p_action_id: 5, p_contact_id: 2 }])
})
