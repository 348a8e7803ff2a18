// What a public page and the feed for portals show, as portal.page_content returns it.

export type PagePhoto = {
  mediaId: string
  thumbId: string | null
  wholeId: string | null
  width: number | null
  height: number | null
  caption: string | null
}

type Shown = {
  slug: string
  /** The name in texts to the agency: a listing's code in the feed, or E and a development's number. */
  code: string
  name: string
  description: string | null
  address: string | null
  district: string | null
  city: string | null
  latitude: number | null
  longitude: number | null
  /** The day on which the price was set, as yyyy-mm-dd. */
  pricedOn: string | null
  updatedAt: string
  media: PagePhoto[]
}

export type PagePlan = {
  id: number
  name: string
  bedrooms: number | null
  suites: number | null
  parking: number | null
  areaFrom: number | null
  areaTo: number | null
  isSoldOut: boolean
  /** The lowest price. Null: its last day is over. */
  priceFromCents: number | null
  pricedOn: string | null
}

/** A document that the page offers; the newest of its kind. */
export type PagePaper = { kind: 'book' | 'memorial'; title: string | null; sizeBytes: number }

export type DevelopmentContent = Shown & {
  type: 'development'
  papers: PagePaper[]
  builder: string | null
  phase: 'lancamento' | 'em_obras' | 'pronto' | null
  deliversOn: string | null
  license: string | null
  priceFromCents: number | null
  plans: PagePlan[]
}

export type ListingContent = Shown & {
  type: 'listing'
  business: 'venda' | 'aluguel' | 'ambos'
  kind: string
  saleCents: number | null
  rentCents: number | null
  rentPeriod: 'dia' | 'semana' | 'mes' | 'ano' | null
  condoCents: number | null
  taxCents: number | null
  taxPeriod: 'dia' | 'semana' | 'mes' | 'ano' | null
  area: number | null
  lotArea: number | null
  bedrooms: number | null
  bathrooms: number | null
  suites: number | null
  parking: number | null
  state: string | null
  postalCode: string | null
  development: string | null
}

export type PageContent = DevelopmentContent | ListingContent

/** The path of a document, below the page's address. */
export const paperPath = (slug: string, kind: PagePaper['kind']): string => `/i/${slug}/${kind}.pdf`

/** The path of a photo, below the page's address. */
export const photoPath = (slug: string, mediaId: string): string => `/i/${slug}/${mediaId}.jpg`
