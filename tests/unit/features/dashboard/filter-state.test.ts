// The dashboard's address: parsing and writing are inverse, and invalid parts do no harm.
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_FILTER,
  type DashboardState,
  draftFault,
  fromDraft,
  readState,
  toDraft,
  withoutAll,
  writeState,
} from '#features/dashboard/filter/filter-state.ts'

/** Writes the filters into an address and reads them back, as the router does. */
const throughAddress = (search: Record<string, unknown>) =>
  parseSearchWith(JSON.parse)(stringifySearchWith(JSON.stringify, JSON.parse)(search))

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 })
const filter = fc.record({
  period: fc.oneof(
    fc.constantFrom('hoje', 'ultima-semana', 'ultimo-mes').map((name) => ({ name }) as const),
    fc.tuple(day, day).map(([one, other]) => {
      const [from = one, to = other] = [one, other].toSorted()
      return { name: 'personalizado', from, to } as const
    }),
  ),
  developments: names,
  brokers: names,
})
const figure = fc.option(
  fc.oneof(
    fc
      .constantFrom('total', 'answered', 'unanswered', 'won', 'within-five-minutes', 'contacted')
      .map((kind) => ({ kind }) as const),
    fc.record({ kind: fc.constantFrom('status', 'source', 'campaign', 'weekday'), value: fc.string() }),
    fc.record({ kind: fc.constantFrom('open-value', 'lost'), value: fc.option(fc.string()) }),
    fc.record({
      kind: fc.constantFrom('answered-after', 'contacted-after'),
      value: fc.nat().map((hundredths) => String(hundredths / 100)),
    }),
    fc.tuple(day, day).map((days) => ({ kind: 'days', value: days.toSorted().join('/') }) as const),
  ),
)
const state: fc.Arbitrary<DashboardState> = fc.oneof(
  fc.record({ section: fc.constant('overview' as const), filter: fc.constant(null), figure }),
  fc.record({ section: fc.constant('filter' as const), filter, figure }),
  fc.record({ section: fc.constant('roleta' as const), filter, figure: fc.constant(null) }),
)

describe('the address', () => {
  it('parses to the state that it was written from', () => {
    fc.assert(
      fc.property(state, (written) => {
        expect(readState(throughAddress(writeState(written)))).toEqual(written)
      }),
    )
  })

  it('is short without a choice', () => {
    expect(writeState({ section: 'overview', filter: null, figure: null })).toEqual({})
    expect(writeState({ section: 'filter', filter: DEFAULT_FILTER, figure: null })).toEqual({
      periodo: 'ultimo-mes',
    })
  })

  it('may contain anything', () => {
    const key = fc.constantFrom(
      'secao',
      'periodo',
      'inicio',
      'fim',
      'empreendimentos',
      'corretores',
      'figura',
      'valor',
    )
    fc.assert(
      fc.property(fc.dictionary(key, fc.anything()), (search) => {
        const read = readState(search)
        expect(readState(writeState(read))).toEqual(read.section === null ? readState({}) : read)
      }),
    )
  })

  it.each<[Record<string, unknown>, DashboardState['section']]>([
    [{}, 'overview'],
    [{ periodo: 'hoje' }, 'filter'],
    [{ periodo: 'amanhã' }, 'overview'],
    [{ periodo: 'personalizado', inicio: '2026-11-02', fim: '2026-11-01' }, 'overview'],
    [{ periodo: 'personalizado', inicio: '2026-11-01' }, 'overview'],
    [{ periodo: 'personalizado', inicio: '0202-11-01', fim: '2026-11-01' }, 'overview'],
    [{ periodo: 'personalizado', inicio: '2026-11-01', fim: '9999-12-31' }, 'overview'],
    [{ secao: 'roleta' }, 'roleta'],
    [{ secao: 'outra' }, null],
  ])('%j is the section %s', (search, section) => expect(readState(search).section).toBe(section))
})

describe('an open list', () => {
  it.each([
    [{ figura: 'answered-after', valor: 'ontem' }],
    [{ figura: 'answered-after' }],
    [{ figura: 'days', valor: '2026-11-02/2026-11-01' }],
    [{ figura: 'days', valor: '2026-11-02' }],
    [{ figura: 'lost', valor: [1] }],
    [{ figura: 'status' }],
  ])('%j opens none', (search) => expect(readState(search).figure).toBeNull())
})

describe('choosing all', () => {
  it.each([
    [['a', 'b'], ['a', 'b'], []],
    [['b', 'a'], ['a', 'b'], []],
    [['a'], ['a', 'b'], ['a']],
    [[], ['a', 'b'], []],
    [['a'], [], ['a']],
  ])('%j of %j are requested as %j', (chosen, all, asked) => expect(withoutAll(chosen, all)).toEqual(asked))
})

describe('the form', () => {
  const SPAN = { from: '2026-10-21', to: '2026-11-21' }

  it('returns the filter that it was opened with', () => {
    fc.assert(
      fc.property(filter, (opened) => {
        expect(fromDraft(toDraft(opened, SPAN))).toEqual(opened)
      }),
    )
  })

  it('uses typed days only for a custom period', () => {
    const draft = { ...toDraft(DEFAULT_FILTER, SPAN), span: { from: '2026-11-02', to: '2026-11-01' } }
    expect(draftFault(draft)).toBeNull()
    expect(draftFault({ ...draft, name: 'personalizado' })).toBe('order')
  })
})
