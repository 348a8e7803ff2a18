// Reading VRSync feeds: encodings, texts, prices as programs write them, and files that must be refused.
import { describe, expect, test } from 'vitest'
import type { FeedListing } from '#server/developments/feed/listing.ts'
import { amountOf, centsOf } from '#server/developments/feed/numbers.ts'
import { MAX_FEED_BYTES, readVrsync } from '#server/developments/feed/vrsync.ts'
import { feedOf, item, pieces, START } from '#tests/support/feed.ts'

async function read(text: string | Uint8Array, size = 64) {
  const listings: FeedListing[] = []
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const summary = await readVrsync(pieces(bytes, size), async (more) => void listings.push(...more))
  return { ...summary, listings }
}
const refusalOf = async (text: string | Uint8Array) => read(text).catch((error: Error) => error.message)

test.each([
  ['1.200.000,00', 120_000_000],
  ['R$ 850.000,00', 85_000_000],
  ['950000.00', 95_000_000],
  [' 730.000 ', 73_000_000],
  ['640000', 64_000_000],
  ['1,250,000.50', 125_000_050],
  ['850,000', 85_000_000],
  ['1234,5', 123_450],
  ['850000.0000', 85_000_000],
  ['0', 0],
  ['a combinar', null],
  ['1.23.45', null],
  ['12..5', null],
  ['1.200,000.00', null],
  ['-5', null],
  ['1e5', null],
  ['5.', null],
  ['', null],
])('a price written as “%s”', (text, cents) => {
  expect(centsOf(text)).toBe(cents)
})

test('areas have decimals', () => {
  expect(['82,50', '1.250,00', '70.25', '70'].map(amountOf)).toEqual([82.5, 1250, 70.25, 70])
})

describe('encodings', () => {
  const title = 'Sobrado “novo” – três dormitórios… por €'
  const latin = (text: string) =>
    Uint8Array.from(
      Array.from(
        text,
        (sign) => ({ '“': 0x93, '”': 0x94, '–': 0x96, '…': 0x85, '€': 0x80 })[sign] ?? sign.charCodeAt(0),
      ),
    )

  test.each(['ISO-8859-1', 'windows-1252'])(
    '%s with the quotes and dashes of windows-1252',
    async (encoding) => {
      const file = latin(
        feedOf([{ title }], `<?xml version="1.0" encoding="${encoding}"?>`).replaceAll(
          /[\u0100-\u024f]/g,
          '?',
        ),
      )
      for (const size of [1, 64, 65_536]) {
        const listings: FeedListing[] = []
        await readVrsync(pieces(file, size), async (more) => void listings.push(...more))
        expect(listings[0]?.title).toBe(title)
        expect(listings[0]?.district).toBe('Cambuí')
      }
    },
  )

  test.each([
    ['a byte order mark', '\ufeff'],
    ['a blank line', '\r\n\n'],
    ['both', '\ufeff\n'],
  ])('%s before the declaration is passed over', async (_, before) => {
    expect((await read(before + feedOf([{ title }]), 1)).listings[0]?.title).toBe(title)
  })

  test('a file in UTF-16, and one without a declaration', async () => {
    const utf16 = Buffer.from(
      `\ufeff${feedOf([{ title }], '<?xml version="1.0" encoding="UTF-16"?>')}`,
      'utf16le',
    )
    expect((await read(utf16, 63)).listings[0]?.title).toBe(title)
    expect((await read(feedOf([{ title }], ''))).listings[0]?.title).toBe(title)
  })

  test('bytes that are no UTF-8 are refused, as is an unknown encoding', async () => {
    expect(await refusalOf(latin(feedOf([{ title: 'Não' }])))).toMatch(/diz ser UTF-8/)
    expect(await refusalOf(feedOf([{}], '<?xml version="1.0" encoding="EBCDIC-BR"?>'))).toMatch(
      /EBCDIC-BR não é lida/,
    )
  })
})

