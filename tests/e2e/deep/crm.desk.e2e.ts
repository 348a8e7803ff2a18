// The CRM's brokers and boards, leads without a broker, and exporting and erasing one person's data.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { storedTextOf } from '#tests/support/browser/device.ts'
import { cardIn, column, countOf, firstIn } from '#tests/support/browser/columns.ts'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { expect, expectAccessible, REFUSED } from '#tests/support/browser/story.ts'
import { unzip } from '#tests/support/zip.ts'
import { openBroker, openCrm, side } from '#tests/e2e/crm.ts'

const test = onOwnDemo()

test.use({ expectedNoise: { patterns: [REFUSED, /status of 500/] } })

const chips = (page: Page) => page.getByRole('list', { name: 'Corretores selecionados' })

test('os corretores são buscados, escolhidos e tirados; o endereço guarda quem', async ({ page }) => {
  await openCrm(page)
  // The CRM opens with all brokers.
  await expect(chips(page).getByRole('listitem')).toHaveCount(16)
  await page.getByRole('button', { name: 'Limpar', exact: true }).click()
  await expect(page.getByText('Nenhum corretor selecionado')).toBeVisible()
  await expect(
    page.getByText('Selecione um ou mais corretores na lista lateral para visualizar seus leads no kanban.'),
  ).toBeVisible()
  await expect(side(page).getByRole('button', { name: /^Camila \d+ leads/ })).toBeVisible()
  await expect(side(page).getByRole('button', { name: 'Novato' })).toHaveCount(0)
  await expectAccessible(page)

  await page.getByPlaceholder('Buscar corretor...').fill('JULI')
  await expect(side(page).getByRole('button')).toHaveCount(1)
  await side(page).getByRole('button', { name: 'Juliana' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  const alone = await countOf(page, 'Conversa')
  await page.getByPlaceholder('Buscar corretor...').fill('')
  await side(page).getByRole('button', { name: 'Camila' }).click()
  await expect.poll(() => countOf(page, 'Conversa')).toBeGreaterThan(alone)
  await expect(page).toHaveURL(/corretores=juliana(\+|%20)camila/)
  await expect(column(page, 'Novos Contatos').getByText('camila').first()).toBeVisible()

  await page.reload()
  await expect(chips(page).getByRole('listitem')).toHaveText([/Juliana$/, /Camila$/])
  await expect(page.getByRole('article').first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
  }
  const wanted = await firstIn(page, 'Negociação')
  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Buscar contato' })).toBeFocused()
  await page.keyboard.type(wanted.name.toUpperCase())
  await expect(cardIn(page, 'Negociação', wanted)).toBeVisible()
  await expect(page.getByRole('article').filter({ hasNotText: wanted.name })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await chips(page).getByRole('button', { name: 'Remover Camila' }).click()
  await expect.poll(() => countOf(page, 'Conversa')).toBe(alone)
  await page.getByRole('button', { name: 'Ocultar Corretores' }).click()
  await expect(side(page)).toBeHidden()
  await page.getByRole('button', { name: 'Mostrar Corretores' }).click()
  await page.getByRole('button', { name: 'Limpar', exact: true }).click()
  await expect(page.getByText('Nenhum corretor selecionado')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  // The navigation bar is wider than a phone.
  await expect(
    page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'CRM' }),
  ).toBeInViewport({ ratio: 1 })
  // With the broker chosen last, whose board is shown instead of the list.
  await expect(side(page)).toBeHidden()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
})

test('um quadro que falha fica vermelho e é tentado de novo; os outros seguem', async ({ page }) => {
  let isDown = true
  await page.route('**/rest/v1/rpc/sync_board', (route) =>
    isDown && route.request().postDataJSON().p_instance === 'corretor_juliana'
      ? route.fulfill({ status: 500, json: { message: 'fora do ar' } })
      : route.continue(),
  )
  await openCrm(page, 'camila+juliana')
  const retry = chips(page).getByRole('button', {
    name: 'Não foi possível atualizar Juliana. Tentar de novo',
  })
  await expect(retry).toBeVisible()
  const alone = await countOf(page, 'Conversa')
  await expectAccessible(page)
  // The board's own first retry fails as well; other fetches must not remove the button.
  await retry.click()
  isDown = false
  await expect(retry).toBeHidden()
  await expect.poll(() => countOf(page, 'Conversa')).toBeGreaterThan(alone)
})

test('os leads de um corretor removido ficam em "Sem corretor" até serem passados', async ({ page }) => {
  await openCrm(page)
  await expect(side(page).getByRole('button', { name: 'Sem corretor' })).toHaveCount(0)
  await page.getByRole('link', { name: 'WhatsApp' }).click()
  await page.getByRole('button', { name: 'Remover Bruno' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remover corretor' }).click()
  await expect(page.getByText('Corretor removido com sucesso!')).toBeVisible()
  await page.getByRole('link', { name: 'CRM' }).click()
  const nobody = side(page).getByRole('button', { name: /^Sem corretor \d+ leads/ })
  await nobody.click()
  await expect(page).toHaveURL(/corretores=sem-corretor/)
  const lead = await firstIn(page, 'Conversa')
  await cardIn(page, 'Conversa', lead).focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Passar para...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await dialog.getByRole('radio', { name: /Camila/ }).check()
  await dialog.getByRole('button', { name: 'Passar 1 lead' }).click()
  await expect(page.getByText('1 lead passou para Camila')).toBeVisible()
  await expect(cardIn(page, 'Conversa', lead)).toHaveCount(0)

  // A lead without a broker has no composer; after a transfer the conversation continues.
  const next = await firstIn(page, 'Conversa')
  await cardIn(page, 'Conversa', next).getByRole('button', { name: 'Abrir conversa' }).click()
  const talk = page.getByRole('dialog').filter({ has: page.getByRole('log', { name: 'Mensagens' }) })
  await expect(talk.getByText('Sem corretor', { exact: true })).toBeVisible()
  await expect(
    talk.getByText('Este lead está sem corretor. Entregue-o a um corretor para responder.'),
  ).toBeVisible()
  await expect(talk.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await talk.getByRole('button', { name: 'Passar para...' }).click()
  await dialog.getByRole('radio', { name: /Camila/ }).check()
  await dialog.getByRole('button', { name: 'Passar 1 lead' }).click()
  await expect(dialog).toBeHidden()
  await expect(talk.getByText('Responde pelo WhatsApp de Camila')).toBeVisible()
  await talk.getByRole('textbox').fill('Bom dia! A Camila segue com você.')
  await page.keyboard.press('Enter')
  await expect(talk.getByRole('log').getByText('Bom dia! A Camila segue com você.')).toBeVisible()
  await talk.getByRole('button', { name: 'Fechar' }).click()
  await expect(talk).toBeHidden()
  await expect(cardIn(page, 'Conversa', next)).toHaveCount(0)
})

test('os dados de uma pessoa saem como arquivo e são excluídos de todos: o quadro do corretor perde o card ao vivo', async ({
  page,
  browser,
  portalUrl,
}) => {
  const camila = await openBroker(browser, portalUrl, 'camila')
  await openCrm(page, 'camila')
  const lead = await firstIn(page, 'Negociação')
  const { name } = lead
  const theirs = cardIn(camila, 'Negociação', lead)
  await theirs.getByRole('button', { name: 'Abrir conversa' }).click()
  await expect(camila.getByRole('log', { name: 'Mensagens' })).toBeVisible()
  // Offline: an entry waits for the lead, and a text is typed.
  await camila.context().setOffline(true)
  const box = camila.getByRole('textbox', { name: 'Mensagem' })
  await box.fill(`Oi, ${name}!`)
  await camila.getByRole('button', { name: 'Enviar', exact: true }).click()
  await box.fill(`${name}, e a visita?`)
  await camila.keyboard.press('Escape')
  await expect.poll(() => storedTextOf(camila)).toContain(`Oi, ${name}!`)

  await cardIn(page, 'Negociação', lead).getByRole('button', { name: 'Abrir conversa' }).click()
  await page.getByRole('link', { name: 'Dados de uma pessoa' }).click()
  const contacts = page.getByRole('table', { name: 'Contatos' })
  await expect(contacts.getByRole('row').nth(1)).toContainText('Camila')
  const number =
    (await contacts
      .getByText(/^\(\d\d\) 9?\d{4}-\d{4}$/)
      .first()
      .textContent()) ?? ''
  await expect(page.getByRole('table', { name: 'O que está guardado' })).toContainText('Mensagens')
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar tudo' }).click()
  const files = unzip(await readFile(await (await saving).path()))
  expect(String(files.get('contatos.json'))).toContain(name)
  const paper = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar conversa (PDF)' }).click()
  const conversation = await paper
  expect(conversation.suggestedFilename()).toMatch(/^conversa-[a-z-]+-\d+\.pdf$/)
  expect((await readFile(await conversation.path())).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: 'Excluir os dados desta pessoa' }).click()
  const question = page.getByRole('dialog', { name: 'Excluir os dados desta pessoa?' })
  await expect(question).toContainText('não volta')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Excluir tudo' }).click()
  await expect(page.getByText(/^Dados excluídos: 1 contato, /)).toBeVisible()
  await camila.context().setOffline(false)
  // The device deletes its data as well, and says so without a name.
  await expect(
    camila.getByText(
      'Os dados de 1 lead foram excluídos. O que esperava para ser enviado saiu deste aparelho.',
    ),
  ).toBeVisible()
  await expect(theirs).toHaveCount(0)
  await expect.poll(() => storedTextOf(camila)).not.toContain(name)

  const asked = page.getByRole('textbox', { name: 'Número de telefone' })
  await asked.fill(number)
  await page.getByRole('button', { name: 'Buscar' }).click()
  const nothing = page.getByText('O portal não tem dados desta pessoa.')
  await expect(nothing).toBeVisible()
  await expect(page.getByText('Nenhuma campanha chega a este número.')).toBeVisible()
  // A result for one person is not shown with another number.
  await asked.fill('98888-0002')
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page.getByText('Informe o número com DDD.')).toBeVisible()
  await expect(nothing).toHaveCount(0)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.goto('/auditoria')
  await expect(
    page.getByText(/^Excluiu todos os dados de uma pessoa de número final \d\d: 1 contato, /),
  ).toBeVisible()
  await camila.close()
})
