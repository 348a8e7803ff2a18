// Administrator and broker see each other's changes live.
import {
  cardIn,
  carry,
  column,
  countOf,
  firstIn,
  middleOf,
  waitForDragging,
} from '#tests/support/browser/columns.ts'
import { expect, goTo, REFUSED, test } from '#tests/support/browser/story.ts'
import { openBroker, openCrm } from '#tests/e2e/crm.ts'

test.use({ expectedNoise: { patterns: [REFUSED, /status of 500/] } })

test('o que o administrador move aparece no quadro do corretor, e o do corretor no CRM', async ({
  page,
  browser,
  portalUrl,
}) => {
  const broker = await openBroker(browser, portalUrl, 'rafael')
  await openCrm(page, 'rafael+camila')
  await waitForDragging(page)
  const lead = await firstIn(broker, 'Conversa')
  const before = await countOf(broker, 'Negociação')
  await carry(page, cardIn(page, 'Conversa', lead), await middleOf(column(page, 'Negociação')))
  await page.mouse.up()
  // By live events only: the board refetches by itself every five minutes.
  await expect(cardIn(broker, 'Conversa', lead)).toHaveCount(0)
  await expect.poll(() => countOf(broker, 'Negociação')).toBe(before + 1)

  const other = await firstIn(broker, 'Novos Contatos')
  await cardIn(broker, 'Novos Contatos', other).focus()
  await broker.keyboard.press('Alt+ArrowRight')
  await expect(cardIn(page, 'Novos Contatos', other)).toHaveCount(0)

  const noted = cardIn(page, 'Conversa', await firstIn(page, 'Conversa'))
  await noted.focus()
  await page.keyboard.press('n')
  const notes = page.getByRole('dialog', { name: 'Notas do Lead' })
  await notes.getByRole('textbox').fill('Ligar na segunda')
  await notes.getByRole('button', { name: 'Salvar' }).click()
  await expect(noted).toContainText('Ligar na segunda')

  // An administrator's reading marks nothing read for the broker: after later messages the count is unchanged.
  const first = broker.locator('article[data-unread]').first()
  const unreadId = await first.getAttribute('data-lead')
  const unread = broker.locator(`article[data-lead="${unreadId}"]`)
  const pill = unread.locator('.unread-pill')
  const waiting = await pill.innerText()
  await goTo(page, `/crm?corretores=rafael&lead=${unreadId}`)
  await expect(page.getByRole('dialog').getByRole('log', { name: 'Mensagens' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()

  const talked = await firstIn(broker, 'Negociação')
  await cardIn(page, 'Negociação', talked).getByRole('button', { name: 'Abrir conversa' }).click()
  const talk = page.getByRole('dialog')
  await expect(page).toHaveURL(/lead=\d+/)
  // All labels name the broker, never the administrator.
  await expect(talk.getByText('Lead de Rafael')).toBeVisible()
  await expect(talk.getByText('Responde pelo WhatsApp de Rafael')).toBeVisible()
  await talk.getByRole('textbox').fill('Bom dia! Aqui é da administração.')
  await page.keyboard.press('Enter')
  await expect(talk.getByText('Bom dia! Aqui é da administração.')).toBeVisible()
  await expect(talk.getByText(/^Rafael, \d\d:\d\d:$/).last()).toBeAttached()
  await expect(page.getByText(/^Você[:,]/)).toHaveCount(0)
  await expect(broker.getByText('Bom dia! Aqui é da administração.')).toBeVisible()
  await expect(pill).toHaveText(waiting)
  await page.goBack()
  await expect(talk).toBeHidden()
  await broker.close()
})
