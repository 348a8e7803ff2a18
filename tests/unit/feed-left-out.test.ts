// The feed for portals leaves items out for each reason of the table, and none without a reason.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LEFT_OUT, LEFT_OUT_REASONS } from '#domain/development/left-out.ts'
import type { DevelopmentContent, PageContent, PagePlan } from '#server/developments/pages/content.ts'
import { feedListings } from '#server/developments/pages/feed-out.ts'
import { createLeftOut, type PublishedFacts } from '#server/developments/pages/left-out.ts'
import { LISTING } from '#tests/support/published-listing.ts'

const PLAN: PagePlan = {
  id: 4,
  name: '2 quartos',
  bedrooms: 2,
  suites: 1,
  parking: 1,
  areaFrom: 62,
  areaTo: null,
  isSoldOut: false,
  priceFromCents: 41_200_000,
  pricedOn: '2026-11-21',
}
const DEVELOPMENT: DevelopmentContent = {
  ...LISTING,
  type: 'development',
  code: 'E3',
  name: 'Mirante do Lago',
  papers: [],
  builder: null,
  phase: null,
  deliversOn: null,
  license: null,
  priceFromCents: null,
  plans: [PLAN],
}
const OFFICE = {
  name: 'Casa',
  email: 'a@casa.example',
  phone: null,
  state: 'SP',
  origin: 'https://casa.example',
}

/** The facts that the database gives of a page with this content. */
function factsOf(content: PageContent): PublishedFacts {
  const { code, name, city, media } = content
  const page = { id: 1, code, name, city, hasPhoto: media.length > 0 }
  if (content.type === 'development')
    return { ...page, type: 'development', developmentId: 3, plans: content.plans }
  const { kind, saleCents, rentCents } = content
  return { ...page, type: 'listing', kind, saleCents, rentCents }
}
function leftOut(...contents: PageContent[]) {
  const made = createLeftOut()
  for (const content of contents) made.add(factsOf(content))
  return made.answer()
}
const told = (content: PageContent) =>
  leftOut(content).reasons.flatMap(({ reason, items }) => items.map(({ code }) => `${reason} ${code}`))
const written = (content: PageContent) =>
  [...feedListings(content, OFFICE).matchAll(/<ListingID>([^<]*)/g)].map(([, code]) => code)

test.each<[name: string, PageContent, inFeed: string[], told: string[]]>([
  ['a whole listing', LISTING, ['CA-1'], []],
  ['an unknown type', { ...LISTING, kind: 'Residential / Island' }, [], ['kind CA-1']],
  ['no price', { ...LISTING, saleCents: null, rentCents: null }, [], ['price CA-1']],
  ['a rent only', { ...LISTING, saleCents: null }, ['CA-1'], []],
  ['no photo', { ...LISTING, media: [] }, [], ['photo CA-1']],
  ['no city', { ...LISTING, city: null }, [], ['city CA-1']],
  [
    'no address, which the format does not demand',
    { ...LISTING, address: null, district: null },
    ['CA-1'],
    [],
  ],
  [
    'all at once',
    { ...LISTING, kind: '', saleCents: null, rentCents: null, media: [], city: null },
    [],
    ['kind CA-1', 'price CA-1', 'photo CA-1', 'city CA-1'],
  ],
  ['a development', DEVELOPMENT, ['E3-4'], []],
  ['no plans', { ...DEVELOPMENT, plans: [] }, [], ['plans E3']],
  ['a development without a photo', { ...DEVELOPMENT, media: [] }, [], ['photo E3']],
  [
    'plans without a price of today',
    {
      ...DEVELOPMENT,
      plans: [
        PLAN,
        { ...PLAN, id: 5, priceFromCents: null },
        { ...PLAN, id: 6, priceFromCents: null, isSoldOut: true },
      ],
    },
    ['E3-4'],
    ['plan-price E3-5', 'sold-out E3-6'],
  ],
])('%s', (_, content, inFeed, reasons) => {
  expect(written(content)).toEqual(inFeed)
  expect(told(content)).toEqual(reasons)
})

test('the type that no portal knows is named', () => {
  const { total, reasons } = leftOut({ ...LISTING, kind: 'Residential / Island' })
  expect(total).toBe(1)
  expect(reasons[0]?.items).toEqual([
    { code: 'CA-1', name: LISTING.name, kind: 'Residential / Island', developmentId: null },
  ])
})

test('of many a hundred are named and all are counted; one with two reasons counts once', () => {
  const many = Array.from({ length: 250 }, (_, at) => ({
    ...LISTING,
    code: `CA-${at}`,
    kind: '',
    city: null,
  }))
  const { total, reasons } = leftOut(...many, LISTING)
  expect(total).toBe(250)
  expect(reasons.map(({ reason, count, items }) => [reason, count, items.length])).toEqual([
    ['kind', 250, 100],
    ['city', 250, 100],
  ])
})

describe('whatever is published', () => {
  const maybe = <T>(value: T) => fc.constantFrom(value, null)
  const page = { media: fc.constantFrom(LISTING.media, []), city: maybe('Campinas') }
  const listing = fc.record({
    ...page,
    kind: fc.oneof(fc.constantFrom('Casa', 'Residential / Home', 'Island'), fc.string()),
    saleCents: maybe(1),
    rentCents: maybe(1),
  })
  const plan = fc.record({ priceFromCents: maybe(1), isSoldOut: fc.boolean() })
  const development = fc.record({ ...page, plans: fc.array(plan, { maxLength: 4 }) })

  test('a listing is in the feed, or left out with a reason, and never both', () => {
    fc.assert(
      fc.property(listing, (more) => {
        const content = { ...LISTING, ...more }
        expect(written(content).length > 0).toBe(leftOut(content).total === 0)
      }),
    )
  })

  test('a plan is in the feed, or it or its development is left out with a reason', () => {
    fc.assert(
      fc.property(development, ({ plans, ...more }) => {
        const content = {
          ...DEVELOPMENT,
          ...more,
          plans: plans.map((each, id) => ({ ...PLAN, ...each, id })),
        }
        const items = leftOut(content).reasons.flatMap(({ items: named }) => named.map(({ code }) => code))
        const out = content.plans
          .map(({ id }) => `E3-${id}`)
          .filter((code) => items.includes('E3') || items.includes(code))
        const both = [...written(content), ...out]
        expect(new Set(both)).toEqual(new Set(content.plans.map(({ id }) => `E3-${id}`)))
        expect(both).toHaveLength(plans.length)
        if (plans.length === 0) expect(items).toContain('E3')
      }),
    )
  })
})

test('each reason has words, and a way to mend it', () => {
  expect(LEFT_OUT_REASONS).toEqual(Object.keys(LEFT_OUT))
  for (const { why, mend } of Object.values(LEFT_OUT)) expect([why, mend]).not.toContain('')
})