describe('texts', () => {
  test('of CDATA, references and both together are read as they are; ids stay texts', async () => {
    const listing = item({ code: '00123' })
      .replace('Apartamento de teste', '<![CDATA[Setor R&D; bloco 1e5]]> &#225;&#xE3;&nbsp;fim')
      .replace('2</Bedrooms>', '2.0</Bedrooms>')
    expect((await read(feedOf([listing]), 3)).listings[0]).toMatchObject({
      code: '00123',
      title: 'Setor R&D; bloco 1e5 áã fim',
      bedrooms: 2,
    })
  })

  test('HTML in them is taken out, written in whatever way; a lone sign is kept', async () => {
    const description = 'Sala<br>ampla, preço < mercado <b>já</b>'
    const [coded, plain] = (
      await read(
        feedOf([
          { code: '1', description },
          item({ code: '2', description: 'x' }).replace('>x<', '>Sala<br/>ampla e <b>clara</b> hoje<'),
        ]),
      )
    ).listings
    expect(coded?.description).toBe('Sala\nampla, preço < mercado já')
    expect(plain?.description).toBe('Sala\nampla e clara hoje')
  })

  test('other prefixes and namespaces, media inside the details, and no contact are read', async () => {
    const { listings } = await read(
      `<v:ListingDataFeed xmlns:v="urn:outro" xsi:schemaLocation="a b"><v:Listings><v:Listing>
      <v:ListingID>7</v:ListingID><v:Title>Casa térrea com quintal</v:Title><v:TransactionType> Sale/Rent </v:TransactionType>
      <v:Details><v:ListPrice>100</v:ListPrice><v:RentalPrice period="Daily">20</v:RentalPrice><v:Iptu>12</v:Iptu>
      <v:Media><v:Item medium="video">https://example.com/v</v:Item><v:Item medium="image" caption="Rua">https://example.com/2.jpg</v:Item>
      <v:Item medium="image" primary="true">https://example.com/1.jpg?a=1&amp;b=2</v:Item></v:Media></v:Details>
      </v:Listing></v:Listings></v:ListingDataFeed>`,
    )
    expect(listings).toMatchObject([
      {
        code: '7',
        business: 'ambos',
        saleCents: 10_000,
        rentCents: 2_000,
        rentPeriod: 'dia',
        taxPeriod: 'mes',
        listerName: null,
        photos: [
          { url: 'https://example.com/1.jpg?a=1&b=2', caption: null },
          { url: 'https://example.com/2.jpg', caption: 'Rua' },
        ],
      },
    ])
  })

  test('the name in the contact is no field of the listing', async () => {
    const { listings } = await read(
      feedOf([
        item({ phone: '11 95550-0142' }).replace(
          '</ContactInfo>',
          '<Location><City>Outra</City></Location></ContactInfo>',
        ),
      ]),
    )
    expect(listings[0]).toMatchObject({
      city: 'Campinas',
      listerName: 'Central',
      listerPhone: '11 95550-0142',
    })
  })
})

