// A touch that the system takes away, by a call or the edge's gesture, decides nothing; only a lifted finger does.
// Cards, pages and rows of Hoje have such tests of their own.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { conversation, openWith } from '#tests/support/components/conversation.ts'
import { boxOf, restOf, tap } from '#tests/support/components/device.ts'
import { card, openBoard, undo } from '#tests/support/components/phone-board.ts'

const rogerio = card('Rogério Bastos')
/** Longer than a hold of a message, and than any transition. */
const passedMs = 900

test('uma folha puxada além do limite fica aberta', async () => {
  const { pointer } = await openBoard()
  await tap(rogerio.getByRole('button', { name: 'Notas' }))
  const notes = page.getByRole('dialog', { name: 'Notas do Lead' })
  const heading = notes.getByRole('heading').first()
  const rest = await restOf(heading)
  await pointer.down(200, rest.middle)
  await pointer.by(0, 8 + 200)
  await pointer.taken({ passedMs })
  await expect.poll(() => boxOf(heading).top).toBeCloseTo(rest.top, 0)
  await expect.element(notes).toBeVisible()
  await pointer.down(200, rest.middle)
  await pointer.by(0, 8 + 200)
  await pointer.up()
  await expect.element(notes).not.toBeInTheDocument()
})

test('uma mensagem varrida não é citada, e segurada não abre o menu', async () => {
  const { pointer } = await openWith([{ body: 'Tem vaga coberta?' }])
  const bubble = conversation.getByText('Tem vaga coberta?')
  const quote = conversation.getByRole('button', { name: 'Não responder a esta mensagem' })
  const { left, middle } = await restOf(bubble)
  await pointer.down(left + 20, middle)
  await pointer.by(70, 0)
  await pointer.taken({ passedMs })
  expect(document.querySelectorAll('[data-swiped]')).toHaveLength(0)
  await expect.element(quote).not.toBeInTheDocument()

  await pointer.down(left + 20, middle)
  await pointer.taken({ passedMs })
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()

  await pointer.down(left + 20, middle)
  await pointer.by(70, 0)
  await pointer.up()
  await expect.element(quote).toBeVisible()
})

test('um aviso puxado para baixo volta ao seu lugar, e ainda se pode desfazer', async () => {
  const { pointer } = await openBoard()
  await tap(rogerio.getByRole('button', { name: /^Mover/ }))
  await page.getByRole('menuitemradio', { name: /^Negociação/ }).click()
  await expect.element(undo).toBeVisible()
  const rest = await restOf(undo)
  await pointer.down(60, rest.middle)
  await pointer.by(0, 120)
  await pointer.taken()
  await expect.poll(() => boxOf(undo).top).toBeCloseTo(rest.top, 0)
  await tap(undo)
  await expect.element(rogerio).toBeVisible()
})
