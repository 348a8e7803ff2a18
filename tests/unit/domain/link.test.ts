// The first screen of a broker's area.
import { expect, it } from 'vitest'
import { entryOf, type Link } from '#domain/link.ts'

const link = (state: Link['state'], number: string | null = null): Link => ({
  state,
  number,
  replacedNumber: null,
})

it.each([
  ['nothing known yet', undefined, false, 'unknown'],
  ['nothing known yet, connected when last seen', undefined, true, 'app'],
  ['it could not be read', null, false, 'app'],
  ['open', link('open'), false, 'app'],
  ['never linked', link('close'), false, 'welcome'],
  ['linking for the first time', link('connecting'), false, 'welcome'],
  ['linked once, cut now', link('close', '5511955500187'), false, 'app'],
  ['linked once, coming back', link('connecting', '5511955500187'), false, 'app'],
  ['no gateway', link('unconfigured'), false, 'welcome'],
  ['no gateway any more', link('unconfigured', '5511955500187'), false, 'app'],
  ['gateway silent, never linked', link('unreachable'), false, 'welcome'],
])('%s', (_, known, hint, entry) => {
  expect(entryOf(known, hint)).toBe(entry)
})
