// 'Dados do lead': fetched at once, each field saved through the outbox, also offline; the reason of a loss is asked
// afterwards.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onDesk, restOf, tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const FIELDS = 'POST /rest/v1/rpc/lead_fields'
const sheet = page.getByRole('dialog', { name: 'Rogério Bastos' }).last()

const KNOWN = {
  source: 'instagram',
  campaign: 'Lançamento Mirante do Lago',
  development: 'Mirante do Lago',
  email: null,
  tags: ['3 quartos'],
  value: 64_000_000,
  lossReason: null,
  ad: { title: 'Torre Azul', clickId: 'ARAkLongClickId', adId: '12021', link: 'https://fb.me/x' },
  lostAt: null,
  knownTags: ['Varanda'],
  files: [{ id: 9, kind: 'document', at: 1_795_000_000, isOwn: true, name: 'tabela.pdf', size: 180_000 }],
  path: [
    { at: '2026-11-23T12:14:00Z', kind: 'answered', word: null, by: CAMILA.instanceName },
    { at: '2026-11-23T12:12:00Z', kind: 'accepted', word: 'Mirante', by: CAMILA.instanceName },
    { at: '2026-11-23T12:11:22Z', kind: 'offered', word: 'Mirante', by: null },
    { at: '2026-11-23T12:11:18Z', kind: 'arrived', word: 'form', by: null },
  ],
}

const SAVED = { success: true, code: 'saved', message: null, current: null }

function answers({ network }: ReturnType<typeof brokerPortal>) {
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on('POST /rest/v1/rpc/erased_leads', () => [])
  network.on('POST /rest/v1/rpc/lead_sheet', () => KNOWN)
  network.on(FIELDS, () => SAVED)
}

async function openSheet() {
  const { portal } = await openBoard()
  answers(portal)
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  await expect.element(sheet.getByText('Caminho do lead')).toBeVisible()
  return portal
}

test('mostra o que se sabe, em português, acessível', async () => {
  await openSheet()
  for (const words of ['Instagram', 'Mirante do Lago', 'R$ 640 mil', '3 quartos', 'tabela.pdf'])
    await expect.element(sheet.getByText(words, { exact: true })).toBeVisible()
  for (const words of ['Você respondeu', 'Aceito por você', '38 s', '4 s', 'Chegou por Formulário'])
    await expect.element(sheet.getByText(words, { exact: true })).toBeInTheDocument()
  const ad = sheet.getByRole('link', { name: 'Torre Azul' }).element()
  expect([ad.getAttribute('href'), ad.getAttribute('rel')]).toEqual([
    'https://fb.me/x',
    'noopener noreferrer nofollow',
  ])
  await expect.element(sheet.getByRole('button', { name: 'Copiar o id do clique' })).toBeInTheDocument()
  const call = sheet.getByRole('link', { name: 'Ligar' }).element()
  expect(call.getAttribute('href')).toMatch(/^tel:\+55\d{10,11}$/)
  await expectAccessibleInBoth()
})

test('com texto a 200 % nenhum nome de campo toca o vizinho', async () => {
  await openSheet()
  document.documentElement.style.fontSize = '200%'
  try {
    const names = sheet.element().querySelectorAll('dt')
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(name.scrollWidth, name.textContent).toBeLessThanOrEqual(name.clientWidth)
    for (const tile of ['Ligar', 'Copiar', 'Nota', 'Mover']) {
      const { scrollWidth, clientWidth } = sheet.getByText(tile, { exact: true }).first().element()
      expect(scrollWidth, tile).toBeLessThanOrEqual(clientWidth)
    }
  } finally {
    document.documentElement.style.fontSize = ''
  }
})

