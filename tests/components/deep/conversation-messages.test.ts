// A conversation on the phone: photos before loading, voice messages, the time in the last line, a swipe that replies.
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { leadRow, messageRow } from '#tests/support/components/broker-portal.ts'
import { boxOf, restOf, tap } from '#tests/support/components/device.ts'
import { conversation, MARINA, openWith, silence } from '#tests/support/components/conversation.ts'
import { openBoard } from '#tests/support/components/phone-board.ts'
import { EMPTY_SHEET } from '#tests/support/components/broker-portal.ts'

const MUTE = 'POST /rest/v1/rpc/lead_mute'
const FINISH = 'POST /rest/v1/rpc/action_finish'
const REACT = 'POST /rest/v1/rpc/message_react'
/** 1 px, a minimal replacement for WhatsApp's previews. */
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k='

/** The browser's error when the user denies the location. */
const DENIED = { code: { value: 1 }, PERMISSION_DENIED: { value: 1 } }

test('uma foto ainda não baixada mostra a miniatura que veio com ela, e o tamanho', async () => {
  await openWith([
    {
      kind: 'image',
      content: { mimeType: 'image/jpeg', sizeBytes: 182_272, width: 400, height: 300, preview: JPEG },
    },
  ])
  const offer = conversation.getByRole('button', { name: 'Ver foto · 178 KB' })
  await expect.element(offer).toBeVisible()
  const image = offer.element().querySelector('img')
  expect(image?.src).toBe(`data:image/jpeg;base64,${JPEG}`)
  await expect.poll(() => image?.naturalWidth).toBe(1)
  expect(image && getComputedStyle(image).filter).toBe('none')
})

/** A picture served by the page, as the portal would serve it. */
const fileAt = (url: string, fileName: string | null = null) => ({ url, mimeType: 'image/jpeg', fileName })

test('uma foto baixada abre do tamanho da janela, e Voltar só fecha a foto', async () => {
  const { portal, pointer } = await openWith([
    { kind: 'image', content: { mimeType: 'image/jpeg', width: 400, height: 300, preview: JPEG } },
  ])
  portal.network.on('POST /api/messages/1/media', () => fileAt(`data:image/jpeg;base64,${JPEG}`))
  const offer = conversation.getByRole('button', { name: 'Ver foto' })
  await expect.element(offer).toBeVisible()
  offer.element().focus()
  await userEvent.keyboard('{Enter}')
  const photo = conversation.getByRole('button', { name: 'Ampliar foto' })
  await expect.element(photo).toHaveFocus()
  await tap(photo)
  const viewer = page.getByRole('dialog', { name: 'Foto' })
  const large = viewer.getByRole('img', { name: 'Foto' })
  await expect.element(large).toBeVisible()
  await expectAccessible()
  // The photo viewer has its own gestures: swiping over it replies to nothing.
  const { left, middle } = await restOf(large)
  await pointer.down(left + 100, middle)
  await pointer.to(left + 250, middle)
  await pointer.up()
  history.back()
  await expect.element(viewer).not.toBeInTheDocument()
  await expect.element(conversation).toBeVisible()
  expect(page.getByRole('button', { name: 'Não responder a esta mensagem' }).elements()).toEqual([])
  await expect.element(photo).toHaveFocus()
})

test('uma foto que o depósito não dá agora diz por quê, e Tentar de novo a traz', async () => {
  const { portal } = await openWith([{ kind: 'image', content: { mimeType: 'image/jpeg' } }])
  const message = 'As mídias não respondem agora. Tente de novo em instantes.'
  const answers = [
    fileAt('data:image/jpeg;base64,x'),
    Response.json({ error: { code: 'media.store-away', message } }, { status: 503 }),
    fileAt(`data:image/jpeg;base64,${JPEG}`),
  ]
  portal.network.on('POST /api/messages/1/media', () => answers.shift())
  await tap(conversation.getByRole('button', { name: /^Ver foto/ }))
  const again = conversation.getByRole('button', { name: `${message} Tentar de novo` })
  await expect.element(again).toBeVisible()
  await tap(again)
  await expect.element(conversation.getByRole('button', { name: 'Ampliar foto' })).toBeVisible()
})

