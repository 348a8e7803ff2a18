// 'Material': found, chosen and sent in three taps, without a signal too; interests on the lead's sheet.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { packIndex, type MaterialRecord } from '#domain/development/material-index.ts'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'
import { BARE_MIRANTE } from '#tests/support/make-app.ts'

const INDEX = 'GET /api/developments/material'
const SEND = 'POST /rest/v1/rpc/material_send'

const file = { title: null, width: null, height: null, addedAt: '2026-11-21T12:00:00Z', sizeBytes: 317_440 }
const MIRANTE: MaterialRecord = {
  ...BARE_MIRANTE,
  license: 'CRECI 12345-J',
  slug: null,
  unitsAvailable: 12,
  priceFromCents: 41_200_000,
  pricedOn: '2026-11-21',
  validUntil: '2099-11-30',
  media: [
    { ...file, id: 11, kind: 'foto', mimeType: 'image/jpeg', fileName: 'f.jpg', title: 'Fachada' },
    { ...file, id: 12, kind: 'foto', mimeType: 'image/jpeg', fileName: 'f.jpg', title: 'Sala' },
    { ...file, id: 8, kind: 'tabela', mimeType: 'application/pdf', fileName: 'Tabela Mirante do Lago.pdf' },
    { ...file, id: 7, kind: 'book', mimeType: 'application/pdf', fileName: 'Book.pdf' },
  ],
}
const VISTA = {
  ...MIRANTE,
  id: 4,
  unitsAvailable: null,
  name: 'Vista Serrana',
  district: 'São Bento',
  validUntil: '2026-11-15',
}

const sheet = page.getByRole('dialog', { name: /^(Material|Mirante do Lago|Vista Serrana)$/ }).last()
const send = sheet.getByRole('button', { name: /^Enviar / })

async function openConversation() {
  const { portal } = await openBoard()
  const { network } = portal
  network.on(INDEX, () => ({ stamp: 'one', index: packIndex([MIRANTE, VISTA]) }))
  network.on(SEND, ({ body }) => {
    const things = body['p_things'] as { operationId: string }[]
    return { code: 'saved', message: null, gone: [], messages: things.map((_, at) => 900 + at) }
  })
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await expect.element(page.getByRole('button', { name: 'Anexar arquivo' })).toBeVisible()
  return network
}

async function openMaterial() {
  const network = await openConversation()
  await page.getByRole('button', { name: 'Anexar arquivo' }).click()
  await page.getByRole('menuitem', { name: 'Material' }).click()
  await expect.element(sheet).toBeVisible()
  return network
}

test('o empreendimento do lead abre com capa, tabela e local, e sai no terceiro toque', async () => {
  const network = await openMaterial()
  await expect.element(sheet.getByRole('heading', { name: 'Mirante do Lago' })).toBeVisible()
  await expect
    .element(sheet.getByText('Jardim Botânico · em obras · entrega mar/2028 · 12 disponíveis'))
    .toBeVisible()
  await expect.element(sheet.getByText('Foto, tabela e local. Até 4 de cada vez.')).toBeVisible()
  await expect.element(sheet.getByRole('button', { name: 'Fachada, escolhida, 1ª de 3' })).toBeVisible()
  await expectAccessibleInBoth()
  await send.click()
  await expect
    .poll(() => network.bodiesOf(SEND))
    .toMatchObject([
      {
        p_development_id: 3,
        p_things: [
          {
            kind: 'image',
            fileId: 11,
            text: 'Mirante do Lago · Jardim Botânico\na partir de R$ 412 mil\nPreço da tabela de 21/11\nCRECI 12345-J',
          },
          { kind: 'document', fileId: 8, text: '' },
          { kind: 'location', fileId: null },
        ],
      },
    ])
})

test('sem sinal a lista, a busca e o envio funcionam: as mensagens ficam na fila, em ordem', async () => {
  const network = await openMaterial()
  await sheet.getByRole('button', { name: 'Todos os empreendimentos' }).click()
  network.on(INDEX, () => Response.error())
  network.on(SEND, () => Response.error())
  const row = (name: RegExp) => sheet.getByRole('button', { name })
  await expect
    .element(row(/Mirante do Lago/).getByText('Jardim Botânico · em obras · 12 disponíveis'))
    .toBeVisible()
  await expect.element(row(/Vista Serrana/)).not.toHaveTextContent('dispon')
  await sheet.getByPlaceholder('Nome ou bairro').fill('sao bento')
  await row(/Vista Serrana/).click()
  await sheet.getByRole('button', { name: /^Fachada/ }).click()
  await expect.element(sheet.getByText('Tabela e local. Até 4 de cada vez.')).toBeVisible()
  await send.click()
  const log = page.getByRole('log')
  await expect.element(log.getByText('Estande Mirante do Lago')).toBeVisible()
  const text = () => log.element().textContent
  expect(text().indexOf('Tabela Mirante do Lago.pdf')).toBeLessThan(text().indexOf('Estande Mirante do Lago'))
  await expect.poll(() => network.bodiesOf(SEND).length).toBeGreaterThan(0)
  network.on(SEND, () => ({ code: 'saved', message: null, gone: [], messages: [901, 902] }))
  dispatchEvent(new Event('online'))
  await expect.poll(() => network.bodiesOf(SEND).length).toBeGreaterThan(1)
  expect(new Set(network.bodiesOf(SEND).map((body) => body['p_operation_id'])).size).toBe(1)
})

