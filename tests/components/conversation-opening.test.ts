// Opening a conversation from a card, on every phone: upright, narrow, and landscape with the keyboard open.
import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal, leadRow, messageRow } from '#tests/support/components/broker-portal.ts'
import { boxOf, expectApart, onDesk, tap } from '#tests/support/components/device.ts'
import { card, openBoard, title } from '#tests/support/components/phone-board.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const MARINA = 'Marina Tavares'
const conversation = page.getByRole('dialog', { name: MARINA })
const writing = page.getByRole('textbox', { name: 'Mensagem' })
const TEXT = 'POST /api/messages/text'

/** One message of the lead, and a portal that accepts messages. */
function talk({ network }: ReturnType<typeof brokerPortal>) {
  const first = messageRow({ body: 'Ainda tem a unidade com varanda?' })
  network.on('GET /rest/v1/whatsapp_messages', () => [first])
  network.on('GET /rest/v1/quick_replies', () => [])
  network.on('POST /rest/v1/rpc/erased_leads', () => [])
  network.on(TEXT, ({ body }) => ({
    message: { ...first, id: 2, type: 'outgoing', body: body['text'], operation_id: body['operationId'] },
  }))
}

async function openOnPhone() {
  const { portal, pointer } = await openBoard()
  talk(portal)
  await tap(card(MARINA).getByText('Bom dia!'))
  await expect.element(conversation).toBeVisible()
  await expect.element(writing).toBeVisible()
  return { portal, pointer }
}

test('um toque no cartão abre a conversa', async () => {
  await openOnPhone()
  await expect.element(conversation.getByText('Ainda tem a unidade com varanda?')).toBeVisible()
})

test.runIf(isDeepRun)(
  'quem veio por um formulário e ainda não escreveu: como chegou, e o que deixou',
  async () => {
    const { portal } = await openBoard()
    talk(portal)
    portal.network.on('GET /rest/v1/whatsapp_messages', () => [])
    await tap(card(MARINA).getByText('Bom dia!'))
    const arrival = page.getByRole('region', { name: 'Como o lead chegou' })
    await expect.element(arrival).toHaveTextContent('Bom dia! Ainda tem a unidade?')
    await expect
      .element(arrival)
      .toHaveTextContent(/^Chegou por Instagram · Mirante do Lago · hoje, \d\d:\d\d/)
    await writing.fill('Tem sim!')
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await expect.element(conversation.getByText('Tem sim!')).toBeVisible()
  },
)

test.runIf(isDeepRun)('os botões do cartão fazem só o que dizem', async () => {
  await openBoard()
  await tap(card(MARINA).getByRole('button', { name: 'Notas' }))
  await expect.element(page.getByRole('textbox', { name: 'Notas do Lead' })).toBeVisible()
  await expect.element(conversation).not.toBeInTheDocument()
})

test.runIf(isDeepRun)('na mesa um clique em qualquer lugar do cartão abre a conversa', async () => {
  const portal = brokerPortal()
  talk(portal)
  await onDesk()
  await openApp('/broker', portal.network, CAMILA)
  await card(MARINA).getByText('Bom dia!').click()
  await expect.element(conversation).toBeVisible()
})

test.runIf(isDeepRun)(
  'a busca responde em todos os seus 44 px, embora o título do estágio ao lado passe por cima',
  async () => {
    await openBoard()
    await expect.element(title).toBeVisible()
    const [, beside] = document.querySelectorAll('[data-title]')
    const missed: string[] = []
    let crossed = 0
    // The add button is beside the search, below the title's overlap.
    for (const name of ['Buscar contato', 'Adicionar lead']) {
      const button = page.getByRole('button', { name })
      const { left, top, width, height } = boxOf(button)
      expect([name, width, height]).toEqual([name, 44, 44])
      if ((beside?.getBoundingClientRect().right ?? 0) > left) crossed += 1
      // Without the rounded corners.
      for (let x = 6; x <= width - 6; x += 4) {
        for (let y = 1; y < height; y += 4) {
          const found = document.elementFromPoint(left + x, top + y)
          if (!button.element().contains(found)) missed.push(`${name} ${x},${y}: ${found?.textContent}`)
        }
      }
    }
    expect(missed).toEqual([])
    expect(crossed, 'a title lies over them').toBeGreaterThan(0)
  },
)