test('cada campo é escrito onde está, com o que havia antes', async () => {
  const portal = await openSheet()
  await sheet.getByRole('button', { name: 'Editar valor' }).click()
  await sheet.getByRole('textbox', { name: 'Valor' }).fill('1,2 mi')
  await userEvent.keyboard('{Enter}')
  await expect.element(sheet.getByText('R$ 1,2 mi')).toBeVisible()
  await sheet.getByRole('button', { name: 'Adicionar etiqueta' }).click()
  await sheet.getByRole('combobox', { name: 'Nova etiqueta' }).fill('Varanda')
  await userEvent.keyboard('{Enter}')
  await sheet.getByRole('button', { name: 'Remover etiqueta 3 quartos' }).click()
  await expect
    .poll(() => portal.network.bodiesOf(FIELDS).map(({ p_fields, p_base }) => [p_fields, p_base]))
    .toEqual([
      [{ value: 120_000_000 }, { value: 64_000_000 }],
      [{ tags: ['3 quartos', 'Varanda'] }, { tags: ['3 quartos'] }],
      [{ tags: ['Varanda'] }, { tags: ['3 quartos', 'Varanda'] }],
    ])
})

test('o retrato do cabeçalho abre os dados, e de lá o lead muda de estágio e reabre onde estava', async () => {
  const { portal } = await openBoard()
  answers(portal)
  portal.network.on('POST /rest/v1/rpc/lead_sheet', () => ({
    ...KNOWN,
    path: [
      { at: '2026-11-23T12:20:00Z', kind: 'moved', word: 'Arquivado', by: CAMILA.instanceName },
      { at: '2026-11-23T12:16:00Z', kind: 'moved', word: 'Negociação', by: CAMILA.instanceName },
      ...KNOWN.path,
    ],
  }))
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await page.getByRole('button', { name: 'Dados do lead' }).click()
  await expect.element(sheet.getByText('Caminho do lead')).toBeVisible()
  await sheet.getByRole('button', { name: 'Mover', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Arquivado' }).click()
  await expect.poll(() => portal.lead(2)?.status).toBe('arquivado')
  await sheet.getByRole('button', { name: 'Reabrir' }).click()
  await expect.poll(() => portal.lead(2)?.status).toBe('negociacao')
})

test('um valor que não se lê é dito, e nada é enviado', async () => {
  const portal = await openSheet()
  await sheet.getByRole('button', { name: 'Editar valor' }).click()
  await sheet.getByRole('textbox', { name: 'Valor' }).fill('caro')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Escreva um valor, como 640 mil ou 1,2 mi.')).toBeVisible()
  expect(portal.network.bodiesOf(FIELDS)).toEqual([])
})

test('sem conexão o campo fica escrito no aparelho e sai depois', async () => {
  const portal = await openSheet()
  portal.network.on(FIELDS, () => Response.error())
  await sheet.getByRole('button', { name: 'Editar e-mail' }).click()
  await sheet.getByRole('textbox', { name: 'E-mail' }).fill('rogerio@exemplo.com')
  await userEvent.keyboard('{Enter}')
  await expect.element(sheet.getByText('rogerio@exemplo.com')).toBeVisible()
  await expect.poll(() => portal.network.bodiesOf(FIELDS).length).toBeGreaterThan(0)
  portal.network.on(FIELDS, () => SAVED)
  dispatchEvent(new Event('online'))
  await expect.poll(() => portal.network.bodiesOf(FIELDS).length).toBeGreaterThan(1)
  expect(new Set(portal.network.bodiesOf(FIELDS).map((body) => body['p_operation_id'])).size).toBe(1)
})

test('sem conexão e nunca aberta: mostra o que o card sabe, e tudo se escreve', async () => {
  const { portal } = await openBoard()
  answers(portal)
  for (const request of [
    FIELDS,
    'POST /rest/v1/rpc/lead_sheet',
    'POST /rest/v1/rpc/save_lead_notes',
  ] as const)
    portal.network.on(request, () => Response.error())
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await page.getByRole('button', { name: 'Opções de Rogério Bastos' }).click()
  await page.getByRole('menuitem', { name: 'Dados do lead' }).click()
  await expect.element(sheet.getByText('Mirante do Lago', { exact: true })).toBeVisible()
  await expect.element(sheet.getByText('Chegou por Instagram')).toBeVisible()
  // An unread field is not called empty.
  await expect.element(sheet.getByText('Não carregado').first()).toBeVisible()
  await sheet.getByRole('button', { name: 'Editar valor' }).click()
  await sheet.getByRole('textbox', { name: 'Valor' }).fill('640 mil')
  await userEvent.keyboard('{Enter}')
  await expect.element(sheet.getByTitle('R$ 640 mil')).toBeVisible()
  await expect
    .poll(() => portal.network.bodiesOf(FIELDS).at(-1))
    .toMatchObject({ p_fields: { value: 64_000_000 }, p_base: { value: null } })
  portal.network.on(FIELDS, () => SAVED)
  portal.network.on('POST /rest/v1/rpc/lead_sheet', () => KNOWN)
  dispatchEvent(new Event('online'))
  await expect.element(sheet.getByText('tabela.pdf')).toBeVisible()
})

test('depois de arquivar pergunta o motivo, uma vez, e o movimento não espera por isso', async () => {
  const portal = brokerPortal()
  answers(portal)
  await onDesk()
  await openApp('/broker', portal.network, CAMILA)
  await restOf(card('Rogério Bastos'))
  card('Rogério Bastos').element().focus()
  await userEvent.keyboard('m')
  await page.getByRole('menuitemradio', { name: /^Arquivado/ }).click()
  await expect.poll(() => portal.lead(2)?.status).toBe('arquivado')
  const question = page.getByRole('dialog', { name: 'Por que arquivar?' })
  await expect.element(question, { timeout: 12_000 }).toBeVisible()
  await expect.element(question.getByText('Rogério Bastos já está em Arquivado.')).toBeVisible()
  await question.getByText('Comprou com outra imobiliária').click()
  await question.getByRole('button', { name: 'Salvar motivo' }).click()
  await expect
    .poll(() => portal.network.bodiesOf(FIELDS).map(({ p_fields }) => p_fields))
    .toEqual([{ loss_reason: 'bought_elsewhere' }])
})

test('arquivado dentro da conversa, o motivo é perguntado quando ela se fecha', async () => {
  const { portal } = await openBoard()
  answers(portal)
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await page.getByRole('button', { name: 'Dados do lead' }).click()
  await sheet.getByRole('button', { name: 'Mover', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Arquivado' }).click()
  await expect.poll(() => portal.lead(2)?.status).toBe('arquivado')
  // While the move can be undone, its toast is shown and nothing is asked.
  await expect.element(page.getByRole('button', { name: 'Desfazer' }).first()).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Desfazer' }), { timeout: 12_000 })
    .not.toBeInTheDocument()
  const question = page.getByRole('dialog', { name: 'Por que arquivar?' })
  await sheet.getByRole('button', { name: 'Fechar', exact: true }).click()
  expect(question.elements()).toEqual([])
  await page.getByRole('button', { name: 'Fechar', exact: true }).first().click()
  await expect.element(question).toBeVisible()
  await question.getByRole('button', { name: 'Pular' }).click()
  await expect.element(question).not.toBeInTheDocument()
})

test('o resumo diz quem o escreveu e que o lead não o recebe; sem modelo, diz isso', async () => {
  const { network } = await openSheet()
  const SUMMARY = 'POST /api/assist/2/summary'
  const message = 'O resumo precisa de um modelo de linguagem, e este portal não tem um.'
  network.on(SUMMARY, () => Response.json({ error: { code: 'summary.no-model', message } }, { status: 409 }))
  const summary = sheet.getByRole('region', { name: 'Resumo da conversa' })
  await expect.element(summary).toBeVisible()
  expect(network.bodiesOf(SUMMARY)).toEqual([])
  await tap(summary.getByRole('button', { name: 'Resumir a conversa' }))
  await expect.element(summary.getByText(message)).toBeVisible()

  network.on(SUMMARY, () => ({ text: '- Quer 3 quartos.', model: 'lago-mini', messages: 2 }))
  await tap(summary.getByRole('button', { name: 'Resumir a conversa' }))
  await expect.element(summary.getByText('- Quer 3 quartos.')).toBeVisible()
  await expect
    .element(summary.getByText(/Escrito por um modelo \(lago-mini\) das últimas 2 mensagens/))
    .toBeVisible()
  await expect.element(summary.getByText(message)).not.toBeInTheDocument()
  await expectAccessibleInBoth()
})
