// A listing of a feed as the portal stores it, read from the fields of a VRSync <Listing>.
import { cleanText, cutText } from '#domain/clean-text.ts'
import { amountOf, centsOf } from './numbers.ts'

const BUSINESSES = ['venda', 'aluguel', 'ambos'] as const
type Business = (typeof BUSINESSES)[number]
const PERIODS = { Daily: 'dia', Weekly: 'semana', Monthly: 'mes', Yearly: 'ano' } as const
type Period = (typeof PERIODS)[keyof typeof PERIODS]

export type FeedPhoto = { url: string; caption: string | null }
export type FeedListing = {
  code: string
  business: Business
  /** The type in VRSync's words, such as 'Residential / Apartment'. */
  kind: string
  title: string
  description: string | null
  saleCents: number | null
  rentCents: number | null
  rentPeriod: Period | null
  condoCents: number | null
  taxCents: number | null
  taxPeriod: Period | null
  area: number | null
  lotArea: number | null
  bedrooms: number | null
  bathrooms: number | null
  suites: number | null
  parking: number | null
  address: string | null
  district: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  latitude: number | null
  longitude: number | null
  developmentName: string | null
  listerName: string | null
  listerEmail: string | null
  listerPhone: string | null
  /** The photos in order, the main one first. */
  photos: FeedPhoto[]
}

/** A listing that was not taken over. `code` is null if it has none; `line` is its first line. */
export type FeedProblem = { line: number; code: string | null; message: string }

/** A <Listing> as it was read: the first element of each name, and the items of its media. */
export type RawListing = {
  line: number
  fields: Map<string, RawField>
  items: { medium: string; caption: string; isPrimary: boolean; url: string }[]
}
export type RawField = { text: string; attributes: Readonly<Record<string, string>> }

const MAX_PHOTOS = 50
const MAX_CODE = 50
const MAX_URL = 2_000
const BUSINESS: Record<string, Business> = {
  'for sale': 'venda',
  sale: 'venda',
  'for rent': 'aluguel',
  rent: 'aluguel',
  'sale/rent': 'ambos',
  'sale / rent': 'ambos',
}

/**
 * Returns the listing, or null if it has to be left out. Calls `report` with the reason, and with what it left out of
 * the listing.
 */
export function toListing(raw: RawListing, report: (problem: FeedProblem) => void): FeedListing | null {
  const text = (name: string) => raw.fields.get(name)?.text.trim() ?? ''
  // Copied, because a substring keeps its whole piece of the file in memory, and codes are kept to the end.
  const code = Buffer.from(cleanText(text('ListingID'))).toString()
  const say = (message: string) =>
    report({ line: raw.line, code: code === '' ? null : code.slice(0, MAX_CODE), message })
  const refuse = (message: string) => {
    say(message)
    return null
  }
  const word = (name: string, most: number) => cutText(cleanText(text(name)), most).trim() || null
  if (code === '') return refuse('Sem código (ListingID). Este imóvel ficou de fora.')
  if (code.length > MAX_CODE) return refuse('O código passa de 50 letras. Este imóvel ficou de fora.')
  const business = BUSINESS[text('TransactionType').toLowerCase().replaceAll(/\s+/g, ' ')]
  if (business === undefined)
    return refuse(
      text('TransactionType') === ''
        ? 'Não diz se é venda ou aluguel (TransactionType). Este imóvel ficou de fora.'
        : `Negócio desconhecido: “${text('TransactionType').slice(0, 40)}”. Este imóvel ficou de fora.`,
    )
  const title = cutText(withoutTags(cleanText(text('Title'))).replaceAll(/\s+/g, ' '), 200).trim()
  if (title === '') return refuse('Sem título (Title). Este imóvel ficou de fora.')
  const money = moneyOf(raw, say)
  const tax = raw.fields.has('YearlyTax') ? 'YearlyTax' : 'Iptu'
  const count = (name: string) => wholeOf(text(name))
  return {
    code,
    business,
    kind: word('PropertyType', 80) ?? 'Residential / Home',
    title,
    description: cutText(withoutTags(cleanText(text('Description'))), 10_000).trim() || null,
    saleCents: money('ListPrice', business !== 'aluguel'),
    rentCents: money('RentalPrice', business !== 'venda'),
    rentPeriod: periodOf(raw.fields.get('RentalPrice'), 'mes'),
    condoCents: money('PropertyAdministrationFee', false),
    taxCents: money(tax, false),
    taxPeriod: periodOf(raw.fields.get(tax), tax === 'YearlyTax' ? 'ano' : 'mes'),
    area: areaOf(text('LivingArea')) ?? areaOf(text('ConstructedArea')),
    lotArea: areaOf(text('LotArea')),
    bedrooms: count('Bedrooms'),
    bathrooms: count('Bathrooms'),
    suites: count('Suites'),
    parking: count('Garage'),
    address: addressOf(word('Address', 160), word('StreetNumber', 30)),
    district: word('Neighborhood', 120),
    city: word('City', 120),
    state: stateOf(raw.fields.get('State')),
    postalCode: word('PostalCode', 12),
    ...placeOf(text('Latitude'), text('Longitude')),
    developmentName:
      word('CondominiumName', 120) ?? word('DevelopmentName', 120) ?? word('BuildingName', 120),
    listerName: word('ContactInfo/Name', 120),
    listerEmail: word('ContactInfo/Email', 254),
    listerPhone: word('ContactInfo/Telephone', 60),
    photos: photosOf(raw, say),
  }
}

