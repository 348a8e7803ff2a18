// Workbooks as lists of leads: long numbers stay whole, formulas are what they came to, and nothing unpacks beyond its bound.
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { guessColumns, rowOf, toLeadList } from '#domain/lead/list/columns.ts'
import { readRow } from '#domain/lead/list/row.ts'
import { readXlsx } from '#features/imports/read-xlsx.ts'
import { number, text, workbook } from '#tests/support/workbook.ts'

test('a phone that is a number stays whole, a formula is what it came to, columns that are left out are empty', async () => {
  const rows = await readXlsx(
    workbook(
      `<row r="1">${text('A1', 'Nome')}${text('B1', 'Celular')}${text('C1', 'E-mail')}</row>` +
        `<row r="2">${text('A2', 'Sandra &amp; Rui')}${number('B2', '1.1905550148E10')}</row>` +
        `<row r="3"><c r="A3" t="str"><f>CONCATENATE("A","na")</f><v>Ana</v></c>${number('B3', '5511905550149')}${text('C3', 'ana@example.com')}</row>`,
    ),
  )
  const list = toLeadList(rows)
  const map = guessColumns(list)
  expect(list.rows.map(({ cells }) => readRow(rowOf(cells, map)).lead)).toMatchObject([
    { name: 'Sandra & Rui', number: '5511905550148', email: null },
    { name: 'Ana', number: '5511905550149', email: 'ana@example.com' },
  ])
})

test('what would unpack beyond its bound is not unpacked, however small it is packed; pictures do not count', async () => {
  const huge = new Uint8Array(21 * 1024 * 1024)
  const bomb = workbook('', { 'xl/bomb.xml': huge })
  expect(bomb.length).toBeLessThan(100_000)
  await expect(readXlsx(bomb)).rejects.toMatchObject({ fault: 'unpacked' })
  const row = `<row r="1">${text('A1', 'Ana')}</row>`
  expect(await readXlsx(workbook(row, { 'xl/media/image1.png': huge }))).toEqual([['Ana']])
})

test('a head that lies about its size cuts its part short, and what is no workbook is refused', async () => {
  const bytes = workbook(`<row r="1">${text('A1', 'Ana'.repeat(1_000))}</row>`)
  const view = new DataView(bytes.buffer)
  // Every claim of an unpacked size, in the directory at the end, becomes 10 bytes.
  for (let at = 0; at < bytes.length - 4; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true)
  await expect(readXlsx(bytes)).rejects.toMatchObject({ fault: 'broken' })
  await expect(readXlsx(zipSync({ 'texto.xml': strToU8('oi') }))).rejects.toMatchObject({ fault: 'broken' })
  await expect(readXlsx(new Uint8Array([0x50, 0x4b, 3, 4, 0]))).rejects.toMatchObject({ fault: 'broken' })
})

test('few cells that stand far apart are refused before what is between them is filled', async () => {
  const far = (last: string) =>
    readXlsx(workbook(`<row r="1">${text('A1', 'Ana')}${number('XFD1', '1')}</row>${last}`))
  const row = (cells: string) => `<row r="1048576" ht="15">${cells}</row>`
  for (const cells of [number('A1048576', '1'), '<c><v>1</v></c>'])
    await expect(far(row(cells))).rejects.toMatchObject({ fault: 'far' })
  // What was only shaped is nothing.
  expect(await far('<row r="1048576" ht="15"/>')).toHaveLength(1)
})