test('um álbum é uma grade de até quatro fotos, e cada uma abre na galeria, que anda entre todas', async () => {
  const content = { mimeType: 'image/jpeg', width: 400, height: 300, preview: JPEG, albumId: 'HEAD' }
  const { portal } = await openWith(
    Array.from({ length: 6 }, (_, at) => ({
      kind: 'image',
      content,
      body: at === 0 ? 'Meu apartamento' : '',
    })),
  )
  for (let id = 1; id <= 6; id++)
    portal.network.on(`POST /api/messages/${id}/media`, () => fileAt(`data:image/jpeg;base64,${JPEG}`))
  const album = conversation.getByRole('group', { name: 'Álbum, 6 fotos' })
  await expect.element(album).toBeVisible()
  expect(album.getByRole('button').elements()).toHaveLength(4)
  await expect.element(album.getByText('+2')).toBeVisible()
  await expect.element(conversation.getByText('Meu apartamento')).toBeVisible()
  await expectAccessible()
  const tile = album.getByRole('button', { name: 'Foto 3 de 6' })
  await tap(tile)
  const viewer = page.getByRole('dialog', { name: '3 de 6' })
  await expect.element(viewer.getByRole('img', { name: 'Foto' })).toBeVisible()
  await viewer.getByRole('button', { name: 'Próxima' }).click()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  const last = page.getByRole('dialog', { name: '6 de 6' })
  await expect.element(last.getByRole('button', { name: 'Próxima' })).toBeDisabled()
  await expectAccessible()
  history.back()
  await expect.element(last).not.toBeInTheDocument()
  await expect.element(conversation).toBeVisible()
})

test('uma ligação perdida tem como ligar de volta; uma nota é uma linha, que não convida a nada', async () => {
  await openWith([
    { body: 'Oi' },
    { kind: 'call', body: 'Ligação perdida', content: { isAnswered: false, isVideo: false } },
    { type: 'note', kind: 'note', content: { name: 'pinInChatMessage', isOwn: false } },
  ])
  await expect.element(conversation.getByText(/^Ligação perdida · \d\d:\d\d$/)).toBeVisible()
  const back = conversation.getByRole('link', { name: 'Ligar de volta' })
  expect(back.element().getAttribute('href')).toMatch(/^tel:\+55\d{11}$/)
  await expect.element(conversation.getByText(/fixou uma mensagem/)).toBeVisible()
  await expectAccessible()
})

test('um documento é pedido de novo a cada toque, e um duplo toque baixa um só', async () => {
  const { portal } = await openWith([{ kind: 'document', content: { fileName: 'tabela.pdf', sizeBytes: 9 } }])
  let asked = 0
  portal.network.on('POST /api/messages/1/media', () => fileAt(`blob:gone-${++asked}`, 'tabela.pdf'))
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: {
    href: string
  }) {
    saved.push(this.href)
  })
  const offer = conversation.getByRole('button', { name: /^tabela\.pdf/ })
  await expect.element(offer).toBeVisible()
  const button = offer.element() as HTMLElement
  button.click()
  await expect.element(offer).toHaveAttribute('aria-busy', 'true')
  button.click()
  await expect.poll(() => saved).toEqual(['blob:gone-1'])
  await expect.element(offer).toHaveAttribute('aria-busy', 'false')
  button.click()
  await expect.poll(() => saved).toEqual(['blob:gone-1', 'blob:gone-2'])
  click.mockRestore()
})

test('um vídeo pedido toca sem um segundo toque', async () => {
  const { portal } = await openWith([{ kind: 'video', content: { mimeType: 'video/mp4', seconds: 4 } }])
  portal.network.on('POST /api/messages/1/media', () => ({
    ...fileAt(''),
    url: URL.createObjectURL(silence()),
  }))
  await tap(conversation.getByRole('button', { name: /^Ver vídeo/ }))
  await expect.poll(() => document.querySelector('video')?.autoplay).toBe(true)
})

test('um toque na citação leva à mensagem citada, também a uma antiga, e ela se destaca', async () => {
  const quoted = { messageId: 'WA-1', isOwn: false, kind: 'text', body: 'Tem varanda?' }
  const line = { id: 900, body: 'Tem varanda?', timestamp: 1_700_000_000, message_id: 'WA-1' }
  await openWith(
    [
      ...Array.from({ length: 49 }, (_, at) => ({ body: `Linha ${at}` })),
      { type: 'outgoing', delivery: 'sent', body: 'Tem, gourmet.', quoted },
    ],
    undefined,
    [messageRow(line)],
  )
  await tap(conversation.getByRole('button', { name: 'Ir à mensagem citada: Marina Tavares Tem varanda?' }))
  const bubble = () =>
    [...document.querySelectorAll('.bubble')].find(({ textContent }) =>
      textContent?.startsWith('Tem varanda?'),
    )
  await expect.poll(() => bubble()?.classList.contains('bubble-found')).toBe(true)
  await expect.poll(() => bubble()?.classList.contains('bubble-found')).toBe(false)
  expect(bubble()?.getBoundingClientRect().top).toBeGreaterThan(0)
})

