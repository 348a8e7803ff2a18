// Sheets under a pointer: they resist the pull while input would be lost.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { boxOf, restOf, tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const rogerio = card('Rogério Bastos')

test('com texto não salvo a folha resiste e pergunta', async () => {
  const { pointer } = await openBoard()
  await tap(rogerio.getByRole('button', { name: 'Notas' }))
  const notes = page.getByRole('dialog', { name: 'Notas do Lead' })
  const field = notes.getByRole('textbox')
  await field.fill('Prefere o fim da tarde')
  const heading = notes.getByRole('heading').first()
  const rest = await restOf(heading)
  await pointer.down(200, rest.middle)
  await pointer.by(0, 8 + 100)
  await expect.poll(() => boxOf(heading).top).toBeCloseTo(rest.top + 30, 0)
  await pointer.by(0, 20)
  await pointer.up()
  await expect.element(page.getByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible()
  await expect.element(field).toHaveValue('Prefere o fim da tarde')
})
