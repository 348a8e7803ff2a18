// The types of property that portals take in a VRSync feed, and the names that feeds use for them.
import { foldText } from '#domain/search.ts'

/** The types as the format publishes them today; portals refuse any other. */
export const PUBLISHED_KINDS = [
  'Residential / Apartment',
  'Residential / Home',
  'Residential / Condo',
  'Residential / Village House',
  'Residential / Farm Ranch',
  'Residential / Penthouse',
  'Residential / Flat',
  'Residential / Kitnet',
  'Residential / Loft',
  'Residential / Studio',
  'Residential / Land Lot',
  'Residential / Sobrado',
  'Residential / Agricultural',
  'Commercial / Consultorio',
  'Commercial / Edificio Residencial',
  'Commercial / Edificio Comercial',
  'Commercial / Industrial',
  'Commercial / Garage',
  'Commercial / Hotel',
  'Commercial / Building',
  'Commercial / Corporate Floor',
  'Commercial / Land Lot',
  'Commercial / Business',
  'Commercial / Office',
] as const
type PublishedKind = (typeof PUBLISHED_KINDS)[number]

/** Only letters count, so that 'Land/Lot' and 'Consultório' are found. */
const keyOf = (kind: string) => foldText(kind).replaceAll(/[^a-z]/g, '')

/** Names of the format's first years, and Portuguese ones. */
const OTHER_NAMES: Record<string, PublishedKind> = {
  residentialhouse: 'Residential / Home',
  residentialtwostoryhouse: 'Residential / Sobrado',
  residentialapartmenthotel: 'Residential / Flat',
  commercialresidentialincome: 'Commercial / Edificio Residencial',
  commercialretail: 'Commercial / Business',
  commercialagricultural: 'Residential / Agricultural',
  vacationhome: 'Residential / Home',
  vacationapartment: 'Residential / Apartment',
  vacationaparment: 'Residential / Apartment',
  vacationfarmranch: 'Residential / Farm Ranch',
  vacationcondo: 'Residential / Condo',
  apartamento: 'Residential / Apartment',
  casa: 'Residential / Home',
  casadecondominio: 'Residential / Condo',
  casadevila: 'Residential / Village House',
  cobertura: 'Residential / Penthouse',
  sobrado: 'Residential / Sobrado',
  terreno: 'Residential / Land Lot',
  chacara: 'Residential / Farm Ranch',
  salacomercial: 'Commercial / Office',
  loja: 'Commercial / Business',
  galpao: 'Commercial / Industrial',
}
const KINDS = new Map<string, PublishedKind>([
  ...PUBLISHED_KINDS.map((kind) => [keyOf(kind), kind] as const),
  ...Object.entries(OTHER_NAMES),
])

/** Returns the published type that a feed's type means; null for one that portals do not take. */
export const publishedKind = (kind: string): PublishedKind | null => KINDS.get(keyOf(kind)) ?? null
