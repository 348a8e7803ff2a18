// 'Importar lista': columns of a file, preview, upload in parts; and the imported lists with their actions.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LIST_FIELDS, type ListRow } from '#domain/lead/list/fields.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, BROKER_ROW } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { emulate, onDesk, onPhone } from '#tests/support/components/device.ts'
import { text, workbookOf } from '#tests/support/workbook.ts'

const DONE = {
  id: '00000000-0000-4000-8000-000000000001', fileName: 'feirao.csv', destination: 'broker',
  instanceName: 'corretor_camila', rotation: null, state: 'finished', reason: null, total: 1_204, received: 1_204,
  added: 1_180, known: 12, refused: 12, undone: 0, leftIn: 0,
  createdAt: new Date(Date.now() - 3_600_000).toISOString(), endedAt: new Date(Date.now() - 3_500_000).toISOString(),
} // prettier-ignore
const RUNNING = {
  ...DONE, id: '00000000-0000-4000-8000-000000000002', fileName: 'stand.csv', destination: 'rotation',
  instanceName: null, rotation: 'Mirante', state: 'running', total: 400, added: 100, known: 0, refused: 0, endedAt: null,
} // prettier-ignore

function makePortal(imports: readonly object[] = []) {
  return adminPortal({
    'GET /api/brokers': () => [BROKER_ROW],
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/leads/keys': () => ({ keys: [], kinds: [] }),
    'GET /api/leads/unread': () => ({ unread: [] }),
    'GET /api/imports': () => ({ imports }),
    'POST /api/imports/known': () => ({ known: 0 }),
    'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [
      {
        id: 7,
        empreendimento: 'Mirante',
        ativa: true,
        total_corretores: 1,
        created_at: '2026-11-01T00:00:00Z',
      },
    ],
  })
}

async function open(portal = makePortal()) {
  await openApp('/roleta?vista=captacao', portal, ADMIN)
  return portal
}

const dialog = page.getByRole('dialog', { name: 'Importar lista' })

