// Messages other than texts, from the raw webhook to the broker's screen, and a private contact.
import { test } from '#tests/e2e/composer.ts'
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'

const CELIA = { instance: 'corretor_camila', from: '5511955500108', name: 'Célia Moura' }

test('um álbum, uma chamada, um modelo e um aviso aparecem na conversa, e só o que espera conta', async ({
  page,
  whatsapp: { simulator },
}) => {
  const { receive, call } = simulator.control
  receive({ ...CELIA, text: 'Filha, domingo tem almoço aqui em casa. Você vem?' })
  await enterAsBroker(page)
  await expect(page.getByText('Outro WhatsApp foi conectado no lugar de')).toBeVisible()
  const card = page.getByRole('article', { name: /^Célia Moura/ })
  await expect(card).toBeVisible()

  const album = receive({ ...CELIA, kind: 'album', text: '5' })
  for (let photo = 0; photo < 5; photo++)
    receive({ ...CELIA, kind: 'album-photo', text: '', target: { id: album } })
  const id = call({ ...CELIA, status: 'offer' })
  call({ ...CELIA, id, status: 'timeout' })
  receive({
    ...CELIA,
    kind: 'raw',
    message: { templateMessage: { hydratedTemplate: { hydratedContentText: 'Seu boleto vence amanhã.' } } },
  })
  receive({ ...CELIA, kind: 'raw', message: { pinInChatMessage: { type: 1, key: { id: album } } } })
  receive({ ...CELIA, kind: 'raw', message: { messageOfTomorrow: { text: 'x' } } })
  // The text, five photos, the call and the template count; the pin and the unknown kind do not.
  await expect(card.getByText('8', { exact: true })).toBeVisible()

  await card.getByRole('button', { name: /conversa/i }).click()
  const log = page.getByRole('dialog', { name: /Célia Moura/ }).getByRole('log', { name: 'Mensagens' })
  await expect(log.getByText(/^Ligação perdida · \d\d:\d\d$/)).toBeVisible()
  await expect(log.getByText('Seu boleto vence amanhã.')).toBeVisible()
  await expect(log.getByText(/Veja no WhatsApp/)).toBeVisible()
  // Off Wi-Fi, photos load on a tap, which opens them in the gallery.
  await log.getByRole('button', { name: 'Foto 4 de 5, mais 1' }).click()
  await expect(page.getByRole('img', { name: /Foto/ }).first()).toBeVisible()
  await page.goBack()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Opções de Célia Moura' }).click()
  await page.getByRole('menuitem', { name: 'Não é lead' }).click()
  await page.getByRole('button', { name: 'Marcar como particular' }).click()
  await expect(page.getByText('Célia Moura saiu do quadro')).toBeVisible()
  await expect(card).toBeHidden()
  receive({ ...CELIA, text: 'Traz a sobremesa' })
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: /^Particulares/ }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: /Voltar para o quadro/ }).click()
  await expect(page.getByText(/Célia Moura voltou para/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toBeVisible()
})
