// The query string's grammar: results, and positions of errors.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestError } from '#server/rest/errors.ts'
import { parseOperation, tryOperation } from '#server/rest/parse/filter.ts'
import { parseLogic } from '#server/rest/parse/logic.ts'
import { parseNames, parseTreePath } from '#server/rest/parse/names.ts'
import { parseOrder } from '#server/rest/parse/order.ts'
import { parseQuery } from '#server/rest/parse/query.ts'
import { parseSelect } from '#server/rest/parse/select.ts'
import { checkPattern, checkValue, nestingOf, patternWeight } from '#server/rest/parse/value-limits.ts'
import { table } from '#tests/support/table.ts'

const refusal = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RestError)
      return { code: error.code, message: error.message, details: error.details }
    throw error
  }
}

describe('names', () => {
  table('%s', parseTreePath, [
    ['id', { embeds: [], field: { name: 'id', path: [] } }],
    ['tasks.projects.name', { embeds: ['tasks', 'projects'], field: { name: 'name', path: [] } }],
    ['"a.b".c', { embeds: ['a.b'], field: { name: 'c', path: [] } }],
    ['"q\\"\\\\"', { embeds: [], field: { name: 'q"\\', path: [] } }],
    ['with-dash and space', { embeds: [], field: { name: 'with-dash and space', path: [] } }],
    ['ação_1$', { embeds: [], field: { name: 'ação_1$', path: [] } }],
    [
      'data->a->>-2',
      {
        embeds: [],
        field: {
          name: 'data',
          path: [
            { arrow: '->', key: 'a' },
            { arrow: '->>', index: '-2' },
          ],
        },
      },
    ],
    ['data->"1"', { embeds: [], field: { name: 'data', path: [{ arrow: '->', key: '1' }] } }],
    ['data->1x', { embeds: [], field: { name: 'data', path: [{ arrow: '->', key: '1x' }] } }],
  ])

  test('lists of columns', () => {
    expect(parseNames('id, "a,b" ,id', 'columns')).toEqual(['id', 'a,b'])
    expect(refusal(() => parseNames('a,,b', 'columns'))).toEqual({
      code: 'PGRST100',
      message: '"failed to parse columns parameter (a,,b)" (line 1, column 3)',
      details: 'unexpected "," expecting field name (* or [a..z0..9_$])',
    })
  })
})

describe('select', () => {
  const short = (text: string) =>
    (JSON.parse(JSON.stringify({ items: parseSelect(text) }, omit)) as { items?: unknown }).items
  /** Omits what is not set. */
  const omit = (_key: string, value: unknown) =>
    value === null || value === false || (Array.isArray(value) && value.length === 0) ? undefined : value

  table('%s', short, [
    ['', undefined],
    ['*', [{ kind: 'field', field: { name: '*' } }]],
    ['a:id::text', [{ kind: 'field', field: { name: 'id' }, alias: 'a', cast: 'text' }]],
    ['id::double precision', [{ kind: 'field', field: { name: 'id' }, cast: 'double precision' }]],
    [
      'x->>y::int.sum()::text',
      [
        {
          kind: 'field',
          field: { name: 'x', path: [{ arrow: '->>', key: 'y' }] },
          cast: 'int',
          aggregate: 'sum',
          aggregateCast: 'text',
        },
      ],
    ],
    ['n:count()', [{ kind: 'field', field: { name: '*' }, alias: 'n', aggregate: 'count' }]],
    [
      'a:rel!hint!inner(b, c(*))',
      [
        {
          kind: 'relation',
          name: 'rel',
          alias: 'a',
          hint: 'hint',
          isInner: true,
          level: {
            items: [
              { kind: 'field', field: { name: 'b' } },
              { kind: 'relation', name: 'c', level: { items: [{ kind: 'field', field: { name: '*' } }] } },
            ],
          },
        },
      ],
    ],
    ['...rel!left()', [{ kind: 'relation', name: 'rel', isSpread: true, level: {} }]],
    ['"a:b":"c(d"', [{ kind: 'field', field: { name: 'c(d' }, alias: 'a:b' }]],
  ])

  test.each([
    ['id,', 4],
    ['id,,x', 4],
    ['rel(id', 7],
    ['id)', 3],
    ['id::', 5],
    ['*x', 2],
    ['a:...rel(id)', 3],
    ['id.median()', 3],
    ['rel!(id)', 5],
    ['""', 3],
  ])('%s fails at %i', (text, column) => {
    expect(refusal(() => parseSelect(text))).toMatchObject({
      code: 'PGRST100',
      message: `${JSON.stringify(`failed to parse select parameter (${text})`)} (line 1, column ${column})`,
      details: expect.stringContaining('unexpected') as string,
    })
  })
})