test('a hora fica na última linha do balão, e um balão de uma linha tem 36 px', async () => {
  await openWith([{ body: 'Ok' }])
  const time = conversation.getByRole('time')
  await expect.element(time).toBeVisible()
  const text = conversation.getByText('Ok', { exact: false }).first()
  const bubble = time.element().closest('.bubble')?.getBoundingClientRect()
  expect(bubble?.height).toBeGreaterThan(33)
  expect(bubble?.height).toBeLessThan(38)
  expect(boxOf(time).top).toBeGreaterThanOrEqual(boxOf(text).top)
})

test('uma enquete mostra a pergunta e as escolhas, uma por linha, acessível', async () => {
  await openWith([{ body: 'Enquete: Qual dia prefere?\n• Sábado\n• Domingo' }])
  const poll = conversation.getByText('Enquete: Qual dia prefere?', { exact: false }).first()
  await expect.element(poll).toBeVisible()
  const lines = poll.element().closest('p')
  expect(lines?.innerText).toContain('Enquete: Qual dia prefere?\n• Sábado\n• Domingo')
  await expectAccessible()
})

test('um áudio vira texto quando se pede, e diz que foi a máquina que ouviu', async () => {
  await openWith([{ kind: 'audio', content: { mimeType: 'audio/ogg', seconds: 23, isVoice: true } }])
  await conversation.getByRole('button', { name: 'Transcrever' }).click()
  await expect.element(conversation.getByText('Quero visitar sábado.')).toBeVisible()
  await expect.element(conversation.getByText('Transcrição automática, pode ter erros')).toBeVisible()
})

test('arrastar um balão para a direita responde a ele; pouco, não', async () => {
  const { pointer } = await openWith([{ body: 'Tem 3 quartos?' }])
  const line = conversation.getByText('Tem 3 quartos?')
  const { left, middle: y } = await restOf(line)
  const answering = conversation.getByRole('button', { name: 'Não responder a esta mensagem' })
  await pointer.down(left + 20, y)
  await pointer.to(left + 50, y)
  await pointer.up()
  await expect.element(answering).not.toBeInTheDocument()
  await pointer.down(left + 20, y)
  await pointer.to(left + 90, y)
  await pointer.up()
  await expect.element(answering).toBeVisible()
})

test('uma mensagem é encaminhada a outro lead próprio, depois de perguntar', async () => {
  const { portal } = await openWith([{ body: 'Entrega em março de 2027' }])
  portal.network.on('POST /api/messages/text', ({ body }) => ({
    message: messageRow({ id: 90, body: body['text'], type: 'outgoing' }),
  }))
  const options = conversation.getByRole('button', { name: 'Opções da mensagem' })
  await expect.element(options).toBeInTheDocument()
  options.element().focus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('menuitem', { name: 'Encaminhar' }).click()
  const choice = page.getByRole('dialog', { name: 'Encaminhar para' })
  await expect.element(choice).toBeVisible()
  expect(choice.getByRole('button', { name: MARINA }).elements()).toEqual([])
  await expectAccessible()
  await choice.getByRole('searchbox', { name: 'Buscar contato' }).fill('luciana')
  await choice.getByRole('button', { name: /^Luciana Prado/ }).click()
  await page.getByRole('button', { name: 'Encaminhar', exact: true }).click()
  await expect
    .poll(() => portal.network.bodiesOf('POST /api/messages/text').map(({ text }) => text))
    .toEqual(['Entrega em março de 2027'])
})

