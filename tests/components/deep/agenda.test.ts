// 'Agenda de visitas': the weekly visiting hours, and the calendar's address, shown once.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { openBoard } from '#tests/support/components/phone-board.ts'

const SAVE = 'POST /rest/v1/rpc/visit_hours_save'
const RENEW = 'POST /rest/v1/rpc/calendar_renew'
const SECRET = 'a'.repeat(64)

test('os dias e horas da semana, e o endereço do calendário', async () => {
  const { portal } = await openBoard()
  const { network } = portal
  let madeAt: string | null = null
  network.on('POST /rest/v1/rpc/get_visit_setup', () => ({
    hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: 540, until: 1_080 })),
    feed_made_at: madeAt,
  }))
  network.on(SAVE, () => null)
  network.on(RENEW, ({ body }) => {
    madeAt = body['p_is_on'] === true ? '2026-11-23T12:00:00Z' : null
    return madeAt && SECRET
  })
  await page.getByRole('button', { name: /^Conta/ }).click()
  await page.getByRole('button', { name: 'Agenda de visitas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agenda de visitas' })
  await dialog.getByLabelText('Até (Sexta)').fill('12:30')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Salvar horários' }).click()
  await expect
    .poll(() => network.bodiesOf(SAVE))
    .toMatchObject([{ p_hours: expect.arrayContaining([{ weekday: 5, from: 540, until: 750 }]) }])
  await dialog.getByRole('button', { name: 'Criar endereço' }).click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Endereço do calendário' }))
    .toHaveValue(`${location.origin}/api/calendar/${SECRET}.ics`)
  await dialog.getByRole('button', { name: 'Desligar' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Criar endereço' })).toBeVisible()
  expect(network.bodiesOf(RENEW).map((body) => body['p_is_on'])).toEqual([true, false])
})
