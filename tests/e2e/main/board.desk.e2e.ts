// The board from a real database, as columns.
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

test('o quadro mostra estágios, contagens e cards com nome, mensagem, hora e nota', async ({ page }) => {
  await enterAsBroker(page)
  const rogerio = page.getByRole('article', { name: /^Rogério Bastos/ })
  await expect(rogerio).toContainText('Consigo visitar no sábado')
  await expect(rogerio).toContainText('Quer 3 quartos')
  await expect(rogerio).toContainText(/há \d+ min/)
  await expect(rogerio).toContainText(/camila/i)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gerenciar Conversas')
  for (const column of ['Novos Contatos (12)', 'Conversa (8)'])
    await expect(page.getByRole('heading', { name: column })).toBeVisible()
})