test('uma foto é encaminhada com um pedido, sem baixar nada', async () => {
  const { portal } = await openWith([{ kind: 'image', content: { mimeType: 'image/jpeg', sizeBytes: 9 } }])
  portal.network.on('POST /api/messages/forward', () => ({
    message: messageRow({ id: 90, type: 'outgoing', kind: 'image', content: {} }),
  }))
  const options = conversation.getByRole('button', { name: 'Opções da mensagem' })
  await expect.element(options).toBeInTheDocument()
  options.element().focus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('menuitem', { name: 'Encaminhar' }).click()
  await page.getByRole('button', { name: /^Luciana Prado/ }).click()
  await expect.element(page.getByText('Foto', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Encaminhar', exact: true }).click()
  await expect
    .poll(() => portal.network.bodiesOf('POST /api/messages/forward').map((body) => body['messageId']))
    .toEqual([1])
  await expect.element(page.getByText('Encaminhada para Luciana Prado')).toBeVisible()
})

test('um balão recebe uma reação, que muda e sai; cada uma vai ao portal, na ordem', async () => {
  const { portal } = await openWith([{ body: 'Adorei a planta' }])
  portal.network.on(REACT, () => ({ success: true, code: 'saved', message: null }))
  const react = async (name: string) => {
    const options = conversation.getByRole('button', { name: 'Opções da mensagem' })
    options.element().focus()
    await userEvent.keyboard('{Enter}')
    await page.getByRole('menuitemradio', { name: `Reagir com ${name}` }).click()
  }
  await expect.element(conversation.getByRole('button', { name: 'Opções da mensagem' })).toBeInTheDocument()
  await react('joinha')
  await expect.element(conversation.getByText('👍')).toBeVisible()
  await react('coração')
  await expect.element(conversation.getByText('❤️')).toBeVisible()
  expect(conversation.getByText('👍').elements()).toEqual([])
  await react('coração')
  await expect.element(conversation.getByText('❤️')).not.toBeInTheDocument()
  await expect
    .poll(() => portal.network.bodiesOf(REACT).map((body) => [body['p_message_id'], body['p_emoji']]))
    .toEqual([
      [1, '👍'],
      [1, '❤️'],
      [1, ''],
    ])
})

test('um contato e a localização saem do menu de anexar; sem permissão, diz onde liberar', async () => {
  const { portal } = await openWith([{ body: 'Quem me recebe aí?' }])
  const answer = ({ body }: { body: Record<string, unknown> }) => ({
    message: messageRow({ id: 90, body: body['text'], type: 'outgoing' }),
  })
  portal.network.on('POST /api/messages/contact', answer)
  portal.network.on('POST /api/messages/location', answer)
  const attach = async (label: string) => {
    await page.getByRole('button', { name: 'Anexar arquivo' }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await attach('Contato')
  const sheet = page.getByRole('dialog', { name: 'Enviar contato' })
  await expect.element(sheet).toBeVisible()
  await expectAccessible()
  await sheet.getByRole('button', { name: 'Enviar contato' }).click()
  await expect.element(sheet.getByText('Informe o nome.')).toBeVisible()
  await sheet.getByRole('textbox', { name: 'Nome' }).fill('Rui Prado')
  await sheet.getByRole('textbox', { name: 'Telefone' }).fill('(11) 95550-0777')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => portal.network.bodiesOf('POST /api/messages/contact').map(({ contacts }) => contacts))
    .toEqual([[{ name: 'Rui Prado', phones: ['5511955500777'] }]])

  const find = vi.spyOn(navigator.geolocation, 'getCurrentPosition')
  find.mockImplementation((found) =>
    found({ coords: { latitude: -23.5613, longitude: -46.6565 } } as GeolocationPosition),
  )
  const confirm = async () => {
    await attach('Local')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  }
  await confirm()
  await expect
    .poll(() => portal.network.bodiesOf('POST /api/messages/location').map(({ place }) => place))
    .toMatchObject([{ latitude: -23.5613, longitude: -46.6565 }])
  find.mockImplementation((_, refuse) => refuse?.(Object.create(GeolocationPositionError.prototype, DENIED)))
  await confirm()
  await expect.element(page.getByText(/^A localização está bloqueada/)).toBeVisible()
})

test('o menu leva ao lugar da visita, silencia o contato e desfaz no mesmo lugar', async () => {
  const visit = {
    id: 4,
    op: null,
    kind: 'visit' as const,
    due: Math.floor(Date.now() / 1000) + 86_400,
    note: 'Av. Brasil, 40',
  }
  const { portal } = await openWith([], leadRow(1, { name: MARINA, next: [visit] }))
  const openMap = vi.spyOn(window, 'open').mockReturnValue(null)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: `Opções de ${MARINA}` }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await choose('Rota')
  expect(openMap.mock.calls[0]?.[0]).toBe(
    'https://www.google.com/maps/search/?api=1&query=Av.%20Brasil%2C%2040',
  )
  await choose('Silenciar')
  await expect.element(page.getByText('Sem avisos do que este contato escreve.')).toBeVisible()
  await choose('Tirar do silêncio')
  await expect.element(page.getByText('Avisos deste contato ligados.')).toBeVisible()
  expect(portal.network.bodiesOf(MUTE).flatMap((body) => body['p_is_muted'] ?? [])).toEqual([true, false])
})

test('o menu leva à nota, pronta para escrever, e tira da espera quem não precisa de resposta', async () => {
  const { portal } = await openWith([{ body: 'Obrigada!' }])
  portal.network.on('POST /rest/v1/rpc/lead_sheet', () => EMPTY_SHEET)
  portal.network.on(FINISH, () => ({ success: true, code: 'saved', message: null, action_id: 1 }))
  const choose = async (name: string) => {
    await page.getByRole('button', { name: `Opções de ${MARINA}` }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await choose('Nota')
  const note = page.getByRole('textbox', { name: 'Nota' })
  await expect.element(note).toBeVisible()
  await note.fill('Volta em março')
  await page
    .getByRole('dialog', { name: MARINA, exact: true })
    .last()
    .getByRole('button', { name: 'Fechar', exact: true })
    .click()
  await expect
    .poll(() => portal.network.bodiesOf('POST /rest/v1/rpc/save_lead_notes').map((body) => body['p_notes']))
    .toEqual(['Volta em março'])
  await choose('Não precisa de resposta')
  await expect
    .poll(() => portal.network.bodiesOf(FINISH).map((body) => body['p_outcome']))
    .toEqual(['not_needed'])
})

test('ao lado de um estágio de nome largo o número fica numa linha, e o que não cabe se vê que falta', async () => {
  await openBoard(
    [leadRow(1, { name: MARINA, number: '5511955500142', status: 'arquivado' })],
    '/broker?lead=1',
  )
  const number = conversation.getByText('(11) 95550-0142')
  await expect.element(number).toBeVisible()
  const { height } = boxOf(number)
  expect(height).toBeLessThan(24)
  expect(getComputedStyle(number.element()).textOverflow).toBe('ellipsis')
})

test('sem visita marcada não há rota', async () => {
  await openWith([{ body: 'Oi' }])
  await page.getByRole('button', { name: `Opções de ${MARINA}` }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Silenciar' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'Rota' }).elements()).toEqual([])
})

test('a busca na conversa acha palavras sem acento, anda entre elas e fecha com Esc', async () => {
  await openWith([
    { body: 'Tem varanda? E qual o preço?' },
    ...Array.from({ length: 30 }, (_, at) => ({ body: `Linha ${at}` })),
    { body: 'O preco muda em março' },
  ])
  await conversation.getByRole('button', { name: /^Opções de/ }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  const field = conversation.getByRole('searchbox', { name: 'Buscar na conversa' })
  await expect.element(field).toHaveFocus()
  const close = boxOf(conversation.getByRole('button', { name: 'Fechar busca' }))
  expect(close.left + close.width).toBeLessThanOrEqual(innerWidth)
  await field.fill('PREÇO')
  await expect.element(conversation.getByText('1 de 2')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(conversation.getByText('2 de 2')).toBeVisible()
  await expect.element(conversation.getByText('Tem varanda? E qual o preço?')).toBeInViewport()
  await expectAccessible()
  await field.fill('piscina')
  await expect.element(conversation.getByText('Nada encontrado')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(field).not.toBeInTheDocument()
  await expect.element(conversation).toBeVisible()
})

test('Voltar na busca dentro da conversa fica na conversa', async () => {
  await openWith([{ body: 'Tem varanda?' }])
  await conversation.getByRole('button', { name: /^Opções de/ }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  const field = conversation.getByRole('searchbox', { name: 'Buscar na conversa' })
  await expect.element(field).toHaveFocus()
  history.back()
  await expect.element(field).not.toBeInTheDocument()
  await expect.element(conversation.getByText('Tem varanda?')).toBeVisible()
  history.back()
  await expect.element(conversation).not.toBeInTheDocument()
})