/** Chooses a file as soon as the input exists, before anything else happens. */
async function choose(bytes: Uint8Array<ArrayBuffer> | string, name = 'lista.csv') {
  const files = new DataTransfer()
  files.items.add(new File([bytes], name))
  const chosen = new Promise<void>((resolve) => {
    const watch = new MutationObserver(() => {
      const input = document.querySelector<HTMLInputElement>('dialog input[type=file]')
      if (!input) return
      watch.disconnect()
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
      resolve()
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.getByRole('button', { name: 'Importar lista' }).click()
  await chosen
}

const ROWS =
  'Cliente;Celular;Correio;Obs\r\nSandra Lemos;(11) 95555-0148;sandra@example.com;Varanda\r\n\r\nRui;1,19E+10;;\r\nZé;11 3333-4444 / 11 95555-0149;;\r\nEva;95555-0150;;\r\n'
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const sentRow = (line: number, row: ListRow) => [line, ...LIST_FIELDS.map((field) => row[field] ?? null)]

/** Collects the requests of an import. */
function receive(portal: ReturnType<typeof makePortal>) {
  const sent: { rows: unknown[]; raw: unknown[] } = { rows: [], raw: [] }
  // The first request returns the address for the rows.
  portal.on('POST /api/imports', ({ body }) => {
    portal.on(`POST /api/imports/${String(body['id'])}/rows`, (call) => {
      sent.rows.push(...(call.body['rows'] as unknown[]))
      sent.raw.push(...(call.body['raw'] as unknown[]))
      return {}
    })
    return {}
  })
  return sent
}

test.each([
  ['desk', onDesk, 'light'],
  ['phone', onPhone, 'dark'],
] as const)('a list is read, previewed, mapped by hand, and sent (%s)', async (_, onDevice, colorScheme) => {
  await onDevice()
  await emulate({ colorScheme })
  const portal = await open()
  const sent = receive(portal)
  await choose(latin1(ROWS))
  await expect.element(dialog).toHaveTextContent('lista.csv · 4 linhas')
  await expect.element(dialog).toHaveTextContent('O cabeçalho é a linha 1.')
  await expect.element(dialog.getByLabelText('O que é a coluna Celular')).toHaveValue('phone')
  await expect.element(dialog.getByText('Sandra Lemos')).toBeVisible()
  const refused = dialog.getByRole('region', { name: '2 linhas recusadas' })
  await expect.element(refused.getByText('1,19E+10')).toBeVisible()
  await dialog.getByLabelText('O que é a coluna Correio').selectOptions('email')
  await refused.getByRole('button', { name: 'Usar 11' }).click()
  await expect.element(dialog.getByText('Telefones sem DDD entram com o 11.')).toBeVisible()
  await dialog.getByLabelText('Para onde vão os leads').selectOptions('broker corretor_camila')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Importar 3 leads' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [begun] = portal.bodiesOf('POST /api/imports')
  expect(begun).toMatchObject({
    fileName: 'lista.csv', total: 4, destination: 'broker', instanceName: 'corretor_camila',
    sheets: [{ name: null, titles: ['Cliente', 'Celular', 'Correio', 'Obs'] }],
  }) // prettier-ignore
  expect(sent).toEqual({
    rows: [
      sentRow(2, {
        name: 'Sandra Lemos',
        phone: '(11) 95555-0148',
        email: 'sandra@example.com',
        note: 'Varanda',
      }),
      sentRow(4, { name: 'Rui', phone: '1,19E+10' }),
      sentRow(5, { name: 'Zé', phone: '11 3333-4444 / 11 95555-0149' }),
      sentRow(6, { name: 'Eva', phone: '(11) 95555-0150' }),
    ],
    raw: [[4, 0, 4, 'Rui', '1,19E+10', '', '']],
  })
})

test('who is a lead already is counted apart, and a list of them alone only completes', async () => {
  await onDesk()
  const portal = await open()
  const figure = (name: string) => dialog.getByRole('term').filter({ hasText: name }).element().nextSibling
  portal.on('POST /api/imports/known', () => ({ known: 1 }))
  await choose(
    'Nome;Fone;Correio\nAna;11955550101;\nBia;;bia@example.com\nCid;;ana@example.com\nAna;11955550101;ana@example.com\n',
  )
  await expect.poll(() => figure('Já existem')?.textContent).toBe('1')
  expect(portal.bodiesOf('POST /api/imports/known')[0]).toEqual({
    keys: ['+5511955550101'],
    emails: ['bia@example.com'],
  })
  expect(figure('Entram')?.textContent).toBe('1')
  await expect.element(dialog.getByText(/cada pessoa entra uma vez/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Importar 1 lead' })).toBeEnabled()

  portal.on('POST /api/imports/known', () => ({ known: 2 }))
  await dialog.getByLabelText('O que é a coluna Nome').selectOptions('')
  await expect.element(dialog.getByRole('button', { name: 'Completar os que já existem' })).toBeEnabled()
})

const row = (n: number, ...cells: string[]) =>
  `<row r="${n}">${cells.map((cell, at) => text(`${'ABC'[at]}${n}`, cell)).join('')}</row>`
const titles = (n: number) => row(n, 'Nome', 'Fone')

test('all visible sheets are imported, a hidden one by choice; a press selects another header line', async () => {
  await onDesk()
  const portal = await open()
  const sent = receive(portal)
  await choose(
    workbookOf([
      { name: 'Plantão', rows: row(1, 'Plantão de novembro') + titles(2) + row(3, 'Ana', '11955550101') },
      { name: 'Resumo', rows: row(1, 'Total', '2') },
      { name: 'Indicações', rows: titles(1) + row(2, 'Bia', '11955550102') + row(3, 'Cid', '11955550103') },
      { name: 'Antigos', rows: titles(1) + row(2, 'Davi', '11955550104'), state: 'hidden' },
    ]),
    'base.xlsx',
  )
  const sheets = dialog.getByRole('group', { name: 'Planilhas' })
  await expect
    .element(sheets.getByRole('button', { name: 'Plantão 1' }))
    .toHaveAttribute('aria-pressed', 'true')
  await expect.element(sheets.getByRole('button', { name: 'Resumo · sem telefones' })).toBeDisabled()
  await expect
    .element(sheets.getByRole('button', { name: 'Antigos · oculta 1' }))
    .toHaveAttribute('aria-pressed', 'false')
  await expect.element(dialog.getByText('1 linha de outra planilha fica de fora.')).toBeVisible()
  await expect.element(dialog.getByText(/O cabeçalho é a linha 2\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'A linha 1 é o cabeçalho' }).click()
  await expect.element(dialog.getByText(/O cabeçalho é a linha 1\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'A linha 2 é o cabeçalho' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Importar 3 leads' })).toBeVisible()
  await sheets.getByRole('button', { name: /Antigos/ }).click()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Importar 4 leads' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent.rows.map((one) => (one as unknown[]).slice(0, 3))).toEqual([
    [3, 'Ana', '11955550101'],
    [5, 'Bia', '11955550102'],
    [6, 'Cid', '11955550103'],
    [8, 'Davi', '11955550104'],
  ])
})

test('an upload continues after a reload', async () => {
  await onDesk()
  const portal = await open()
  let answers = 0
  const bodies: unknown[] = []
  portal.on('POST /api/imports', ({ body }) => {
    portal.on(`POST /api/imports/${String(body['id'])}/rows`, (call) => {
      answers += 1
      // The portal is down at first, so the dialog waits and retries.
      if (answers === 1) return new Response(null, { status: 503 })
      bodies.push(call.body)
      return {}
    })
    return {}
  })
  await choose('Nome;Telefone\nAna;11955550101\n')
  await dialog.getByRole('button', { name: 'Importar 1 lead' }).click()
  await expect.poll(() => answers).toBe(1)
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await expect.poll(() => bodies.length, { timeout: 15_000 }).toBe(1)
  expect(bodies).toMatchObject([{ rows: [sentRow(2, { name: 'Ana', phone: '11955550101' })] }])
})

const KIND = 'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.'

test.each([
  ['an Excel of before 2007', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0]), /formato antigo do Excel.*escolha XLSX/],
  ['a broken workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0]), 'Não foi possível ler o arquivo. Salve de novo como CSV e tente outra vez.'],
  ['a PDF', '%PDF-1.7\n1 0 obj\n', KIND],
  ['a page that calls itself a spreadsheet', '<html><table><tr><td>Ana</td></tr></table></html>', /é uma página com nome de planilha/],
  ['nothing in it', '\r\n;;\r\n', 'Não há nenhuma linha neste arquivo.'],
  ['more than 20 MB', new Uint8Array(20 * 1024 * 1024 + 1), 'O arquivo passa de 20 MB. Divida a lista.'],
] as const)('a file with %s shows an error, and another can be chosen', async (_, bytes, said) => {
  await onDesk()
  await open()
  await choose(bytes)
  await expect.element(dialog.getByText(said)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Escolher arquivo' })).toBeEnabled()
}) // prettier-ignore

test('too many rows are reported, and cannot be sent', async () => {
  await onDesk()
  await open()
  await choose('11955550148\n'.repeat(50_001))
  await expect.element(dialog.getByText(/A lista passa de 50 mil linhas/)).toBeVisible()
})

test('without a phone column nothing can be sent', async () => {
  await onDesk()
  await open()
  await choose('Nome;CPF\nAna;1\nRui;2\n')
  await expect
    .element(dialog.getByText('Nenhuma linha pode virar lead. Confira a coluna do telefone.'))
    .toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Importar 0 leads' })).toBeDisabled()
})

test.each([
  [{ undone: 6, leftIn: 4 }, 'Desfeita: 6 leads saíram, 4 ficaram: alguém os atendeu, moveu ou editou'],
  [{ undone: 1, leftIn: 1 }, 'Desfeita: 1 lead saiu, 1 ficou: alguém o atendeu, moveu ou editou'],
  [{ undone: 3 }, 'Desfeita: 3 leads saíram'],
])('an undone import says how many leads were removed, how many stayed and why: %o', async (counts, text) => {
  await onDesk()
  await open(makePortal([{ ...DONE, state: 'undone', ...counts }]))
  const lists = page.getByRole('region', { name: 'Listas importadas' })
  await expect.element(lists.getByText(text, { exact: true })).toBeVisible()
})

test('imported lists show their progress and actions', async () => {
  await onDesk()
  const portal = await open(makePortal([RUNNING, DONE]))
  const lists = page.getByRole('region', { name: 'Listas importadas' })
  await expect.element(lists.getByText('1.180 novos · 12 já eram leads · 12 recusadas')).toBeVisible()
  await expect.element(lists.getByText('Importando: 100 de 400')).toBeVisible()
  await expect.element(lists.getByRole('progressbar', { name: 'stand.csv' })).toHaveAttribute('value', '0.25')
  await expectAccessibleInBoth()
  portal.on(`POST /api/imports/${DONE.id}/undo`, () => ({}))
  await lists.getByRole('button', { name: 'Desfazer: feirao.csv' }).click()
  await page
    .getByRole('dialog', { name: 'Desfazer esta importação?' })
    .getByRole('button', { name: 'Desfazer' })
    .click()
  await expect.poll(() => portal.bodiesOf(`POST /api/imports/${DONE.id}/undo`).length).toBe(1)
})
