// Headers, paths and bodies as the REST layer reads them.
import { describe, expect, test } from 'vitest'
import { RestError } from '#server/rest/errors.ts'
import { toLevel } from '#server/rest/parse/select.ts'
import { bodyType, parseJsonBody, readBody } from '#server/rest/request/body.ts'
import { negotiateMedia } from '#server/rest/request/accept.ts'
import { parsePreferences, preferenceApplied } from '#server/rest/request/preferences.ts'
import { applyRangeHeader } from '#server/rest/request/range.ts'
import { readSchema, readTarget } from '#server/rest/request/target.ts'

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RestError) return `${error.status} ${error.code}`
    throw error
  }
}

describe('preferences', () => {
  test('the first of each kind counts, blanks do not', () => {
    expect(
      parsePreferences(
        ' return=minimal ,count=exact,return=representation, max-affected=3,missing=default',
        true,
      ),
    ).toEqual({
      resolution: null,
      missing: 'default',
      return: 'minimal',
      count: 'exact',
      tx: null,
      handling: null,
      timezone: null,
      maxAffected: 3,
    })
    expect(parsePreferences(null, true).return).toBeNull()
  })

  test('a rollback is done only where allowed, and never unknown', () => {
    expect(parsePreferences('tx=rollback', true).tx).toBe('rollback')
    expect(parsePreferences('tx=rollback,handling=strict', false).tx).toBeNull()
  })

  test('strict handling refuses unknown ones', () => {
    for (const header of ['foo', 'count=many', 'timezone=America/Sao_Paulo', 'max-affected=x', 'Count=exact'])
      expect(codeOf(() => parsePreferences(`handling=strict,${header}`, true))).toBe('400 PGRST122')
  })

  test('the answer names the applied ones, in a fixed order', () => {
    const preferences = parsePreferences(
      'handling=strict,max-affected=2,tx=commit,count=exact,return=minimal,missing=null,resolution=ignore-duplicates',
      true,
    )
    expect(
      preferenceApplied(preferences, [
        'resolution',
        'missing',
        'return',
        'count',
        'tx',
        'handling',
        'maxAffected',
      ]),
    ).toBe(
      'resolution=ignore-duplicates, missing=null, return=minimal, count=exact, tx=commit, handling=strict, max-affected=2',
    )
    expect(preferenceApplied(preferences, ['count'])).toBe('count=exact')
    expect(preferenceApplied(parsePreferences('max-affected=2', true), ['maxAffected', 'count'])).toBeNull()
  })
})

describe('media', () => {
  test.each([
    [null, 'array', false],
    ['', 'array', false],
    ['*/*', 'array', false],
    ['application/json; charset=utf-8', 'array', false],
    ['application/vnd.pgrst.object+json', 'object', false],
    ['application/vnd.pgrst.object', 'object', false],
    ['application/vnd.pgrst.object+json;nulls=stripped', 'object', true],
    ['application/vnd.pgrst.array+json; nulls=stripped', 'array', true],
    ['TEXT/CSV', 'csv', false],
    ['text/html, text/csv;q=0.5, application/json;q=0.4', 'csv', false],
    ['application/json;q=0, text/csv;q=0.1', 'csv', false],
  ])('%s', (accept, form, stripsNulls) => {
    expect(negotiateMedia(accept)).toMatchObject({ form, stripsNulls })
  })

  test.each([
    'text/html',
    'application/geo+json',
    'application/vnd.pgrst.plan+json',
    'application/json;q=0',
    'x',
  ])('%s cannot be produced', (accept) => {
    expect(codeOf(() => negotiateMedia(accept))).toBe('406 PGRST107')
  })
})

