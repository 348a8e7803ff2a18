// The agency's own feed: the type of property of each advertisement is one that portals take.
import { expect, test } from 'vitest'
import { feedListings } from '#server/developments/pages/feed-out.ts'
import { PUBLISHED_KINDS } from '#server/developments/pages/published-kind.ts'
import { LISTING } from '#tests/support/published-listing.ts'

const OFFICE = {
  name: 'Casa & Cia',
  email: 'feed@casa.example',
  phone: '5511955509001',
  state: 'SP',
  origin: 'https://casa.example',
}
const written = (kind: string) => {
  const xml = feedListings({ ...LISTING, kind }, OFFICE)
  const textOf = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(xml)?.[1]
  return xml === '' ? null : [textOf('UsageType'), textOf('PropertyType')]
}

test.each(PUBLISHED_KINDS)('%s is written as it is', (kind) => {
  expect(written(kind)).toEqual([kind.split(' / ')[0], kind])
})

test.each([
  ['residential/apartment', 'Residential / Apartment'],
  ['Residential / Land/Lot', 'Residential / Land Lot'],
  ['Residential / Farm/Ranch', 'Residential / Farm Ranch'],
  ['Residential / Two Story House', 'Residential / Sobrado'],
  ['Commercial / Consultório', 'Commercial / Consultorio'],
  ['Commercial / Retail', 'Commercial / Business'],
  ['Commercial / Agricultural', 'Residential / Agricultural'],
  ['Vacation / Condo', 'Residential / Condo'],
  ['Casa de Condomínio', 'Residential / Condo'],
  ['Galpão', 'Commercial / Industrial'],
])('%s is written as %s', (kind, published) => {
  expect(written(kind)).toEqual([published.split(' / ')[0], published])
})

test.each(['Residential / Island', 'toString', ''])('a listing of the type "%s" is left out', (kind) => {
  expect(written(kind)).toBeNull()
})

test('a title has no HTML, and a coordinate no exponent', () => {
  const xml = feedListings(
    { ...LISTING, name: '<b>Casa</b> com jardim <br/>no Cambuí', latitude: 0.000_000_1, longitude: -47.0612 },
    OFFICE,
  )
  expect(xml).toContain('<Title>Casa com jardim no Cambuí</Title>')
  expect(xml).toContain('<Latitude>0.000000</Latitude><Longitude>-47.061200</Longitude>')
})
