// 'Importar lista': a file read by its columns, looked at, sent row by row; and the lists that are in, with what can be done.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { emulate, onDesk, onPhone } from '#tests/support/components/device.ts'

const BROKER = {
  id: 'b1', instanceName: 'corretor_camila', number: null, pictureUrl: null, isCentral: false, state: 'open',
  changedAt: null, lostAt: null, hasPassword: true, seenAt: null, campaigns: 0, seats: 0,
} // prettier-ignore
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
    'GET /api/brokers': () => [BROKER],
    'GET /rest/v1/kanban_stages': () => [],
    'GET /api/leads/keys': () => ({ keys: [] }),
    'GET /api/leads/unread': () => ({ unread: [] }),
    'GET /api/imports': () => ({ imports }),
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

/** At the moment the choice is there, before anything else can happen. */
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
  'Cliente;Celular;Correio\r\nSandra Lemos;(11) 90555-0148;sandra@example.com\r\n\r\nRui;1,19E+10;\r\nZé;11 3333-4444;\r\n'
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test.each([
  ['desk', onDesk, 'light'],
  ['phone', onPhone, 'dark'],
] as const)('a list is read, looked at, mapped by hand, and sent (%s)', async (_, onDevice, colorScheme) => {
  await onDevice()
  await emulate({ colorScheme })
  const portal = await open()
  const rows: unknown[] = []
  // Where the rows go is named by the first request.
  portal.on('POST /api/imports', ({ body }) => {
    portal.on(`POST /api/imports/${String(body['id'])}/rows`, (call) => {
      rows.push(...(call.body['rows'] as unknown[]))
      return {}
    })
    return {}
  })
  await choose(latin1(ROWS))
  await expect.element(dialog).toHaveTextContent('lista.csv · 3 linhas')
  await expect.element(dialog.getByLabelText('Telefone', { exact: true })).toHaveValue('1')
  const preview = dialog.getByRole('table', { name: 'Como vai entrar' })
  await expect.element(preview.getByRole('row', { name: /Sandra Lemos.*\(11\) 90555-0148/ })).toBeVisible()
  await expect.element(preview.getByRole('row', { name: /Zé/ })).toBeVisible()
  await expect.element(dialog.getByText('2 linhas prontas para entrar')).toBeVisible()
  await expect.element(dialog.getByText(/1 linha: A planilha cortou o telefone/)).toBeVisible()
  await dialog.getByLabelText('E-mail').selectOptions('2')
  await expect.element(preview.getByText('sandra@example.com')).toBeVisible()
  await dialog.getByLabelText('Para onde vão os leads').selectOptions('broker corretor_camila')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Importar 2 leads' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [begun] = portal.bodiesOf('POST /api/imports')
  expect(begun).toMatchObject({
    fileName: 'lista.csv', total: 3, destination: 'broker', instanceName: 'corretor_camila',
  }) // prettier-ignore
  expect(rows).toEqual([
    [2, 'Sandra Lemos', '(11) 90555-0148', null, 'sandra@example.com', null, null, null, null],
    [4, 'Rui', '1,19E+10', null, null, null, null, null, null],
    [5, 'Zé', '11 3333-4444', null, null, null, null, null, null],
  ])
})

test.each([
  [
    'a password or of before 2007',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0]),
    'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  ],
  [
    'a workbook’s name alone',
    new Uint8Array([0x50, 0x4b, 3, 4, 0]),
    'Não foi possível ler o arquivo. Salve de novo como CSV e tente outra vez.',
  ],
  [
    'a picture',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  ],
  [
    'a PDF',
    '%PDF-1.7\n1 0 obj\n',
    'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  ],
  [
    'a page that calls itself a spreadsheet',
    '<html><table><tr><td>Ana</td></tr></table></html>',
    'Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.',
  ],
  ['nothing in it', '\r\n;;\r\n', 'Não há nenhuma linha neste arquivo.'],
  [
    'more rows than one takes',
    '11905550148\n'.repeat(50_001),
    'A lista passa de 50 mil linhas. Divida em mais de um arquivo.',
  ],
  ['more than 20 MB', new Uint8Array(20 * 1024 * 1024 + 1), 'O arquivo passa de 20 MB. Divida a lista.'],
])('a file with %s says so, and another can be chosen', async (_, bytes, text) => {
  await onDesk()
  await open()
  await choose(bytes)
  await expect.element(dialog.getByText(text)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Escolher arquivo' })).toBeEnabled()
})

test('a text with a workbook’s name is told what it is not', async () => {
  await onDesk()
  await open()
  await choose('isto não é uma planilha', 'feirao.xlsx')
  await expect
    .element(
      dialog.getByText('Este tipo de arquivo não serve. Salve a planilha como XLSX, sem senha, ou CSV.'),
    )
    .toBeVisible()
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
])('a list that was taken back says how many went, how many stayed and why: %o', async (counts, text) => {
  await onDesk()
  await open(makePortal([{ ...DONE, state: 'undone', ...counts }]))
  const lists = page.getByRole('region', { name: 'Listas importadas' })
  await expect.element(lists.getByText(text, { exact: true })).toBeVisible()
})

test('the lists that are in say how far they are, and what can be done', async () => {
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
