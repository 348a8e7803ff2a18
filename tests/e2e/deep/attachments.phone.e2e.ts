// Files and voice messages on a phone: accepted files, offline storage, pointer gestures.
import type { Page } from '@playwright/test'
import { pointerOn, restOf } from '#tests/support/browser/pointer.ts'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import {
  bubble,
  choose,
  enter,
  openConversation,
  PAST_A_SECOND,
  PDF,
  rowsOf,
  test,
  WRITING,
} from '#tests/e2e/composer.ts'

test.use(WRITING)

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** A picture of this size, made by the browser. */
async function picture(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    ([w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h })
      canvas.getContext('2d')?.fillRect(0, 0, 40, 40)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    },
    [width, height] as const,
  )
  return Buffer.from(base64, 'base64')
}

test('fotos vão menores com a legenda, documentos com o nome, e o que não é aceito diz por quê', async ({
  page,
  portalUrl,
}) => {
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  await (
    await choose(page, conversation, 'Foto')
  ).setFiles([
    { name: 'varanda.png', mimeType: 'image/png', buffer: await picture(page, 1600, 1200) },
    { name: 'planta.png', mimeType: 'image/png', buffer: await picture(page, 300, 200) },
  ])
  const attached = conversation.getByRole('list', { name: '2 anexos' })
  await expect(attached.getByText(/^\d+ KB$/).first()).toBeVisible()
  await expectAccessible(page)
  const caption = `Vista da varanda ${Date.now()}`
  await box.fill(caption)
  await send.click()
  await expect(attached).toBeHidden()
  await expect(bubble(lines, caption).getByText('lida')).toBeAttached()
  const [sent] = await rowsOf(portalUrl, caption)
  expect(sent).toMatchObject({ kind: 'image', content: { width: 800, height: 600 } })

  await (
    await choose(page, conversation, 'Arquivo')
  ).setFiles({
    name: 'Tabela de preços.pdf',
    mimeType: '',
    buffer: PDF,
  })
  await send.click()
  await expect(bubble(lines, 'Tabela de preços.pdf')).toBeVisible()

  for (const [name, mimeType] of [
    ['vírus.exe', 'application/x-msdownload'],
    ['planta.svg', 'image/svg+xml'],
  ] as const) {
    await (await choose(page, conversation, 'Arquivo')).setFiles({ name, mimeType, buffer: PDF })
    await expect(conversation.getByRole('alert').filter({ hasText: 'Tipo de arquivo' })).toHaveText(
      'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
    )
  }
  await (
    await choose(page, conversation, 'Foto')
  ).setFiles({
    name: 'quebrada.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('isto não é uma foto'),
  })
  await expect(conversation.getByRole('alert').filter({ hasText: 'processar o arquivo' })).toBeVisible()
  // Named like a Word file, but none: the server checks its content.
  await (
    await choose(page, conversation, 'Arquivo')
  ).setFiles({ name: 'x.docx', mimeType: WORD, buffer: PDF.subarray(20) })
  await send.click()
  await expect(conversation.getByRole('alert').filter({ hasText: 'Tipo de arquivo' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Remover x.docx' }).click()
  await expect(conversation.getByRole('list', { name: /anexo/ })).toHaveCount(0)
})

test('sem sinal o anexo fica com a legenda, o texto seguinte é outra mensagem; cancelar também não o perde; depois vai uma vez só', async ({
  page,
  context,
  portalUrl,
}) => {
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  const file = { name: 'proposta.pdf', mimeType: 'application/pdf', buffer: PDF }
  await (await choose(page, conversation, 'Arquivo')).setFiles(file)
  const caption = `Proposta ${Date.now()}`
  await box.fill(caption)
  await page.route('**/api/messages/media', (route) => route.abort('failed'))
  await send.click()
  const reason = conversation
    .getByRole('alert')
    .filter({ hasText: 'Tente de novo quando a internet voltar.' })
  await expect(reason).toBeVisible()
  await page.unroute('**/api/messages/media')

  // The file waits with its caption: a text written next is a separate message in the outbox.
  await context.setOffline(true)
  const attached = conversation.getByRole('list', { name: '1 anexo' })
  await expect(attached.getByText(caption)).toBeVisible()
  await expectAccessible(page)
  await expect(box).toHaveAccessibleName('Mensagem')
  const next = `E bom dia ${Date.now()}`
  await box.fill(next)
  await send.click()
  await expect(bubble(lines, next).getByText('Na fila').last()).toBeVisible()
  await expect(attached.getByText(caption)).toBeVisible()
  await context.setOffline(false)
  await expect(reason).toBeHidden()
  await expect(conversation.getByText('Toque no anexo para tentar de novo.')).toBeVisible()
  await expect(bubble(lines, next).getByText('lida')).toBeAttached()
  expect(await rowsOf(portalUrl, next)).toHaveLength(1)

  // After closing, reopening and a reload without a warning it is still there.
  await page.goBack()
  await expect(conversation).toBeHidden()
  await openConversation(page, 'Luciana Prado')
  await page.reload()
  await expect(attached.getByText(caption)).toBeVisible()
  await expect(conversation.getByRole('button', { name: 'Tentar de novo: proposta.pdf' })).toBeVisible()

  let letGo: () => void = () => undefined
  await page.route('**/api/messages/media', async (route) => {
    await new Promise<void>((resolve) => (letGo = resolve))
    await route.abort('failed').catch(() => undefined)
  })
  await conversation.getByRole('button', { name: 'Tentar de novo: proposta.pdf' }).click()
  await conversation.getByRole('button', { name: 'Cancelar o envio de proposta.pdf' }).click()
  await expect(conversation.getByRole('button', { name: 'Remover proposta.pdf' })).toBeVisible()
  await expect(conversation.getByRole('button', { name: 'Tentar de novo: proposta.pdf' })).toHaveCount(0)
  letGo()
  await page.unroute('**/api/messages/media')

  // The server has it, but the response is lost: the retry is the same message.
  await page.route('**/api/messages/media', async (route) => {
    await route.fetch()
    await route.abort('failed')
  })
  await send.click()
  await expect(bubble(lines, caption)).toHaveCount(1)
  await expect(conversation.getByRole('list', { name: /anexo/ })).toHaveCount(0)
  expect(await rowsOf(portalUrl, caption)).toHaveLength(1)
})

test('o áudio no dedo: solto vai, para a esquerda some, para cima fica gravando', async ({ page }) => {
  const { conversation, lines } = await enter(page, 'Luciana Prado')
  const before = await lines.getByRole('button', { name: /: Mensagem de voz$/ }).count()
  const pointer = await pointerOn(page)
  const microphone = conversation.getByRole('button', { name: 'Gravar áudio' })
  const timer = conversation.getByRole('timer')
  const press = async () => {
    const { x, y } = await restOf(microphone)
    await pointer.down(x + 22, y + 22)
    await expect(timer).toContainText(PAST_A_SECOND)
  }
  await press()
  await pointer.up()
  await expect(lines.getByRole('button', { name: /: Mensagem de voz$/ })).toHaveCount(before + 1)

  await press()
  await pointer.by(-95, 0)
  await expect(timer).toBeVisible()
  await pointer.by(-1, 0)
  await expect(timer).toBeHidden()
  await pointer.up()

  await press()
  await pointer.by(0, -72)
  await pointer.up()
  await expect(conversation.getByRole('button', { name: 'Parar' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await expect(lines.getByRole('button', { name: /: Mensagem de voz$/ })).toHaveCount(before + 2)

  await press()
  await pointer.taken()
  await expect(conversation.getByRole('button', { name: 'Parar' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Descartar' }).tap()
  await expect(lines.getByRole('button', { name: /: Mensagem de voz$/ })).toHaveCount(before + 2)
})

test('sem licença para o microfone diz o que fazer', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  const { conversation } = await enter(page, 'Luciana Prado')
  await conversation.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(conversation.getByRole('alert').filter({ hasText: 'microfone' })).toHaveText(
    'O microfone está bloqueado. Libere-o para este site nos ajustes do navegador.',
  )
  await expect(conversation.getByRole('button', { name: 'Gravar áudio' })).toBeVisible()
})

test.describe('no escuro, estreito e com letras grandes', () => {
  test.use({ colorScheme: 'dark' })
  test('nada sai da tela', async ({ page }) => {
    const { conversation, box } = await enter(page, 'Luciana Prado')
    await expectAccessible(page)
    await (
      await choose(page, conversation, 'Arquivo')
    ).setFiles({
      name: 'Um nome de arquivo bem comprido que não cabe.pdf',
      mimeType: 'application/pdf',
      buffer: PDF,
    })
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 568 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await box.fill('Um texto que também precisa caber aqui, mesmo comprido')
    const sticksOut = await conversation.evaluate(
      (dialog, room) => dialog.scrollWidth > dialog.clientWidth || document.body.scrollWidth > room,
      page.viewportSize()?.width ?? 0,
    )
    expect(sticksOut).toBe(false)
    await expect(conversation.getByRole('button', { name: 'Enviar', exact: true })).toBeInViewport()
    await conversation.getByRole('button', { name: /^Remover/ }).click()
    await box.fill('')
  })
})