describe('operations', () => {
  table('%s', parseOperation, [
    [
      'eq.a.b',
      { isNegated: false, operation: { kind: 'compare', operator: 'eq', quantifier: null, value: 'a.b' } },
    ],
    [
      'not.gt.1',
      { isNegated: true, operation: { kind: 'compare', operator: 'gt', quantifier: null, value: '1' } },
    ],
    [
      'like(all).{a*}',
      {
        isNegated: false,
        operation: { kind: 'compare', operator: 'like', quantifier: 'all', value: '{a*}' },
      },
    ],
    ['in.(a,"b,\\"c")', { isNegated: false, operation: { kind: 'in', values: ['a', 'b,"c'] } }],
    ['in.()', { isNegated: false, operation: { kind: 'in', values: [] } }],
    ['in.("")', { isNegated: false, operation: { kind: 'in', values: [''] } }],
    ['in.(a,)', { isNegated: false, operation: { kind: 'in', values: ['a', ''] } }],
    ['is.NULL', { isNegated: false, operation: { kind: 'is', value: 'null' } }],
    [
      'wfts(english).a b',
      {
        isNegated: false,
        operation: { kind: 'search', operator: 'wfts', language: 'english', value: 'a b' },
      },
    ],
    ['isdistinct.x', { isNegated: false, operation: { kind: 'distinct', value: 'x' } }],
    [
      'eq.',
      { isNegated: false, operation: { kind: 'compare', operator: 'eq', quantifier: null, value: '' } },
    ],
  ])

  test.each([
    ['foo.1', 1, '"f" expecting "not" or operator (eq, gt, ...)'],
    ['not.foo.1', 5, '"f" expecting operator (eq, gt, ...)'],
    ['', 1, 'end of input expecting "not" or operator (eq, gt, ...)'],
    ['eq', 1, '"e" expecting "not" or operator (eq, gt, ...)'],
    ['cs(any).1', 1, '"c" expecting "not" or operator (eq, gt, ...)'],
    ['match(any).{a}', 1, '"m" expecting "not" or operator (eq, gt, ...)'],
    ['is(any).null', 1, '"i" expecting "not" or operator (eq, gt, ...)'],
    ['is.nullx', 4, '"n" expecting isVal: (null, not_null, true, false, unknown)'],
    ['in.1,2', 4, '"1" expecting "("'],
    ['in.(1,2', 8, 'end of input expecting "," or ")"'],
    ['constructor.1', 1, '"c" expecting "not" or operator (eq, gt, ...)'],
  ])('%s fails', (text, column, details) => {
    expect(refusal(() => parseOperation(text))).toEqual({
      code: 'PGRST100',
      message: `"failed to parse filter (${text})" (line 1, column ${column})`,
      details: `unexpected ${details}`,
    })
  })

  test('an unknown operation is an argument', () => {
    expect(tryOperation('2024.5')).toBeNull()
    expect(tryOperation('in.progress')).toBeNull()
    expect(tryOperation('eq.1')).not.toBeNull()
  })
})

