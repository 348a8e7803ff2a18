// openapi.json of /api/v1 keeps its promises to other systems, which tests/support/schema/openapi.json records.
// `OPENAPI=write npm run test:unit -- openapi` records additions; a breaking change is refused, and would need /api/v2.
import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '#domain/machine.ts'
import { makeDocsPage } from '#server/machine/docs-page.ts'
import { toJsonSchema } from '#server/machine/json-schema.ts'
import { makeOpenApi } from '#server/machine/openapi.ts'
import { breaksOf } from '#tests/support/schema/openapi-breaks.ts'

const FILE = 'tests/support/schema/openapi.json'
const now = makeOpenApi('1')
type Document = Parameters<typeof breaksOf>[0]
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Document
const promised = async () => JSON.parse(await readFile(FILE, 'utf8')) as Document

test('no breaking change', async () => {
  if (process.env['OPENAPI'] === 'write') {
    const text = JSON.stringify(now)
    await writeFile(FILE, await format(text, { parser: 'json', printWidth: 110 }))
  }
  expect(breaksOf(await promised(), plain(now))).toEqual([])
})

test('additions are recorded', async () => expect(plain(now)).toEqual(await promised()))

describe('a breaking change is found', () => {
  const broken = (change: (document: Document) => void) => {
    const document = plain(now)
    change(document)
    return breaksOf(plain(now), document)
  }
  type Any = Record<string, never>
  const at = (document: Document, ...path: string[]) =>
    path.reduce<Any>((inner, name) => inner[name] as unknown as Any, document as unknown as Any) as Record<
      string,
      unknown
    >
  const lead = (document: Document) =>
    at(document, 'paths', '/leads/{id}', 'get', 'responses', '200', 'content', 'application/json', 'schema')
  const body = (document: Document) =>
    at(document, 'paths', '/leads', 'post', 'requestBody', 'content', 'application/json', 'schema')

  test.each<[string, (document: Document) => void, string]>([
    ['an operation that went', (document) => delete at(document, 'paths')['/brokers'], '/brokers'],
    ['a method that went', (document) => delete at(document, 'paths', '/leads')['post'], '/leads post'],
    [
      'a field that is answered no longer',
      (document) => delete (lead(document)['properties'] as Record<string, unknown>)['phone'],
      'phone',
    ],
    ['a field that may be missing now', (document) => (lead(document)['required'] = []), 'required'],
    [
      'a field of another type',
      (document) => ((lead(document)['properties'] as Record<string, unknown>)['tags'] = { type: 'string' }),
      'tags',
    ],
    ['a field that a request must have now', (document) => (body(document)['required'] = ['phone']), 'phone'],
    [
      'a field that is taken no longer',
      (document) => delete (body(document)['properties'] as Record<string, unknown>)['campaign'],
      'campaign',
    ],
    [
      'a shorter text',
      (document) =>
        ((body(document)['properties'] as Record<string, Record<string, unknown>>)['name']!['maxLength'] =
          10),
      'maxLength',
    ],
    [
      'a parameter that must be there now',
      (document) =>
        (at(document, 'paths', '/leads', 'get')['parameters'] = [
          ...(at(document, 'paths', '/leads', 'get')['parameters'] as object[]),
          { name: 'agency', in: 'query', required: true, schema: { type: 'string' } },
        ]),
      'agency',
    ],
    [
      'a parameter that went',
      (document) => (at(document, 'paths', '/leads', 'get')['parameters'] = []),
      'cursor',
    ],
    [
      'another grant',
      (document) => (at(document, 'paths', '/leads', 'get')['description'] = 'Permissão: events:read'),
      'events:read',
    ],
    [
      'another status',
      (document) => {
        const responses = at(document, 'paths', '/leads', 'post', 'responses')
        responses['202'] = responses['201']
        delete responses['201']
      },
      '201',
    ],
  ])('%s', (_, change, said) => {
    expect(broken(change).join('\n')).toContain(said)
  })

  test('an additional field in an answer or an input is none', () => {
    const found = broken((document) => {
      ;(lead(document)['properties'] as Record<string, unknown>)['score'] = { type: 'number' }
      ;(body(document)['properties'] as Record<string, unknown>)['score'] = { type: 'number' }
    })
    expect(found).toEqual([])
  })
})

test('every operation is on the page, which has neither script nor style of its own', () => {
  const page = makeDocsPage(now)
  for (const [path, methods] of Object.entries(now.paths))
    for (const [method, { operationId, summary }] of Object.entries(methods)) {
      expect(page).toContain(`${method.toUpperCase()} /api/v1${path}`)
      expect(page).toContain(`id="${operationId}"`)
      expect(page).toContain(summary)
    }
  for (const type of ['portal.test', ...EVENT_TYPES]) expect(page).toContain(`<code>${type}</code>`)
  expect(page).not.toMatch(/<script|<style|style=|http/)
})

test('an unknown kind of schema is reported', () => {
  expect(() => toJsonSchema(v.date())).toThrow('date')
  expect(() => toJsonSchema(v.pipe(v.string(), v.email()))).toThrow('email')
})