test('um preço vencido só sai depois da pergunta, e sem o preço', async () => {
  const network = await openMaterial()
  await sheet.getByRole('button', { name: 'Todos os empreendimentos' }).click()
  await sheet.getByRole('button', { name: /Vista Serrana/ }).click()
  await expect.element(sheet.getByText('venceu 15/11')).toBeVisible()
  await send.click()
  await expect.element(page.getByText('O preço venceu em 15/11. Enviar sem o preço?')).toBeVisible()
  expect(network.bodiesOf(SEND)).toEqual([])
  await page.getByRole('button', { name: 'Enviar sem preço' }).click()
  await expect
    .poll(() => network.bodiesOf(SEND)[0]?.['p_things'])
    .toMatchObject([{ text: 'Vista Serrana · São Bento\nCRECI 12345-J' }, {}, {}])
})

test('a legenda muda antes do envio; a quinta escolha é recusada; o teclado envia', async () => {
  const network = await openMaterial()
  await sheet.getByRole('button', { name: /^Sala/ }).click()
  await sheet.getByRole('button', { name: /^Book/ }).click()
  await expect.element(sheet.getByText('Até 4 de cada vez.', { exact: true })).toHaveClass('text-warning')
  await sheet.getByRole('button', { name: 'Editar legenda' }).click()
  await sheet.getByRole('textbox', { name: 'Legenda: Fachada' }).fill('Olha que vista!')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => network.bodiesOf(SEND)[0]?.['p_things'])
    .toMatchObject([{ text: 'Olha que vista!' }, {}, {}, { fileId: 12, text: '' }])
})

test('o que mudou na tabela não sai: a conversa oferece a nova, e um toque a manda', async () => {
  const network = await openMaterial()
  const gone = (body: Record<string, unknown>) =>
    (body['p_things'] as { operationId: string }[]).map(({ operationId }) => operationId)
  network.on(SEND, ({ body }) => ({
    code: 'gone',
    message: 'A tabela mudou.',
    gone: gone(body),
    messages: [],
  }))
  await send.click()
  const log = page.getByRole('log')
  await expect.element(log.getByText('A tabela mudou.')).toBeVisible()
  await expect.element(log.getByRole('button', { name: 'Tentar de novo' })).not.toBeInTheDocument()
  await expectAccessibleInBoth()
  expect(network.bodiesOf(SEND)[0]?.['p_things']).toMatchObject([
    { fileKind: 'foto', price: { cents: 41_200_000, pricedOn: '2026-11-21' } },
    { fileId: 8, fileKind: 'tabela' },
    {},
  ])

  const now = {
    ...MIRANTE,
    priceFromCents: 43_000_000,
    pricedOn: '2026-11-23',
    media: [...MIRANTE.media.filter(({ id }) => id !== 8), { ...MIRANTE.media[2]!, id: 20 }],
  }
  network.on(INDEX, () => ({ stamp: 'two', index: packIndex([now, VISTA]) }))
  network.on(SEND, () => ({ code: 'saved', message: null, gone: [], messages: [901, 902, 903] }))
  await log.getByRole('button', { name: 'Enviar a nova' }).click()
  await expect
    .poll(() => network.bodiesOf(SEND)[1]?.['p_things'])
    .toMatchObject([
      { fileId: 11, text: expect.stringContaining('R$ 430 mil\nPreço da tabela de 23/11') },
      { fileId: 20 },
      { kind: 'location' },
    ])
  await expect.element(log.getByText('A tabela mudou.')).not.toBeInTheDocument()
})

test('o que saiu do cadastro pode ser descartado de uma vez', async () => {
  const network = await openMaterial()
  network.on(SEND, ({ body }) => ({
    code: 'gone',
    message: 'Este material saiu do cadastro. Escolha de novo em Material.',
    gone: (body['p_things'] as { operationId: string }[]).map(({ operationId }) => operationId),
    messages: [],
  }))
  await send.click()
  const log = page.getByRole('log')
  await expect.element(log.getByText(/saiu do cadastro/)).toBeVisible()
  network.on(INDEX, () => ({ stamp: 'two', index: packIndex([VISTA]) }))
  await log.getByRole('button', { name: 'Enviar a nova' }).click()
  await expect.element(page.getByText(/não tem mais este material/)).toBeVisible()
  await log.getByRole('button', { name: 'Descartar' }).click()
  await expect.element(log.getByText('Estande Mirante do Lago')).not.toBeInTheDocument()
})

test('interesses entram e saem na ficha do lead', async () => {
  const network = await openConversation()
  network.on('POST /rest/v1/rpc/lead_sheet', () => Response.error())
  network.on('POST /rest/v1/rpc/interest_add', () => ({ code: 'saved', message: null, current: null }))
  network.on('POST /rest/v1/rpc/interest_remove', () => ({ code: 'saved', message: null, current: null }))
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  const interests = page.getByRole('list', { name: 'Interesses' })
  await expect.element(interests.getByText('Mirante do Lago')).toBeVisible()
  await interests.getByRole('button', { name: 'Interesse', exact: true }).click()
  await interests.getByRole('combobox', { name: 'Empreendimento de interesse' }).fill('vista')
  await userEvent.keyboard('{Enter}')
  await expect.element(interests.getByText('Vista Serrana')).toBeVisible()
  await expect
    .poll(() => network.bodiesOf('POST /rest/v1/rpc/interest_add'))
    .toMatchObject([{ p_development_id: 4 }])
  await interests.getByRole('button', { name: 'Remover interesse Mirante do Lago' }).click()
  await expect
    .poll(() => network.bodiesOf('POST /rest/v1/rpc/interest_remove'))
    .toMatchObject([{ p_development_id: 3 }])
  await expect.element(interests.getByText('Mirante do Lago')).not.toBeInTheDocument()
})
