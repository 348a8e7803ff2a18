// Writes the agency's own VRSync feed: what is published, as portals demand it.
import {
  photoPath,
  type DevelopmentContent,
  type ListingContent,
  type PageContent,
  type PagePhoto,
} from './content.ts'
import { listingReasons, pageReasons, planReasons } from './left-out.ts'
import { publishedKind } from './published-kind.ts'
import { planFacts } from './words.ts'

export type FeedOffice = {
  name: string
  email: string
  /** The central number, as it is dialled; null: none. */
  phone: string | null
  /** The state (UF) of developments. */
  state: string
  origin: string
}

const NAMESPACE = 'http://www.vivareal.com/schemas/1.0/VRSync'
const TITLE = { min: 10, max: 100 }
const DESCRIPTION = { min: 50, max: 3_000 }
const MAX_PHOTOS = 50
const STATES: Record<string, string> = {
  AC: 'Acre',
  AL: 'Alagoas',
  AP: 'Amapá',
  AM: 'Amazonas',
  BA: 'Bahia',
  CE: 'Ceará',
  DF: 'Distrito Federal',
  ES: 'Espírito Santo',
  GO: 'Goiás',
  MA: 'Maranhão',
  MT: 'Mato Grosso',
  MS: 'Mato Grosso do Sul',
  MG: 'Minas Gerais',
  PA: 'Pará',
  PB: 'Paraíba',
  PR: 'Paraná',
  PE: 'Pernambuco',
  PI: 'Piauí',
  RJ: 'Rio de Janeiro',
  RN: 'Rio Grande do Norte',
  RS: 'Rio Grande do Sul',
  RO: 'Rondônia',
  RR: 'Roraima',
  SC: 'Santa Catarina',
  SP: 'São Paulo',
  SE: 'Sergipe',
  TO: 'Tocantins',
}
/** States that the format knows. */
export const isState = (code: string): boolean => Object.hasOwn(STATES, code)

/** Drops characters that XML 1.0 cannot hold. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
const element = (name: string, text: string | number | null, attributes = ''): string =>
  text === null || text === '' ? '' : `<${name}${attributes}>${escaped(String(text))}</${name}>`

export const feedStart = ({ name, email, phone }: FeedOffice, nowMs: number): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ListingDataFeed xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} http://xml.vivareal.com/vrsync.xsd">
<Header>${element('Provider', 'Portal do Corretor')}${element('Email', email)}${element('ContactName', name)}${element('PublishDate', new Date(nowMs).toISOString().slice(0, 19))}${element('Telephone', phone)}</Header>
<Listings>
`
export const FEED_END = '</Listings>\n</ListingDataFeed>\n'

type Advert = {
  id: string
  title: string
  business: 'For Sale' | 'For Rent' | 'Sale/Rent'
  description: string
  /** The elements of <Details> beside type and description. */
  details: string
  kind: string
  state: string
  postalCode: string | null
}

/** The advertisements of a page, without those that left-out.ts has a reason to leave out. */
export function feedListings(content: PageContent, office: FeedOffice): string {
  if (pageReasons({ hasPhoto: content.media.length > 0, city: content.city }).length > 0) return ''
  const adverts = content.type === 'listing' ? listingAdverts(content, office) : planAdverts(content, office)
  return adverts.map((advert) => listingXml(advert, content, office)).join('')
}

/** Writes whole reais, because the format's prices have no cents. */
const price = (name: string, cents: number | null, attributes = '') =>
  cents === null ? '' : element(name, Math.max(1, Math.round(cents / 100)), ` currency="BRL"${attributes}`)
const area = (name: string, metres: number | null) => element(name, metres, ' unit="square metres"')
/** Six decimals are a tenth of a metre; without them a tiny number would be written as '1e-7'. */
const degrees = (name: string, value: number | null) => element(name, value?.toFixed(6) ?? null)
const parking = (count: number | null) => element('Garage', count, ' type="Parking Space"')
const PERIODS = { dia: 'Daily', semana: 'Weekly', mes: 'Monthly', ano: 'Yearly' }