describe('trees', () => {
  test('values end at commas and brackets, unless quoted or arrays', () => {
    expect(parseLogic('or', true, '(a.eq."x,)", not.and(b.cs.{1,2},c.in.(1,2)) ,d->e.is.null)')).toEqual({
      kind: 'group',
      operator: 'or',
      isNegated: true,
      branches: [
        {
          kind: 'condition',
          field: { name: 'a', path: [] },
          isNegated: false,
          operation: { kind: 'compare', operator: 'eq', quantifier: null, value: 'x,)' },
        },
        {
          kind: 'group',
          operator: 'and',
          isNegated: true,
          branches: [
            {
              kind: 'condition',
              field: { name: 'b', path: [] },
              isNegated: false,
              operation: { kind: 'compare', operator: 'cs', quantifier: null, value: '{1,2}' },
            },
            {
              kind: 'condition',
              field: { name: 'c', path: [] },
              isNegated: false,
              operation: { kind: 'in', values: ['1', '2'] },
            },
          ],
        },
        {
          kind: 'condition',
          field: { name: 'd', path: [{ arrow: '->', key: 'e' }] },
          isNegated: false,
          operation: { kind: 'is', value: 'null' },
        },
      ],
    })
  })

  test.each([
    ['()', 4],
    [')(', 3],
    ['(a.eq.1', 10],
    ['(a.eq.1))', 11],
    ['(xor(a.eq.1))', 7],
  ])('or=%s fails at %i', (text, column) => {
    expect(refusal(() => parseLogic('or', false, text))).toMatchObject({
      code: 'PGRST100',
      message: `"failed to parse logic tree (${text})" (line 1, column ${column})`,
      details: expect.any(String) as string,
    })
  })
})

describe('order', () => {
  test('terms', () => {
    expect(parseOrder('a.desc.nullslast, b->c ,rel(d).asc')).toEqual([
      { field: { name: 'a', path: [] }, relation: null, direction: 'desc', nulls: 'nulls last' },
      {
        field: { name: 'b', path: [{ arrow: '->', key: 'c' }] },
        relation: null,
        direction: null,
        nulls: null,
      },
      { field: { name: 'd', path: [] }, relation: 'rel', direction: 'asc', nulls: null },
    ])
    expect(refusal(() => parseOrder('id.ac'))).toMatchObject({
      message: expect.stringContaining('column 4') as string,
    })
  })
})

describe('a whole query', () => {
  const read = (text: string, takesArguments = false) => parseQuery(new URLSearchParams(text), takesArguments)

  test('assigns each part', () => {
    const query = read(
      'select=id,k:kids(id,toys(id))&id=eq.1&k.age=gt.2&kids.toys.or=(a.is.null)&k.not.and=(b.is.null)' +
        '&order=id&k.order=age.desc&limit=3&k.toys.limit=1&offset=2&columns=a,b&on_conflict=c&apikey=x',
    )
    const kids = query.root.items[1]
    const toys = kids?.kind === 'relation' ? kids.level.items[1] : undefined
    expect(query.root).toMatchObject({ limit: '3', offset: '2', order: [{ field: { name: 'id' } }] })
    expect(query.root.conditions).toHaveLength(1)
    expect(kids).toMatchObject({
      level: {
        order: [{ direction: 'desc' }],
        conditions: [{ kind: 'condition' }, { kind: 'group', isNegated: true }],
      },
    })
    expect(toys).toMatchObject({ level: { limit: '1', conditions: [{ operator: 'or' }] } })
    expect([query.columns, query.onConflict, query.args]).toEqual([['a', 'b'], ['c'], []])
  })

  test('distinguishes arguments from filters only for a function called by GET', () => {
    expect(read('a=1&b=eq.2', true).args).toEqual([['a', '1']])
    expect(refusal(() => read('a=1'))).toMatchObject({ code: 'PGRST100' })
  })

  test('refuses filters on tables that are not embedded', () => {
    expect(refusal(() => read('select=id&kids.age=gt.2'))).toMatchObject({ code: 'PGRST108' })
    expect(refusal(() => read('c.d=eq.1', true))).toMatchObject({ code: 'PGRST108' })
  })
})

