// vCards of phones as rows of a list: versions 2.1, 3.0 and 4.0, one or many.
import { expect, it, test } from 'vitest'
import { isVCard, readVCards } from '#domain/lead/list/read-vcard.ts'

/** By column title, without empty cells. */
function cardsOf(text: string) {
  const [titles = [], ...cards] = readVCards(text)
  return cards.map((cells) =>
    Object.fromEntries(titles.flatMap((title, n) => (cells[n] ? [[title, cells[n]]] : []))),
  )
}
const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

it.each([
  [
    '2.1 with quoted-printable that goes on in the next line',
    card('VERSION:2.1', 'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Concei=C3=A7=C3=A3o;Jo=C3=A3o;;;', 'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o da =', 'Concei=C3=A7=C3=A3o', 'TEL;CELL;PREF:11955550101'),
    { Nome: 'João da Conceição', Telefone: '11955550101' },
  ],
  [
    '2.1 in Latin-1',
    card('VERSION:2.1', 'FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Jo=E3o', 'TEL;HOME:11 3555-0101'),
    { Nome: 'João', Telefone: '11 3555-0101' },
  ],
  [
    '3.0 of an iPhone, with groups and labels',
    card('VERSION:3.0', 'N:Dias;Íris;;;', 'FN:Íris Dias', 'TEL;type=HOME;type=VOICE:(11) 3555-0101', 'TEL;type=CELL;type=VOICE;type=pref:+55 11 95555-0102', 'item1.EMAIL;type=INTERNET:iris@example.com', 'item1.X-ABLabel:_$!<Other>!$_', 'NOTE:um\\ndois\\, três', 'BDAY:1990-01-01'),
    { Nome: 'Íris Dias', Telefone: '+55 11 95555-0102', 'Telefone 2': '(11) 3555-0101', 'E-mail': 'iris@example.com', Observação: 'um\ndois, três' },
  ],
  [
    '3.0 that WhatsApp shares',
    card('VERSION:3.0', 'N:;João;;;', 'FN:João', 'item1.TEL;waid=5511955550103:+55 11 95555-0103', 'item1.X-ABLabel:Celular'),
    { Nome: 'João', Telefone: '+55 11 95555-0103' },
  ],
  [
    '4.0 with addresses and folded lines',
    card('VERSION:4.0', 'FN:Ana Maria de', '  Souza', 'TEL;VALUE=uri;TYPE="voice,cell":tel:+55-11-95555-0104;ext=5', 'EMAIL:mailto:ana@example.com', 'ORG:Casa\\; Lar;Vendas'),
    { Nome: 'Ana Maria de Souza', Telefone: '+55-11-95555-0104', 'E-mail': 'ana@example.com', Empresa: 'Casa; Lar;Vendas' },
  ],
  [
    'no name but its parts, and no fax',
    card('VERSION:3.0', 'N:Prado;Rui;Luiz;Dr.;', 'FN:+55 11 95555-0105', 'TEL;TYPE=FAX:11 3555-0109', 'TEL:11 95555-0105'),
    { Nome: 'Rui Luiz Prado', Telefone: '11 95555-0105' },
  ],
])('%s', (_, text, want) => expect(cardsOf(text)).toEqual([want])) // prettier-ignore

test('each of many is a row, as wide as the widest', () => {
  const text = card('FN:Ana', 'TEL:1', 'TEL:2') + card('FN:Bia', 'EMAIL:b@example.com') + card('FN:Cid')
  expect(isVCard(`\uFEFF${text}`)).toBe(true)
  expect(cardsOf(text)).toEqual([
    { Nome: 'Ana', Telefone: '1', 'Telefone 2': '2' },
    { Nome: 'Bia', 'E-mail': 'b@example.com' },
    { Nome: 'Cid' },
  ])
})