function listingAdverts(content: ListingContent, office: FeedOffice): Advert[] {
  const { saleCents, rentCents, rentPeriod } = content
  const kind = publishedKind(content.kind)
  if (kind === null || listingReasons(content).length > 0) return []
  const business = saleCents === null ? 'For Rent' : rentCents === null ? 'For Sale' : 'Sale/Rent'
  const { taxCents, taxPeriod } = content
  return [
    {
      id: content.code,
      title: content.name,
      business,
      kind,
      description: content.description ?? '',
      state: content.state ?? office.state,
      postalCode: content.postalCode,
      details: [
        price('ListPrice', saleCents),
        price('RentalPrice', rentCents, ` period="${PERIODS[rentPeriod ?? 'mes']}"`),
        price('PropertyAdministrationFee', content.condoCents),
        price('Iptu', taxCents, ` period="${PERIODS[taxPeriod ?? 'ano']}"`),
        area('LivingArea', content.area),
        area('LotArea', content.lotArea),
        element('Bedrooms', content.bedrooms),
        element('Bathrooms', content.bathrooms),
        element('Suites', content.suites),
        parking(content.parking),
      ].join(''),
    },
  ]
}

function planAdverts(content: DevelopmentContent, office: FeedOffice): Advert[] {
  const { code, name, description } = content
  return content.plans
    .filter((plan) => planReasons(plan).length === 0)
    .map((plan) => ({
      id: `${code}-${plan.id}`,
      title: `${name}, ${plan.name}`,
      business: 'For Sale',
      kind: 'Residential / Apartment',
      description: [description, `${plan.name}: ${planFacts(plan)}.`].filter(Boolean).join('\n'),
      state: office.state,
      postalCode: null,
      details: [
        price('ListPrice', plan.priceFromCents),
        area('LivingArea', plan.areaFrom),
        element('Bedrooms', plan.bedrooms),
        element('Suites', plan.suites),
        parking(plan.parking),
      ].join(''),
    }))
}

/** Titles may not have HTML. */
const withoutTags = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Fits a text into the format's lengths. To a text that is too short it adds where the listing is. */
function fitted(
  text: string,
  { district, city, name }: PageContent,
  { min, max }: { min: number; max: number },
): string {
  const more = [text, district, city].filter(Boolean).join(', ')
  const long =
    text.length >= min
      ? text
      : more.length >= min
        ? more
        : `${more}. ${name}. Fale conosco para saber mais e marcar uma visita.`
  return long.length <= max ? long : long.slice(0, max - 1).replace(/\s+\S*$/, '')
}

function listingXml(advert: Advert, content: PageContent, office: FeedOffice): string {
  const { origin, email, name, phone } = office
  const { slug, address, district, city, latitude, longitude, updatedAt } = content
  const item = ({ mediaId, caption }: PagePhoto, place: number) =>
    `<Item medium="image"${caption === null ? '' : ` caption="${escaped(caption)}"`}${place === 0 ? ' primary="true"' : ''}>${escaped(origin + photoPath(slug, mediaId))}</Item>`
  const isCommercial = advert.kind.startsWith('Commercial')
  return `<Listing>${element('ListingID', advert.id)}${element('Title', fitted(withoutTags(advert.title), content, TITLE))}${element('TransactionType', advert.business)}${element('LastUpdateDate', updatedAt.slice(0, 19))}${element('DetailViewUrl', `${origin}/i/${slug}`)}
<Media>${content.media.slice(0, MAX_PHOTOS).map(item).join('')}</Media>
<Details>${element('UsageType', isCommercial ? 'Commercial' : 'Residential')}${element('PropertyType', advert.kind)}${element('Description', fitted(advert.description, content, DESCRIPTION))}${advert.details}</Details>
<Location displayAddress="${address === null ? 'Neighborhood' : 'All'}"><Country abbreviation="BR">Brasil</Country>${element('State', STATES[advert.state] ?? advert.state, ` abbreviation="${advert.state}"`)}${element('City', city)}${element('Neighborhood', district)}${element('Address', address)}${element('PostalCode', advert.postalCode)}${degrees('Latitude', latitude)}${degrees('Longitude', longitude)}</Location>
<ContactInfo>${element('Name', name)}${element('Email', email)}${element('Telephone', phone)}</ContactInfo></Listing>
`
}
