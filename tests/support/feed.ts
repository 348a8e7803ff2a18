// VRSync feeds for tests, in any size and encoding.

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export type FeedItem = {
  code?: string
  title?: string
  business?: string
  price?: string
  currency?: string
  rent?: string
  area?: string
  bedrooms?: string
  city?: string
  district?: string
  description?: string
  phone?: string
  lister?: string
  development?: string
  photos?: readonly string[]
  /** XML that is put into <Details> unchanged. */
  raw?: string
}

export function item({
  code = 'AP-1',
  title = 'Apartamento de teste',
  business = 'For Sale',
  price = '500000',
  currency = 'BRL',
  rent,
  area = '62',
  bedrooms = '2',
  city = 'Campinas',
  district = 'Cambuí',
  description = 'Um texto inventado, com mais de cinquenta letras, para um imóvel que não existe.',
  phone = '',
  lister = 'Central',
  development,
  photos = [],
  raw = '',
}: FeedItem = {}): string {
  return `<Listing><ListingID>${escaped(code)}</ListingID><Title>${escaped(title)}</Title>
<TransactionType>${business}</TransactionType>
<Media>${photos.map((url) => `<Item medium="image">${escaped(url)}</Item>`).join('')}</Media>
<Details><PropertyType>Residential / Apartment</PropertyType><Description>${escaped(description)}</Description>
<ListPrice currency="${currency}">${price}</ListPrice>${rent === undefined ? '' : `<RentalPrice currency="BRL" period="Monthly">${rent}</RentalPrice>`}
<LivingArea unit="square metres">${area}</LivingArea><Bedrooms>${bedrooms}</Bedrooms>${raw}</Details>
<Location><Country abbreviation="BR">Brasil</Country><State abbreviation="SP">São Paulo</State><City>${escaped(city)}</City>
<Neighborhood>${escaped(district)}</Neighborhood>${development === undefined ? '' : `<CondominiumName>${escaped(development)}</CondominiumName>`}</Location>
<ContactInfo><Name>${escaped(lister)}</Name><Email>central@example.com</Email><Telephone>${phone}</Telephone></ContactInfo></Listing>`
}

export const START = `<ListingDataFeed xmlns="http://www.vivareal.com/schemas/1.0/VRSync" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Header><Provider>Teste</Provider><Email>feed@example.com</Email></Header><Listings>`
const END = '</Listings></ListingDataFeed>'

export const feedOf = (
  items: readonly (FeedItem | string)[],
  declaration = '<?xml version="1.0" encoding="UTF-8"?>',
) =>
  `${declaration}\n${START}${items.map((one) => (typeof one === 'string' ? one : item(one))).join('\n')}${END}`

/** Bytes in pieces of a size. */
export async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
