// The board from a real database, on a phone.
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

type Row = {
  name: string | null
  status: string
  notes: string | null
  last_message: { body: string } | null
}

test('o quadro mostra estágios, contagens e cards com nome, mensagem, hora e nota', async ({
  page,
  portalUrl,
}) => {
  // Other tests write to the same people, so the current rows are fetched.
  const { body: board } = await call<{ leads: Row[] }>(`${portalUrl}/rest/v1/rpc/sync_board`, {
    token: await tokenOf(portalUrl, brokerNamed('camila')),
    body: { p_instance: 'corretor_camila', p_cursor: null },
  })
  const countOf = (slug: string) => board.leads.filter(({ status }) => status === slug).length
  const row = board.leads.find(({ name }) => name === 'Rogério Bastos')
  expect(row?.notes).toContain('Quer 3 quartos')
  await enterAsBroker(page)
  const rogerio = page.getByRole('article', { name: /^Rogério Bastos/ })
  await expect(rogerio).toContainText(row?.last_message?.body ?? 'a message')
  await expect(rogerio).toContainText('Quer 3 quartos')
  await expect(rogerio).toContainText(/há \d+ min|agora/)
  await expect(rogerio).toContainText(/camila/i)
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText(`Novos Contatos (${countOf('new')})`)
  await page.getByRole('tab', { name: /^Conversa/ }).click()
  await expect(title).toHaveText(`Conversa (${countOf('conversa')})`)
  await expect(page).toHaveURL(/estagio=conversa/)
})
