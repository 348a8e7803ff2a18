// Meta Lead Ads: deliveries as Meta signs and sends them, and the leads in them.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createGraph, GraphError } from '#server/leads/intake/meta/graph.ts'
import { answerChallenge, isSigned } from '#server/leads/intake/meta/meta.ts'
import { hasAnswers, readLeadgens, toLead } from '#server/leads/intake/sources/meta.ts'

const SECRETS = { appSecret: 'segredo-do-app', verifyToken: 'token-nosso' }
const NOW = Date.parse('2026-11-21T12:00:00Z')

/** As in Meta's documentation, with ids as numbers in older versions. */
const DELIVERY = {
  object: 'page',
  entry: [
    {
      id: '153125381133',
      time: 1_795_000_000,
      changes: [
        {
          field: 'leadgen',
          value: {
            leadgen_id: '1234567890123456',
            page_id: '153125381133',
            form_id: '987654321098765',
            adgroup_id: '12312312312',
            ad_id: '12312312312',
            created_time: 1_795_000_000,
          },
        },
        { field: 'feed', value: { item: 'post' } },
      ],
    },
    { id: '2', changes: [{ field: 'leadgen', value: { leadgen_id: 444_444_444_444 } }] },
  ],
}
const ANSWERED = {
  created_time: '2026-11-20T09:30:00+0000',
  form_id: '987654321098765',
  campaign_name: 'Lançamento Mirante',
  platform: 'ig',
  field_data: [
    { name: 'full_name', values: ['Marina Tavares'] },
    { name: 'phone_number', values: ['+5511955500142'] },
    { name: 'email', values: ['marina@example.com'] },
    { name: 'quantos_quartos?', values: ['2', '3'] },
  ],
  custom_disclaimer_responses: [
    { checkbox_key: 'aceito_contato', is_checked: '1' },
    { checkbox_key: 'novidades', is_checked: '' },
  ],
}

describe('the challenge', () => {
  const asked = { mode: 'subscribe', token: 'token-nosso', challenge: '1158201444' }
  test.each([
    ['ours', asked, '1158201444'],
    ['another token', { ...asked, token: 'token-alheio' }, null],
    ['another mode', { ...asked, mode: 'unsubscribe' }, null],
    ['nothing', { mode: '', token: '', challenge: '' }, null],
  ])('%s', (_, query, answer) => {
    expect(answerChallenge(query, SECRETS)).toBe(answer)
  })
  test('a key without a token answers nobody', () => {
    expect(answerChallenge({ ...asked, token: '' }, {})).toBeNull()
  })
})

describe('the signature', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(DELIVERY))
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
  test('of these bytes by our app is accepted', () => {
    expect(isSigned(bytes, sign('segredo-do-app'), SECRETS)).toBe(true)
    expect(isSigned(bytes, sign('segredo-do-app').toUpperCase(), SECRETS)).toBe(true)
  })
  test.each([
    ['of another app', sign('outro')],
    ['missing', undefined],
    ['empty', ''],
    ['of the older kind', sign('segredo-do-app').replace('sha256', 'sha1')],
    ['cut', sign('segredo-do-app').slice(0, -1)],
  ])('%s is refused', (_, header) => {
    expect(isSigned(bytes, header, SECRETS)).toBe(false)
  })
  test('of other bytes is refused, and so is any without a secret of ours', () => {
    expect(isSigned(bytes.slice(1), sign('segredo-do-app'), SECRETS)).toBe(false)
    expect(isSigned(bytes, sign(''), {})).toBe(false)
  })
})

test("a delivery's leads, and nothing else", () => {
  const leadgens = readLeadgens(DELIVERY)
  expect(leadgens.map(({ leadgenId }) => leadgenId)).toEqual(['1234567890123456', '444444444444'])
  expect(leadgens.some(({ value }) => hasAnswers(value))).toBe(false)
  for (const body of [null, 'x', [], { entry: 1 }, { entry: [{ changes: [{ field: 'leadgen' }] }] }])
    expect(readLeadgens(body)).toEqual([])
})

test('a lead with its answers', () => {
  const settings = {
    development: 'Outro',
    source: 'site',
    developmentByForm: { '987654321098765': 'Mirante do Lago' },
  }
  expect(toLead({ leadgenId: '1234567890123456', value: ANSWERED }, settings, NOW)).toEqual({
    name: 'Marina Tavares',
    number: '5511955500142',
    numbers: [],
    source: 'instagram',
    campaign: 'Lançamento Mirante',
    development: 'Mirante do Lago',
    message: null,
    email: 'marina@example.com',
    listing: null,
    isTest: false,
    fields: { 'quantos_quartos?': '2, 3' },
    externalId: '1234567890123456',
    consentAt: '2026-11-20T09:30:00.000Z',
    consentText: 'aceito_contato',
  })
})

test('a form with first and last name', () => {
  const value = {
    field_data: [
      { name: 'first_name', values: ['Marina'] },
      { name: 'last_name', values: ['Tavares'] },
      { name: 'phone_number', values: ['11955500142'] },
    ],
    created_time: 1_795_000_000,
  }
  expect(toLead({ leadgenId: '1', value }, {}, NOW)).toMatchObject({
    name: 'Marina Tavares',
    number: '5511955500142',
    source: 'facebook',
  })
})

describe('reading from Meta', () => {
  const graph = (status: number, body: unknown, seen: Request[] = []) =>
    createGraph((input, init) => {
      seen.push(new Request(input instanceof Request ? input.url : input, init))
      return Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }))
    })
  const faultOf = (reading: Promise<unknown>) =>
    reading.then(
      () => null,
      (error: unknown) => (error instanceof GraphError ? error.fault : error),
    )

  test('goes only to Meta, with the token outside the address', async () => {
    const seen: Request[] = []
    const read = graph(200, { id: '12', ...ANSWERED }, seen)
    expect(await read('12', 'token-da-pagina')).toMatchObject({ id: '12', platform: 'ig' })
    const url = new URL(seen[0]?.url ?? '')
    expect([url.origin, url.pathname]).toEqual(['https://graph.facebook.com', '/v26.0/12'])
    expect(url.href).not.toContain('token')
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer token-da-pagina')
    expect(seen[0]?.redirect).toBe('error')
  })
  test.each([
    [500, {}, 'again'],
    [429, {}, 'again'],
    [400, { error: { code: 4 } }, 'again'],
    // Passing errors: too many calls for the page's leads, a short outage, and what Meta calls transient.
    [400, { error: { code: 80_005 } }, 'again'],
    [400, { error: { code: 2 } }, 'again'],
    [400, { error: { code: 100, is_transient: true } }, 'again'],
    [400, { error: { code: 100, is_transient: false } }, 'refused'],
    [400, 'no json', 'refused'],
    [400, { error: { code: 190 } }, 'refused'],
    [404, {}, 'refused'],
    [200, 'no json', 'refused'],
    [200, { id: '13', field_data: [] }, 'refused'],
  ])('%i %o: %s', async (status, body, fault) => {
    expect(await faultOf(graph(status, body)('12', 'x'))).toBe(fault)
  })
  test('unreachable', async () => {
    const read = createGraph(() => Promise.reject(new TypeError('fetch failed')))
    expect(await faultOf(read('12', 'x'))).toBe('again')
  })
})
