// Writing to a lead on a phone: text, quick replies, drafts, and the results of sending.
import { pointerOn, restOf } from '#tests/support/browser/pointer.ts'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import { bubble, CAMILA, enter, openConversation, rowsOf, test, WRITING } from '#tests/e2e/composer.ts'

test.use(WRITING)

/** The maximum length of a title. */
const LONG_TITLE = 'Documentos para a análise de crédito no banco, um por um já!'

test('uma resposta rápida enche a caixa e nunca envia; as próprias são guardadas, achadas e removidas', async ({
  page,
}) => {
  // This lead does not wait and no earlier test writes to it: a suggestion or a next step would replace the quick
  // replies.
  const { conversation, lines, box } = await enter(page, 'Wesley Nogueira')
  await conversation.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(box).toHaveValue(/^Oi, Wesley!/)
  await expect(box).toBeFocused()
  await expect(lines.getByText('Qual dia e horário')).toHaveCount(0)
  await box.fill('')

  await conversation.getByRole('button', { name: 'Editar respostas' }).click()
  const sheet = page.getByRole('dialog', { name: 'Respostas rápidas' })
  await expect(sheet.getByRole('button', { name: 'Opções de Agendar visita' })).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Nova resposta' }).click()
  const form = page.getByRole('dialog', { name: 'Nova resposta' })
  await form.getByLabel('Título').fill(LONG_TITLE)
  await form.getByLabel('Texto').fill('Preciso do RG, ')
  await form.getByRole('button', { name: 'Inserir nome' }).click()
  await expect(form.getByLabel('Texto')).toHaveValue('Preciso do RG, {nome}')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Descartar o que foi escrito?' })
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(form.getByLabel('Título')).toHaveValue(LONG_TITLE)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(sheet.getByText('Minhas')).toBeVisible()

  await sheet.getByRole('button', { name: 'Nova resposta' }).click()
  await form.getByLabel('Título').fill(LONG_TITLE.toLowerCase())
  await form.getByLabel('Texto').fill('Outra')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form.getByText('Já existe uma resposta com este título.')).toBeVisible()
  await form.getByLabel('Título').fill('Financiamento')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await sheet.getByRole('button', { name: 'Opções de Financiamento' }).click()
  await page.getByRole('menuitem', { name: 'Subir' }).click()
  await expect(sheet.getByRole('listitem').first()).toContainText('Financiamento')
  await sheet.getByRole('button', { name: 'Opções de Financiamento' }).click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await page
    .getByRole('dialog', { name: /Excluir "Financiamento"/ })
    .getByRole('button', { name: 'Excluir' })
    .click()
  await expect(sheet.getByText('Financiamento')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Fechar' }).click()

  await box.fill('/docu')
  await expect(conversation.getByRole('button', { name: 'Agendar visita' })).toHaveCount(0)
  const chip = conversation.getByRole('button', { name: LONG_TITLE })
  expect((await restOf(chip)).width).toBeLessThan(270)
  await chip.click()
  await expect(box).toHaveValue('Preciso do RG, Wesley')

  await box.fill('')
  await conversation.getByRole('button', { name: 'Editar respostas' }).click()
  await sheet.getByRole('button', { name: `Opções de ${LONG_TITLE}` }).click()
  await page.getByRole('menuitem', { name: 'Excluir' }).click()
  await page
    .getByRole('dialog', { name: `Excluir "${LONG_TITLE}"?` })
    .getByRole('button', { name: 'Excluir' })
    .click()
  await expect(sheet.getByText(LONG_TITLE)).toHaveCount(0)
})

test('o rascunho é de cada contato e fica depois de recarregar', async ({ page }) => {
  const luciana = await enter(page, 'Luciana Prado')
  await luciana.box.fill('Ainda pensando no que dizer')
  await page.goBack()
  const marina = await openConversation(page, 'Marina Tavares')
  await expect(marina.box).toHaveValue('')
  await marina.box.fill('Para a Marina')
  // No user reloads before the letter is stored.
  await expect.poll(() => page.evaluate(countDrafts)).toBe(2)
  await page.reload()
  await expect(marina.box).toHaveValue('Para a Marina')
  await marina.box.fill('')
  await page.goBack()
  const again = await openConversation(page, 'Luciana Prado')
  await expect(again.box).toHaveValue('Ainda pensando no que dizer')
  await again.box.fill('')
  await expect.poll(() => page.evaluate(countDrafts)).toBe(0)
  await page.reload()
  await expect(again.conversation).toBeVisible()
  await expect(again.box).toHaveValue('')

  // Near the limit it shows the rest, and that a pasted text was cut.
  await again.box.fill('a'.repeat(9_800))
  await expect(again.box).toHaveAccessibleDescription('Restam 200 letras')
  await page.evaluate(() => navigator.clipboard.writeText('b'.repeat(300)))
  await again.box.press('ControlOrMeta+v')
  await expect(again.box).toHaveAccessibleDescription('Restam 0 letras')
  const cut = again.conversation.getByText('O texto colado não coube inteiro: aqui cabem 10.000 letras.')
  await expect(cut).toBeVisible()
  await again.box.press('Backspace')
  await expect(cut).toBeHidden()
  await again.box.fill('')
})

