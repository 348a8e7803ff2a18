// Writing to a lead: words, quick replies, files and voice, and what becomes of them (SPEC.md 2.10, 5, 8; INTERACTIONS 8, 9).
import type { Locator, Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { CHROMIUM_ARGS } from '#tests/support/chromium.mjs'
import { startDemo } from '#tests/support/e2e-portal.ts'
import { onOwnPortal } from '#tests/support/own-portal.ts'
import { layFinger, restOf } from '#tests/support/finger.ts'
import { call, signIn } from '#tests/support/portal.ts'
import { enterAsBroker, expect, expectAccessible, NO_NETWORK, REFUSED } from '#tests/support/story.ts'

const CAMILA = 'corretor_camila'
const PHONE = '5511955550101'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const PDF = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n')
const FAILED = /net::ERR_(FAILED|ABORTED|CONNECTION)/
const PAST_A_SECOND = /[1-9]$/
const UNSUPPORTED = /the server responded with a status of 415/

type Line = { simulator: ListeningSimulator; origin: string }

/** A portal of these stories alone, its broker linked, over a gateway whose knobs they turn; a browser with a microphone. */
const test = onOwnPortal<Line>(async (use) => {
  const simulator = await startSimulator({ clock: systemClock })
  const demo = await startDemo({ EVOLUTION_URL: simulator.url, EVOLUTION_API_KEY: simulator.apiKey })
  const token = await signIn(demo.origin, 'camila@corretor.local', 'demo-corretor')
  await call(`${demo.origin}/api/instance/connect`, { token, body: {} })
  simulator.control.scan({ instance: CAMILA, number: PHONE, name: 'Camila' })
  simulator.control.acks({ instance: CAMILA, plan: 'read' })
  await use({ simulator, origin: demo.origin })
  await demo.stop()
  await simulator.stop()
})
test.use({
  expectedNoise: { patterns: [REFUSED, NO_NETWORK, FAILED, UNSUPPORTED] },
  permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
  // A stand-in for an answer sees nothing of what passes by the worker.
  serviceWorkers: 'block',
  launchOptions: {
    args: [...CHROMIUM_ARGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
  },
})

async function openConversation(page: Page, name: string) {
  const card = page.getByRole('article', { name: new RegExp(`^${name}`) })
  await card.getByRole('button', { name: /conversa/i }).click()
  const conversation = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(conversation.getByRole('log', { name: 'Mensagens' })).toBeVisible()
  return {
    conversation,
    lines: conversation.getByRole('log', { name: 'Mensagens' }),
    box: conversation.getByRole('textbox', { name: /Mensagem|Legenda/ }),
    send: conversation.getByRole('button', { name: 'Enviar', exact: true }),
  }
}

async function enter(page: Page, name: string) {
  await enterAsBroker(page)
  return openConversation(page, name)
}

/** The bubble that holds these words. */
const bubble = (lines: Locator, text: string) => lines.locator('.group', { hasText: text })

async function choose(page: Page, conversation: Locator, source: 'Fotos' | 'Documento') {
  const chooser = page.waitForEvent('filechooser')
  await conversation.getByRole('button', { name: 'Anexar arquivo' }).click()
  await page.getByRole('menuitem', { name: source }).click()
  return chooser
}

/** A picture of this size, made by the browser itself. */
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

type Row = { body: string; kind: string; content: { width: number; height: number } | null }

/** What the server has of a lead's conversation, newest first. */
async function rowsOf(origin: string, body: string): Promise<Row[]> {
  const token = await signIn(origin, 'camila@corretor.local', 'demo-corretor')
  const query = `select=body,kind,content&body=eq.${encodeURIComponent(body)}`
  return (await call<Row[]>(`${origin}/rest/v1/whatsapp_messages?${query}`, { token })).body
}

/** The names of the broker's leads, as the server has them. */
async function namesLike(origin: string, pattern: string): Promise<string[]> {
  const token = await signIn(origin, 'camila@corretor.local', 'demo-corretor')
  const query = `select=name&name=like.${encodeURIComponent(pattern)}`
  const { body } = await call<{ name: string }[]>(`${origin}/rest/v1/whatsapp_contacts?${query}`, { token })
  return body.map(({ name }) => name)
}

/** What is told once, on the phone. */
const ONE_SIZE = 'o mesmo em qualquer tela'

test('escreve, envia uma vez e vê os sinais andarem', async ({ page, isMobile, line }) => {
  const { lines, box, send } = await enter(page, 'Luciana Prado')
  await box.fill('Primeira linha')
  await box.press(isMobile ? 'Enter' : 'Shift+Enter')
  await box.pressSequentially('segunda linha')
  await expect(box).toHaveValue('Primeira linha\nsegunda linha')
  if (isMobile) await send.dblclick()
  else await box.press('Enter')
  await expect(box).toHaveValue('')
  const sent = bubble(lines, 'segunda linha')
  await expect(sent).toHaveCount(1)
  await expect(sent.getByText('lida')).toBeAttached()
  expect(await rowsOf(line.origin, 'Primeira linha\nsegunda linha')).toHaveLength(1)
  await expect(box).toBeFocused()
})

/** As long as a title may be. */
const LONG_TITLE = 'Documentos para a análise de crédito no banco, um por um já!'

test('uma resposta rápida enche a caixa e nunca envia; as próprias são guardadas, achadas e removidas', async ({
  page,
}) => {
  const { conversation, lines, box } = await enter(page, 'Luciana Prado')
  await conversation.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(box).toHaveValue(/^Oi, Luciana!/)
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
  await page.getByRole('menuitem', { name: 'Remover' }).click()
  await page
    .getByRole('dialog', { name: /Remover "Financiamento"/ })
    .getByRole('button', { name: 'Remover' })
    .click()
  await expect(sheet.getByText('Financiamento')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Fechar' }).click()

  await box.fill('/docu')
  await expect(conversation.getByRole('button', { name: 'Agendar visita' })).toHaveCount(0)
  const chip = conversation.getByRole('button', { name: LONG_TITLE })
  expect((await restOf(chip)).width).toBeLessThan(270)
  await chip.click()
  await expect(box).toHaveValue('Preciso do RG, Luciana')

  await box.fill('')
  await conversation.getByRole('button', { name: 'Editar respostas' }).click()
  await sheet.getByRole('button', { name: `Opções de ${LONG_TITLE}` }).click()
  await page.getByRole('menuitem', { name: 'Remover' }).click()
  await page
    .getByRole('dialog', { name: `Remover "${LONG_TITLE}"?` })
    .getByRole('button', { name: 'Remover' })
    .click()
  await expect(sheet.getByText(LONG_TITLE)).toHaveCount(0)
})

test('fotos vão menores com a legenda, documentos com o nome, e o que não é aceito diz por quê', async ({
  page,
  isMobile,
  line,
}) => {
  test.skip(!isMobile, ONE_SIZE)
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  await (
    await choose(page, conversation, 'Fotos')
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
  const [sent] = await rowsOf(line.origin, caption)
  expect(sent).toMatchObject({ kind: 'image', content: { width: 800, height: 600 } })

  await (
    await choose(page, conversation, 'Documento')
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
    await (await choose(page, conversation, 'Documento')).setFiles({ name, mimeType, buffer: PDF })
    await expect(conversation.getByRole('alert').filter({ hasText: 'Tipo de arquivo' })).toHaveText(
      'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
    )
  }
  await (
    await choose(page, conversation, 'Fotos')
  ).setFiles({
    name: 'quebrada.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('isto não é uma foto'),
  })
  await expect(conversation.getByRole('alert').filter({ hasText: 'processar o arquivo' })).toBeVisible()
  // Called a Word file, it is none: the server looks into it.
  await (
    await choose(page, conversation, 'Documento')
  ).setFiles({ name: 'x.docx', mimeType: WORD, buffer: PDF.subarray(20) })
  await send.click()
  await expect(conversation.getByRole('alert').filter({ hasText: 'Tipo de arquivo' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Remover x.docx' }).click()
  await expect(conversation.getByRole('list', { name: /anexo/ })).toHaveCount(0)
})

test('sem sinal o anexo fica com a legenda, o texto seguinte é outra mensagem; cancelar também não o perde; depois vai uma vez só', async ({
  page,
  isMobile,
  context,
  line,
}) => {
  test.skip(!isMobile, ONE_SIZE)
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  const file = { name: 'proposta.pdf', mimeType: 'application/pdf', buffer: PDF }
  await (await choose(page, conversation, 'Documento')).setFiles(file)
  const caption = `Proposta ${Date.now()}`
  await box.fill(caption)
  await page.route('**/api/messages/media', (route) => route.abort('failed'))
  await send.click()
  const reason = conversation.getByRole('alert').filter({ hasText: 'Tente de novo quando houver sinal.' })
  await expect(reason).toBeVisible()
  await page.unroute('**/api/messages/media')

  // It stands alone with its caption: what is written next is a message of its own, and waits like any.
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
  expect(await rowsOf(line.origin, next)).toHaveLength(1)

  // Closed and opened again, and after a reload that nothing asks about, it is still there.
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

  // The server has it, its answer gets lost: sent again it is the same message.
  await page.route('**/api/messages/media', async (route) => {
    await route.fetch()
    await route.abort('failed')
  })
  await send.click()
  await expect(bubble(lines, caption)).toHaveCount(1)
  await expect(conversation.getByRole('list', { name: /anexo/ })).toHaveCount(0)
  expect(await rowsOf(line.origin, caption)).toHaveLength(1)
})

test('o rascunho é de cada contato e fica depois de recarregar', async ({ page, isMobile }) => {
  test.skip(!isMobile, ONE_SIZE)
  const luciana = await enter(page, 'Luciana Prado')
  await luciana.box.fill('Ainda pensando no que dizer')
  await page.goBack()
  const marina = await openConversation(page, 'Marina Tavares')
  await expect(marina.box).toHaveValue('')
  await marina.box.fill('Para a Marina')
  // No hand reloads before the device has taken the letter.
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

  // Near the limit it says how much is left, and that what was pasted is cut.
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

test('o áudio: um toque grava, ouve-se antes, e vai', async ({ page }) => {
  const { conversation, lines, send } = await enter(page, 'Luciana Prado')
  const before = await lines.getByText('Mensagem de voz').count()
  await conversation.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(conversation.getByRole('timer')).toContainText(PAST_A_SECOND)
  await expectAccessible(page)
  await conversation.getByRole('button', { name: 'Parar' }).click()
  await conversation.getByRole('button', { name: 'Ouvir' }).click()
  await expect(conversation.getByRole('button', { name: 'Pausar' })).toBeVisible()
  await send.click()
  await expect(lines.getByText('Mensagem de voz')).toHaveCount(before + 1)

  await conversation.getByRole('button', { name: 'Gravar áudio' }).focus()
  await page.keyboard.press('Enter')
  await expect(conversation.getByRole('timer')).toBeVisible()
  await conversation.getByRole('button', { name: 'Descartar' }).click()
  await expect(conversation.getByRole('textbox', { name: 'Mensagem' })).toBeVisible()

  // Left while it was recorded, it waits to be sent or thrown away.
  await conversation.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(conversation.getByRole('timer')).toContainText(PAST_A_SECOND)
  await page.goBack()
  const { box } = await openConversation(page, 'Luciana Prado')
  await expect(conversation.getByRole('button', { name: 'Remover Mensagem de voz' })).toBeVisible()
  // Sound has no caption.
  await expect(box).toHaveAccessibleName('Mensagem')
  await conversation.getByRole('button', { name: 'Remover Mensagem de voz' }).click()
  await expect(lines.getByText('Mensagem de voz')).toHaveCount(before + 1)
})

test('o áudio no dedo: solto vai, para a esquerda some, para cima fica gravando', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'gestos do dedo')
  const { conversation, lines } = await enter(page, 'Luciana Prado')
  const before = await lines.getByText('Mensagem de voz').count()
  const finger = await layFinger(page)
  const microphone = conversation.getByRole('button', { name: 'Gravar áudio' })
  const timer = conversation.getByRole('timer')
  const press = async () => {
    const { x, y } = await restOf(microphone)
    await finger.down(x + 22, y + 22)
    await expect(timer).toContainText(PAST_A_SECOND)
  }
  await press()
  await finger.up()
  await expect(lines.getByText('Mensagem de voz')).toHaveCount(before + 1)

  await press()
  await finger.by(-95, 0)
  await expect(timer).toBeVisible()
  await finger.by(-1, 0)
  await expect(timer).toBeHidden()
  await finger.up()

  await press()
  await finger.by(0, -72)
  await finger.up()
  await expect(conversation.getByRole('button', { name: 'Parar' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Enviar', exact: true }).tap()
  await expect(lines.getByText('Mensagem de voz')).toHaveCount(before + 2)

  await press()
  await finger.taken()
  await expect(conversation.getByRole('button', { name: 'Parar' })).toBeVisible()
  await conversation.getByRole('button', { name: 'Descartar' }).tap()
  await expect(lines.getByText('Mensagem de voz')).toHaveCount(before + 2)
})

test('sem licença para o microfone diz o que fazer', async ({ page, isMobile }) => {
  test.skip(!isMobile, ONE_SIZE)
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

test('o que falhou diz por quê e vai de novo; do que ninguém sabe pergunta-se antes', async ({
  page,
  isMobile,
  line,
}) => {
  test.skip(!isMobile, ONE_SIZE)
  const { simulator, origin } = line
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

test('responder, copiar e tirar da fila pelo menu da mensagem', async ({ page, isMobile, context }) => {
  const { conversation, lines, box, send } = await enter(page, 'Luciana Prado')
  const openMenu = async (text: string) => {
    const target = bubble(lines, text).last()
    await target.scrollIntoViewIfNeeded()
    if (!isMobile) {
      await target.hover()
      return target.getByRole('button', { name: 'Opções da mensagem' }).click()
    }
    const finger = await layFinger(page)
    const { x, y } = await restOf(target)
    await finger.down(x + 20, y + 12)
    await expect(page.getByRole('menu', { name: 'Opções da mensagem' })).toBeVisible()
    return finger.up(600)
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
  await page.getByRole('menuitem', { name: 'Excluir da fila' }).click()
  await expect(bubble(lines, waiting)).toHaveCount(0)
  await context.setOffline(false)
})

test('o nome muda onde está; setas andam pelas mensagens', async ({ page, isMobile, line }) => {
  const { conversation, lines } = await enter(page, 'Luciana Prado')
  await conversation.getByRole('button', { name: 'Editar nome' }).click()
  // While it is written, the dialog is named by what is typed.
  const field = page.getByRole('textbox', { name: 'Nome do lead' })
  await field.fill('Luciana P.')
  await field.press('Escape')
  await expect(conversation.getByRole('heading', { name: /Luciana Prado/ })).toBeVisible()
  await conversation.getByRole('button', { name: 'Editar nome' }).click()
  await field.fill('Luciana do Prado')
  await field.press('Enter')
  const renamed = page.getByRole('dialog', { name: /Luciana do Prado/ })
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Editar nome' }).click()
  await field.fill('Luciana Prado')
  await page.keyboard.press('Enter')
  await expect(conversation).toBeVisible()
  // Shown at once, sent a moment later: the stories after this one know her by it.
  await expect.poll(() => namesLike(line.origin, 'Luciana*Prado')).toEqual(['Luciana Prado'])

  if (isMobile) return
  const menus = lines.getByRole('button', { name: 'Opções da mensagem' })
  await expect(lines.locator('[data-line-menu][tabindex="0"]')).toHaveCount(1)
  await menus.last().focus()
  await page.keyboard.press('ArrowUp')
  await expect(menus.nth(-2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'Opções da mensagem' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menus.nth(-2)).toBeFocused()
  await expect(conversation).toBeVisible()
})

test.describe('no escuro, estreito e com letras grandes', () => {
  test.use({ colorScheme: 'dark' })
  test('nada sai da tela', async ({ page, isMobile }) => {
    const { conversation, box } = await enter(page, 'Luciana Prado')
    await expectAccessible(page)
    await (
      await choose(page, conversation, 'Documento')
    ).setFiles({
      name: 'Um nome de arquivo bem comprido que não cabe.pdf',
      mimeType: 'application/pdf',
      buffer: PDF,
    })
    await expectAccessible(page)
    if (isMobile) await page.setViewportSize({ width: 320, height: 568 })
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

/** How many texts the device keeps unsent. */
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