describe('the range header', () => {
  const cut = (header: string | null, limit: string | null, offset: string | null) => {
    const level = { ...toLevel([]), limit, offset }
    return codeOf(() => {
      applyRangeHeader(level, header)
      return [level.offset, level.limit]
    })
  }
  test.each<[header: string | null, slice: [limit: string | null, offset: string | null], expected: unknown]>(
    [
      [null, ['5', '2'], ['2', '5']],
      ['0-9', [null, null], ['0', '10']],
      ['items=3-', [null, null], ['3', null]],
      ['0-1', ['3', null], ['0', '2']],
      ['1-9', ['3', '2'], ['2', '3']],
      ['5-4', [null, null], '416 PGRST103'],
      ['0-1', ['3', '2'], '416 PGRST103'],
      ['0-1', ['0', null], ['0', '0']],
      ['nonsense', ['1', null], [null, '1']],
      ['99999999999999999999-', [null, null], [null, null]],
    ],
  )('%s with limit and offset %j', (header, [limit, offset], expected) => {
    expect(cut(header, limit, offset)).toEqual(expected)
  })
})

describe('the target', () => {
  test.each<[path: string, expected: unknown]>([
    ['/leads', { kind: 'table', name: 'leads' }],
    ['/a%20b%2Fc', { kind: 'table', name: 'a b/c' }],
    ['/rpc', { kind: 'table', name: 'rpc' }],
    ['/rpc/f', { kind: 'function', name: 'f' }],
    ['', { kind: 'root', name: '' }],
    ['/', { kind: 'root', name: '' }],
    ['/rpc/', '404 PGRST125'],
    ['/a/b', '404 PGRST125'],
    ['/%', '404 PGRST125'],
  ])('%s', (path, expected) => {
    expect(codeOf(() => readTarget(path))).toEqual(expected)
  })

  test("the schema comes from the method's profile header", () => {
    const request = (method: string) =>
      new Request('http://x/', { method, headers: { 'accept-profile': 'b', 'content-profile': 'c' } })
    expect(readSchema(request('GET'), ['a', 'b', 'c'])).toBe('b')
    expect(readSchema(request('HEAD'), ['a', 'b', 'c'])).toBe('b')
    expect(readSchema(request('POST'), ['a', 'b', 'c'])).toBe('c')
    expect(readSchema(new Request('http://x/'), ['a', 'b'])).toBe('a')
    expect(codeOf(() => readSchema(request('GET'), ['a']))).toBe('406 PGRST106')
  })
})

describe('the body', () => {
  test('keeps its text and its keys', () => {
    expect(parseJsonBody('[{"a":1.10,"b":2},{"b":1,"a":null}]')).toEqual({
      text: '[{"a":1.10,"b":2},{"b":1,"a":null}]',
      isArray: true,
      keys: ['a', 'b'],
      rowKeys: [
        ['a', 'b'],
        ['b', 'a'],
      ],
      isUniform: true,
    })
    expect(parseJsonBody('{}')).toMatchObject({ isArray: false, keys: [], rowKeys: [[]], isUniform: true })
    expect(parseJsonBody('[]')).toMatchObject({ isArray: true, rowKeys: [], isUniform: true })
    expect(parseJsonBody('[{"a":1},{"b":1}]').isUniform).toBe(false)
    expect(parseJsonBody('[{"a":1},[]]').isUniform).toBe(false)
    expect(parseJsonBody('"text"')).toMatchObject({ text: '[]', rowKeys: [] })
    expect(parseJsonBody('{"__proto__":1}').keys).toEqual(['__proto__'])
  })

  test('is refused if broken or too deep', () => {
    expect(codeOf(() => parseJsonBody('{"a":}'))).toBe('400 PGRST102')
    expect(codeOf(() => parseJsonBody('['.repeat(101) + ']'.repeat(101)))).toBe('400 PGRST102')
    expect(codeOf(() => parseJsonBody(`["${'['.repeat(500)}"]`))).toMatchObject({ isUniform: false })
  })

  test('is read up to its limit', async () => {
    const post = (body: string) => new Request('http://x/', { method: 'POST', body })
    expect(await readBody(post('a'.repeat(10)), 10)).toHaveLength(10)
    await expect(readBody(post('a'.repeat(11)), 10)).rejects.toMatchObject({ status: 413, code: 'PGRST102' })
    expect(await readBody(new Request('http://x/'), 10)).toBe('')
    expect(bodyType(new Request('http://x/', { headers: { 'content-type': 'Application/JSON;x=y' } }))).toBe(
      'application/json',
    )
    expect(bodyType(new Request('http://x/'))).toBe('application/json')
  })
})