test('o que falhou diz por quê e vai de novo; do que ninguém sabe pergunta-se antes', async ({
  page,
  whatsapp: { simulator, origin },
}) => {
  const { lines, box, send } = await enter(page, 'Luciana Prado')
  const lost = `Sem WhatsApp ${Date.now()}`
  simulator.control.nextSend({ instance: CAMILA, effect: 'not-on-whatsapp' })
  await box.fill(lost)
  await send.click()
  await expect(lines.getByText('Este número não tem WhatsApp.')).toBeVisible()
  await expectAccessible(page)
  await lines.getByRole('button', { name: 'Tentar de novo' }).last().click()
  await expect(bubble(lines, lost).getByText('lida')).toBeAttached()

  const unknown = `Foi ou não foi ${Date.now()}`
  simulator.control.nextSend({ instance: CAMILA, effect: 'timed-out-unsent' })
  await box.fill(unknown)
  await send.click()
  await expect(bubble(lines, unknown).getByText('entrega desconhecida')).toBeVisible()
  await expect(lines.getByText(/Pode ter sido enviada/).last()).toBeVisible()
  await lines.getByRole('button', { name: 'Enviar de novo' }).last().click()
  const question = page.getByRole('dialog', { name: 'Enviar de novo?' })
  await expect(question).toContainText('pode ter sido enviada')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  expect(await rowsOf(origin, unknown)).toHaveLength(1)
  await lines.getByRole('button', { name: 'Enviar de novo' }).last().click()
  await question.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect(bubble(lines, unknown)).toHaveCount(2)
  await expect(lines.getByText('Enviada de novo mais abaixo.').last()).toBeVisible()
})

test('responder, copiar e tirar da fila pelo menu da mensagem', async ({ page, context }) => {
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  const openMenu = async (text: string) => {
    const target = bubble(lines, text).last()
    await target.scrollIntoViewIfNeeded()
    const pointer = await pointerOn(page)
    const { x, y } = await restOf(target)
    await pointer.down(x + 20, y + 12)
    await expect(page.getByRole('menu', { name: 'Opções da mensagem' })).toBeVisible()
    return pointer.up(600)
  }
  await openMenu('Obrigada! Vou conversar')
  await page.getByRole('menuitem', { name: 'Copiar' }).click()
  await expect(page.getByText('Texto copiado')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Obrigada! Vou conversar')

  await openMenu('Obrigada! Vou conversar')
  await page.getByRole('menuitem', { name: 'Responder' }).click()
  await expect(box).toBeFocused()
  await expect(conversation.getByText('Respondendo a')).toBeAttached()
  const words = `Fico à disposição ${Date.now()}`
  await box.fill(words)
  await send.click()
  await expect(conversation.getByText('Respondendo a')).toHaveCount(0)
  await expect(bubble(lines, words).getByText('lida')).toBeAttached()
  await expect(bubble(lines, words).locator('blockquote')).toContainText('Obrigada! Vou conversar')

  await context.setOffline(true)
  const waiting = `Na fila ${Date.now()}`
  await box.fill(waiting)
  await send.click()
  await expect(bubble(lines, waiting).getByText('Na fila').last()).toBeVisible()
  await openMenu(waiting)
  await page.getByRole('menuitem', { name: 'Descartar' }).click()
  await expect(bubble(lines, waiting)).toHaveCount(0)
  await context.setOffline(false)
})

/** The number of stored drafts. */
function countDrafts(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('portal')
    opening.addEventListener('error', () => reject(opening.error ?? new Error('drafts')))
    opening.addEventListener('success', () => {
      const counting = opening.result.transaction('drafts').objectStore('drafts').count()
      counting.addEventListener('success', () => {
        opening.result.close()
        resolve(counting.result)
      })
    })
  })
}