describe('values that overflow the embedded engine', () => {
  test('nesting counts open brackets outside strings', () => {
    expect(nestingOf('[[],{"a":[1]}]')).toBe(3)
    expect(nestingOf('{"a":"[[[[","b\\"[":[]}')).toBe(2)
    expect(nestingOf(']]][[')).toBe(0)
    expect(refusal(() => checkValue('['.repeat(101)))).toMatchObject({ code: 'PGRST100' })
    expect(checkValue('['.repeat(100))).toHaveLength(100)
  })

  table('the pattern %s has weight %i', patternWeight, [
    ['', 0],
    ['abc', 3],
    ['^a*b?$', 2],
    ['a+', 2],
    ['(ab{3}){2}', 8],
    ['(a?){0,10}', 10],
    ['((a?){0,10}){0,10}', 100],
    ['a{2,}', 3],
    ['(a{1,255}){0}', 255],
    ['[a-z]{2}[[:alpha:]]', 3],
    ['[](){9}]x', 2],
    ['\\(\\{9}', 4],
    ['(((((((a)+)+)+)+)+)+)+', 128],
    ['(((', 0],
    [')))', 3],
    ['a{,9}', 5],
  ])

  test('patterns are limited in length and weight', () => {
    for (const pattern of ['a'.repeat(257), '((a?){1,20}){1,20}', '(a{40,}){40,}', '(?x)a', '***:a'])
      expect(refusal(() => checkPattern(pattern))).toMatchObject({ code: 'PGRST100' })
    for (const pattern of ['^(\\d{3}|[a-z]{2,8}){1,10}$', '(?:a|b)+', '\\(?=\\\\1', 'a'.repeat(200)])
      expect(refusal(() => checkPattern(pattern))).toBeUndefined()
  })

  test.each([
    ['^(.+)(.+)\\2\\1$', /refer back/],
    ['(a)\\\\\\1', /refer back/],
    ['[\\](.+)\\1]', /refer back/],
    ['a(?=.*b)', /look around/],
    ['a(?!.*b)', /look around/],
    ['(?<=a.*)b', /look around/],
    ['(?<!a.*)b', /look around/],
    ['(.+)(?#[)\\1(?#])', /look around|refer back/],
    ['(?', /look around/],
  ])('%s cannot be matched in one pass, wherever it is', (pattern, words) => {
    const quoted = `"${pattern.replaceAll('\\', '\\\\')}"`
    for (const query of [
      { name: `match.${pattern}` },
      { name: `not.imatch.${pattern}` },
      { or: `(id.eq.1,not.and(id.gt.2,name.imatch.${quoted}))` },
      { select: 'id,child(id)', 'child.name': `match.${pattern}` },
      { select: 'id,child(id)', 'child.or': `(name.match.${quoted},id.eq.1)` },
    ]) {
      const of = new URLSearchParams(query)
      for (const takesArguments of [false, true])
        expect(refusal(() => parseQuery(of, takesArguments))).toMatchObject({
          code: 'PGRST100',
          message: expect.stringMatching(words) as string,
        })
    }
  })

  test('a long LIKE is refused, alone and as one of several', () => {
    const long = 'a'.repeat(1_001)
    for (const value of [
      `like.${long}`,
      `ilike.${long}`,
      `like(any).{b,${long}}`,
      `not.ilike(all).{${long}}`,
    ])
      expect(refusal(() => parseOperation(value))).toMatchObject({ code: 'PGRST100' })
    expect(parseOperation(`ilike.${'a'.repeat(1_000)}`)).toBeTruthy()
  })
})

const ALPHABET = 'ab1.,()"\\!:->*{}[] ornotinselect='.split('')

test('any text is parsed or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 60 }), (text) => {
      const word = encodeURIComponent(text)
      for (const part of [`select=${word}`, `order=${word}`, `or=${word}`, `x=${word}`, `${word}=eq.1`])
        expect(refusal(() => parseQuery(new URLSearchParams(part)))).toBeTypeOf('object')
    }),
    { numRuns: 500 },
  )
})