const NAMES: Record<string, string> = {
  ListPrice: 'Preço de venda',
  RentalPrice: 'Preço do aluguel',
  PropertyAdministrationFee: 'Condomínio',
  YearlyTax: 'IPTU',
  Iptu: 'IPTU',
}

/** Reads prices. With `isNeeded`, a missing price is reported, too. */
function moneyOf({ fields }: RawListing, say: (message: string) => void) {
  return (name: string, isNeeded: boolean): number | null => {
    const field = fields.get(name)
    const text = field?.text.trim() ?? ''
    const currency = field?.attributes['currency']?.trim().toUpperCase() ?? ''
    const label = NAMES[name] ?? name
    if (text === '') {
      if (isNeeded) say(`${label} vazio: o imóvel fica sem preço.`)
      return null
    }
    if (currency !== '' && currency !== 'BRL') {
      say(`${label} em ${currency.slice(0, 10)}: só reais são lidos, então fica sem preço.`)
      return null
    }
    const cents = centsOf(text)
    if (cents === null) say(`${label} não é um número: “${text.slice(0, 40)}”. Fica sem preço.`)
    else if (cents === 0 && isNeeded) say(`${label} é zero: o imóvel fica sem preço.`)
    return cents === 0 ? null : cents
  }
}

function periodOf(field: RawField | undefined, usual: Period): Period | null {
  if (field === undefined || field.text.trim() === '') return null
  const period = field.attributes['period']?.trim() ?? ''
  return Object.hasOwn(PERIODS, period) ? PERIODS[period as keyof typeof PERIODS] : usual
}

/** '2', '2.0'; null for anything that is no count of rooms. */
function wholeOf(text: string): number | null {
  const count = amountOf(text)
  return count !== null && Number.isInteger(count) && count <= 999 ? count : null
}

function areaOf(text: string): number | null {
  const area = amountOf(text.replace(/\s*m[²2]$/i, ''))
  return area === null || area <= 0 || area > 9_999_999 ? null : Math.round(area * 100) / 100
}

const addressOf = (street: string | null, number: string | null) =>
  street === null || number === null || street.endsWith(number) ? street : `${street}, ${number}`

const STATE = /^[A-Z]{2}$/

function stateOf(field: RawField | undefined): string | null {
  const given = [field?.attributes['abbreviation'], field?.text].map((text) => text?.trim().toUpperCase())
  return given.find((text) => text !== undefined && STATE.test(text)) ?? null
}

function placeOf(latitude: string, longitude: string): Pick<FeedListing, 'latitude' | 'longitude'> {
  const [lat, long] = [latitude, longitude].map((text) => Number(text.replace(',', '.')))
  const isPlace =
    latitude !== '' &&
    longitude !== '' &&
    Math.abs(lat!) <= 90 &&
    Math.abs(long!) <= 180 &&
    (lat !== 0 || long !== 0)
  return isPlace ? { latitude: lat!, longitude: long! } : { latitude: null, longitude: null }
}

function photosOf({ items }: RawListing, say: (message: string) => void): FeedPhoto[] {
  const images = items.filter(({ medium }) => medium === '' || medium === 'image')
  const isAllowed = ({ url }: { url: string }) =>
    url.length <= MAX_URL && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  const good = images.filter(isAllowed)
  if (good.length < images.length)
    say(`${images.length - good.length} endereço(s) de foto não são https: ficaram de fora.`)
  const ordered = [
    ...good.filter(({ isPrimary }) => isPrimary),
    ...good.filter(({ isPrimary }) => !isPrimary),
  ]
  const once = new Map(ordered.map(({ url, caption }) => [url, caption]).toReversed() as [string, string][])
  const photos = [...new Set(ordered.map(({ url }) => url))].map((url) => ({
    url,
    caption: cutText(cleanText(once.get(url) ?? ''), 120).trim() || null,
  }))
  if (photos.length > MAX_PHOTOS) say(`Mais de ${MAX_PHOTOS} fotos: as outras ficaram de fora.`)
  return photos.slice(0, MAX_PHOTOS)
}

const TAG = /<\/?[a-z][^<>]*>/gi
const LINE_END = /<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi

/** Removes HTML tags, which programs write into texts. A '<' without a name, as in 'preço < mercado', stays. */
const withoutTags = (text: string): string => text.replaceAll(LINE_END, '\n').replaceAll(TAG, '')