describe('problems', () => {
  test('prices that are none are reported with line and code, and the listing stays', async () => {
    const { listings, problems } = await read(
      feedOf([
        { code: 'P1', price: '0' },
        { code: 'P2', price: '' },
        { code: 'P3', price: '300000', currency: 'USD' },
        { code: 'P4', price: 'a combinar' },
      ]),
    )
    expect(listings.map(({ saleCents }) => saleCents)).toEqual([null, null, null, null])
    expect(problems.map(({ code, line }) => [code, line > 1])).toEqual(
      ['P1', 'P2', 'P3', 'P4'].map((code) => [code, true]),
    )
    expect(problems.map(({ message }) => /zero|vazio|USD|a combinar/.exec(message)?.[0])).toEqual([
      'zero',
      'vazio',
      'USD',
      'a combinar',
    ])
  })

  test('a listing without code, title or business is left out alone; of two with one code the first counts', async () => {
    const { total, listings, problems, problemCount } = await read(
      feedOf([
        { code: '' },
        { code: 'A', title: 'Primeiro imóvel' },
        { code: 'A', title: 'Segundo imóvel' },
        { code: 'B', title: ' ' },
        { code: 'C', business: 'Troca' },
        { code: 'D'.repeat(51) },
        { code: 'E', photos: ['javascript:alert(1)', 'https://example.com/1.jpg'] },
      ]),
    )
    expect(listings.map(({ code, title }) => [code, title])).toEqual([
      ['A', 'Primeiro imóvel'],
      ['E', 'Apartamento de teste'],
    ])
    expect(listings[1]?.photos).toHaveLength(1)
    expect({ total, problemCount, codes: problems.map(({ code }) => code?.slice(0, 2) ?? null) }).toEqual({
      total: 2,
      problemCount: 6,
      codes: [null, 'A', 'B', 'C', 'DD', 'E'],
    })
  })

  test('two hundred are kept, all are counted', async () => {
    const { problems, problemCount } = await read(
      feedOf(Array.from({ length: 250 }, () => ({ code: '' }))),
      65_536,
    )
    expect([problems.length, problemCount]).toEqual([200, 250])
  })
})

describe('refused as a whole', () => {
  const whole = feedOf([{ code: 'A' }, { code: 'B' }])
  test.each([
    ['cut in the middle of a listing', whole.slice(0, -400), /cortado/],
    ['cut before its last tag', whole.slice(0, -5), /cortado/],
    ['empty', '', /vazio/],
    ['a web page', '<!doctype html><html><body>Erro 500<br></body></html>', /falta <ListingDataFeed>/],
    ['no XML', '{"erro": "acesso negado"}', /falta <ListingDataFeed>/],
    ['another format', '<Carga><Imoveis/></Carga>', /falta <ListingDataFeed>/],
    ['a feed without listings', START.replace('<Listings>', '') + '</ListingDataFeed>', /falta <Listings>/],
    ['a raw ampersand', whole.replace('Apartamento de teste', 'Casa & quintal'), /“&” solto/],
    [
      'a raw ampersand with a later semicolon',
      whole.replace('Apartamento de teste', 'A & B; c'),
      /“&” solto/,
    ],
    ['an unknown entity', whole.replace('Apartamento', '&ccedil;'), /linha \d+/],
    ['text after the end', `${whole}<b/>`, /linha \d+/],
    [
      'entities that grow',
      `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${whole.replace(/<\?xml.*\?>/, '').replace('Apartamento', '&b;')}`,
      /linha \d+/,
    ],
    [
      'too deep',
      whole.replace('<Media>', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}<Media>`),
      /dentro de elementos/,
    ],
  ])('%s', async (_, file, words) => {
    expect(await refusalOf(file)).toMatch(words)
  })

  test('a document type is not fetched, and no file is read by an entity', async () => {
    const file = `<!DOCTYPE ListingDataFeed SYSTEM "http://127.0.0.1:1/x.dtd">${whole.replace(/<\?xml.*\?>/, '')}`
    expect((await read(file)).total).toBe(2)
    expect(
      await refusalOf(
        `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>${whole.replace(/<\?xml.*\?>/, '').replace('Apartamento', '&x;')}`,
      ),
    ).toMatch(/linha \d+/)
  })

  test('more than 30 MB', async () => {
    const piece = Buffer.from(' '.repeat(1024 * 1024))
    async function* endless() {
      yield Buffer.from(START)
      for (let sent = 0; sent <= MAX_FEED_BYTES; sent += piece.length) yield piece
    }
    await expect(readVrsync(endless(), async () => undefined)).rejects.toThrow(/30 MB/)
  })
})

test('any cut of the bytes gives the same listings', async () => {
  const file = feedOf([{ title: 'Coração – “aspas” €' }, { code: 'B', description: 'Á'.repeat(80) }])
  const wanted = (await read(file, file.length * 2)).listings
  for (const size of [1, 2, 3, 7, 511, 512, 513]) expect((await read(file, size)).listings).toEqual(wanted)
})