test.each([390, 360, 320])('a %i px nada no cabeçalho da conversa se sobrepõe', async (width) => {
  const { portal } = await openBoard([leadRow(1, { name: 'Maria Aparecida dos Santos Albuquerque' })])
  talk(portal)
  await page.viewport(width, 844)
  await tap(card('Maria Aparecida'))
  const dialog = page.getByRole('dialog', { name: /Maria Aparecida/ })
  await expect.element(dialog).toBeVisible()
  const parts = [
    ...['Fechar', /^Status/, /^Opções de/].map((name) => dialog.getByRole('button', { name })),
    dialog.getByRole('link', { name: /^Ligar para/ }),
  ]
  const name = dialog.getByText('Maria Aparecida dos Santos Albuquerque', { exact: true })
  const boxes = [...parts, name].map(boxOf)
  expectApart(boxes)
  for (const { left, width: own } of boxes) expect(left + own).toBeLessThanOrEqual(width)
})

test.runIf(isDeepRun).each([390, 360])(
  'a %i px um nome de duas palavras fica numa linha, e ligar é um toque',
  async (width) => {
    await openOnPhone()
    await page.viewport(width, 640)
    const name = conversation.getByText(MARINA, { exact: true })
    expect(boxOf(name).height).toBeLessThan(24)
    expect(name.element().scrollWidth).toBe(name.element().clientWidth)
    expect(conversation.element().querySelector('header')?.clientHeight).toBeLessThanOrEqual(58)
    const call = conversation.getByRole('link', { name: `Ligar para ${MARINA}` })
    // Laid out, not drawn: the sheet that still slides in draws it by a fraction larger.
    const { offsetWidth, offsetHeight } = call.element() as HTMLElement
    expect([offsetWidth, offsetHeight]).toEqual([44, 44])
    expect(call.element().getAttribute('href')).toBe('tel:+5511950000001')
  },
)

test.runIf(isDeepRun)('o lápis do nome é visto no telefone, e o nome muda ali', async () => {
  const { portal } = await openOnPhone()
  const pencil = conversation.getByRole('button', { name: 'Editar nome' })
  expect(isSeen(pencil)).toBe(true)
  await pencil.click()
  const field = page.getByRole('textbox', { name: 'Nome do lead' })
  await field.fill('Marina Souza')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Marina Souza' })).toBeVisible()
  await expect.poll(() => portal.lead(1)?.name).toBe('Marina Souza')
})

test.runIf(isDeepRun)('{nome} escrito na conversa sai como o primeiro nome de quem a lê', async () => {
  const { portal } = await openOnPhone()
  await writing.fill('Bom dia, {nome}! Sábado às 10h?')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect
    .poll(() => portal.network.bodiesOf(TEXT).map(({ text }) => text))
    .toEqual(['Bom dia, Marina! Sábado às 10h?'])
})

test.runIf(isDeepRun)('deitado e com o teclado aberto uma mensagem e a caixa cabem na tela', async () => {
  await openOnPhone()
  await page.viewport(915, 190)
  const line = conversation.getByText('Ainda tem a unidade com varanda?')
  await expect.poll(() => fits(line)).toBe(true)
  await expect.poll(() => fits(writing)).toBe(true)
  expect(boxOf(line).top + boxOf(line).height).toBeLessThanOrEqual(boxOf(writing).top)
  expect(boxOf(conversation.getByRole('button', { name: 'Fechar' })).height).toBe(44)
})

/** Whether part of it is visible. */
function isSeen(locator: Locator): boolean {
  const picture = locator.element().querySelector('svg')
  return (picture?.getBoundingClientRect().width ?? 0) > 0
}

function fits(locator: Locator): boolean {
  const { top, height } = boxOf(locator)
  return top >= 0 && top + height <= innerHeight
}
