// Workbooks as Excel and LibreOffice write them.
import { strToU8, zipSync, type Zippable } from 'fflate'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

type ExcelSheet = { name: string; rows: string; state?: 'hidden' | 'veryHidden' }

/** With one sheet; `rows` is XML of its rows. */
export const workbook = (rows: string, more: Zippable = {}): Uint8Array<ArrayBuffer> =>
  workbookOf([{ name: 'Leads', rows }], more)

export function workbookOf(sheets: readonly ExcelSheet[], more: Zippable = {}): Uint8Array<ArrayBuffer> {
  const parts: Zippable = {
    '[Content_Types].xml': strToU8(
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    'xl/workbook.xml': strToU8(
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
        .map(
          ({ name, state }, n) =>
            `<sheet name="${name}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheets
        .map(
          (_, n) =>
            `<Relationship Id="rId${n + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
    ),
  }
  for (const [n, { rows }] of sheets.entries())
    parts[`xl/worksheets/sheet${n + 1}.xml`] = strToU8(
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
    )
  return zipSync({ ...parts, ...more })
}
export const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
export const number = (at: string, value: string) => `<c r="${at}"><v>${value}</v></c>`

type OpenSheet = { name: string; rows: string; isHidden?: boolean }

/** As LibreOffice writes it; `rows` is XML of its content.xml. */
export function openDocument(sheets: readonly OpenSheet[], manifest = ''): Uint8Array<ArrayBuffer> {
  const names = ['office', 'style', 'text', 'table', 'manifest']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const style = (name: string, isShown: boolean) =>
    `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${isShown}"/></style:style>`
  return zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
    'content.xml': strToU8(
      `${HEAD}<office:document-content ${names}><office:automatic-styles>${style('ta1', true)}${style('ta2', false)}</office:automatic-styles><office:body><office:spreadsheet>${sheets
        .map(
          ({ name, rows, isHidden = false }) =>
            `<table:table table:name="${name}" table:style-name="${isHidden ? 'ta2' : 'ta1'}">${rows}</table:table>`,
        )
        .join('')}</office:spreadsheet></office:body></office:document-content>`,
    ),
    'META-INF/manifest.xml': strToU8(`${HEAD}<manifest:manifest ${names}>${manifest}</manifest:manifest>`),
  })
}
export const openText = (value: string) =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
