// The packed index of developments as the portal answers it.
import * as v from 'valibot'
import type { PackedIndex } from '#domain/development/material-index.ts'

const Texts = v.array(v.nullable(v.string()))
const Numbers = v.array(v.nullable(v.number()))
const Counts = v.array(v.number())
const Names = v.array(v.string())
const PRICED = { price: Numbers, priced: Numbers, valid: Numbers }
export const PackedIndexRow: v.GenericSchema<unknown, PackedIndex> = v.object({
  id: Counts,
  name: Names,
  state: Counts,
  delivers: Numbers,
  address: Texts,
  district: Texts,
  city: Texts,
  placeName: Texts,
  latitude: Numbers,
  longitude: Numbers,
  license: Texts,
  // Missing in responses of the previous release's portal.
  slug: v.optional(Texts, []),
  available: v.optional(Numbers),
  ...PRICED,
  plans: v.object({
    count: Counts,
    id: Counts,
    name: Names,
    bedrooms: Numbers,
    suites: Numbers,
    parking: Numbers,
    areaFrom: Numbers,
    areaTo: Numbers,
    ...PRICED,
    priceTo: Numbers,
    left: Numbers,
    drawing: Numbers,
  }),
  photos: v.object({ count: Counts, id: Counts, title: Texts }),
  documents: v.object({
    count: Counts,
    id: Counts,
    kind: Counts,
    title: Texts,
    fileName: Names,
    kilobytes: Counts,
    added: Counts,
  }),
})
