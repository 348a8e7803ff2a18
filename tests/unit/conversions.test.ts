// Conversions to Meta: hashes, the bodies for both targets, and the result of each answer of a server.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { bodyOf, type Conversion } from '#server/conversions/body.ts'
import { emailForm, hashed, nameForms, phoneForms } from '#server/conversions/hash.ts'
import { createSendConversion } from '#server/conversions/meta.ts'
import { manualClock } from '#tests/support/clock.ts'
import { createLatch } from '#tests/support/latch.ts'

describe('hashes', () => {
  it.each(['5511955500142', 'joão', 'ana.silva+torre@example.com', ''])(
    '%s: as another implementation hashes the same bytes',
    async (text) => {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
      expect(hashed(text)).toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''))
    },
  )

  it.each([
    ['5511955500142', [], ['5511955500142']],
    ['+55 (11) 95550-0142', ['551155500142@s.whatsapp.net'], ['5511955500142', '551155500142']],
    ['+551195550142', [], ['5511995550142', '551195550142']],
    ['+551195550014', ['5511995550014@s.whatsapp.net'], ['5511995550014', '551195550014']],
    ['551133334444', [], ['551133334444']],
    ['+351912345678', [], ['351912345678']],
    [null, ['5511955500142:3@s.whatsapp.net'], ['5511955500142']],
    [null, ['123456789@lid'], []],
  ])('%s with %j: %j', (number, jids, forms) => expect(phoneForms(number, jids)).toEqual(forms))

  // The first twelve characters, as other programs hash these texts for Meta.
  it.each([
    [phoneForms('5511970020001', []), ['eb08d858f67f']],
    [phoneForms('5511970020001', ['551170020001@s.whatsapp.net']), ['eb08d858f67f', '3e5dbe88bb6c']],
    [[emailForm(' Ana.Teste+lead@Example.com')], ['ee634c3f8921']],
    [nameForms('João Dávila').first.slice(0, 1), ['d147147c3dcb']],
    [nameForms('João D’Ávila').last.slice(0, 1), ['d02479935c41']],
    [['br'], ['885036a0da3d']],
  ])('%j: %j', (forms, starts) => expect(forms.map((form) => hashed(form).slice(0, 12))).toEqual(starts))

  test('an e-mail keeps its dots and plus', () => {
    expect(emailForm(' Ana.Silva+Torre@Example.com ')).toBe('ana.silva+torre@example.com')
  })

  it.each([
    ['João da Silva', ['joão', 'joao'], ['silva']],
    ['Ana D’Ávila', ['ana'], ['dávila', 'davila']],
    ['jose\u0301', ['josé', 'jose'], []],
    ['  Ana-Maria  Conceição! ', ['anamaria'], ['conceição', 'conceicao']],
    ['🙂 !!', [], []],
  ])('%s: %j %j', (name, first, last) => expect(nameForms(name)).toEqual({ first, last }))
})

const CONVERSION: Conversion = {
  leadId: 77,
  target: 'crm',
  eventId: '77-sale',
  name: 'Venda',
  atSeconds: 1_795_860_000,
  cents: 85_000_050,
  waba: '',
  testCode: '',
  person: {
    name: 'João Silva',
    number: '+551155500142',
    shown: '5511955500142',
    email: 'Joao@example.com',
    jids: ['551155500142@s.whatsapp.net'],
    clicks: [
      { kind: 'ctwa_clid', value: 'ARAk-Whole_id', atMs: 1 },
      { kind: 'fbclid', value: 'IwAR-x', atMs: 1_795_000_000_123 },
      { kind: 'lead_id', value: '1234567890123456', atMs: 2 },
    ],
  },
}

describe('bodies', () => {
  test('as a CRM event', () => {
    expect(JSON.parse(bodyOf(CONVERSION))).toEqual({
      data: [
        {
          event_name: 'Venda',
          event_time: 1_795_860_000,
          event_id: '77-sale',
          action_source: 'system_generated',
          user_data: {
            lead_id: '1234567890123456',
            fbc: 'fb.1.1795000000123.IwAR-x',
            ph: [hashed('5511955500142'), hashed('551155500142')],
            country: [hashed('br')],
            em: [hashed('joao@example.com')],
            fn: [hashed('joão'), hashed('joao')],
            ln: [hashed('silva')],
            external_id: [hashed('77')],
          },
          custom_data: {
            currency: 'BRL',
            value: 850_000.5,
            event_source: 'crm',
            lead_event_source: 'Portal do Corretor',
          },
        },
      ],
    })
  })

  test('in the thread of a WhatsApp ad: the click as it came', () => {
    expect(
      JSON.parse(bodyOf({ ...CONVERSION, target: 'messaging', name: 'Purchase', waba: '555', cents: null })),
    ).toEqual({
      data: [
        {
          event_name: 'Purchase',
          event_time: 1_795_860_000,
          event_id: '77-sale',
          action_source: 'business_messaging',
          messaging_channel: 'whatsapp',
          user_data: {
            whatsapp_business_account_id: '555',
            ctwa_clid: 'ARAk-Whole_id',
            ph: [hashed('5511955500142'), hashed('551155500142')],
          },
        },
      ],
    })
  })

  test('a test code stands beside the event, as Meta reads it', () => {
    const { data } = JSON.parse(bodyOf(CONVERSION)) as { data: object[] }
    expect(JSON.parse(bodyOf({ ...CONVERSION, testCode: 'TEST12345' }))).toEqual({
      data,
      test_event_code: 'TEST12345',
    })
  })

  test('nothing plain of the person is in either', () => {
    for (const target of ['crm', 'messaging'] as const) {
      const body = bodyOf({ ...CONVERSION, target, waba: '555' })
      for (const plain of ['João', 'Silva', 'joao', '955500142', '55500142', 'example.com'])
        expect(body).not.toContain(plain)
    }
  })

  test('a person of whom little is known', () => {
    const person = { name: null, number: null, shown: null, email: null, jids: [], clicks: [] }
    expect(JSON.parse(bodyOf({ ...CONVERSION, cents: null, person }))).toMatchObject({
      data: [{ user_data: { external_id: [hashed('77')] }, custom_data: { event_source: 'crm' } }],
    })
  })
})

// https://developers.facebook.com/docs/marketing-api/conversions-api/business-messaging and .../conversion-leads-integration
describe('bodies beside Meta’s published examples', () => {
  const kindOf = (value: unknown): unknown =>
    Array.isArray(value)
      ? [...new Set(value.map(kindOf))]
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, kindOf(part)]))
        : typeof value
  const person = { ...CONVERSION.person, name: null, email: null }
  const HASH = 'eb08d858f67f'.padEnd(64, '0')
  const event = {
    event_name: 'QualifiedLead',
    event_time: 1_795_860_000,
    event_id: '77-qualified',
  }
  const example = {
    data: [
      {
        ...event,
        action_source: 'business_messaging',
        messaging_channel: 'whatsapp',
        user_data: {
          whatsapp_business_account_id: '555',
          ctwa_clid: 'ARAk-Whole_id',
          ph: [HASH],
        },
        custom_data: { currency: 'BRL', value: 850_000 },
      },
    ],
  }
  const crmExample = {
    data: [
      {
        ...event,
        event_name: 'Lead qualificado',
        action_source: 'system_generated',
        user_data: { lead_id: '1234567890123456', ph: [HASH], country: [HASH], external_id: [HASH] },
        custom_data: { event_source: 'crm', lead_event_source: 'Portal do Corretor' },
      },
    ],
  }
  const qualified = { ...CONVERSION, eventId: '77-qualified', person }

  test.each([
    [
      'a WhatsApp ad',
      { ...qualified, target: 'messaging' as const, name: 'QualifiedLead', waba: '555', cents: 85_000_000 },
      example,
    ],
    [
      'a CRM’s step of a lead of Meta’s form',
      {
        ...qualified,
        name: 'Lead qualificado',
        cents: null,
        person: { ...person, clicks: person.clicks.filter(({ kind }) => kind === 'lead_id') },
      },
      crmExample,
    ],
  ])('%s: the same names and kinds, and the same values outside of hashes', (_, conversion, published) => {
    const body = JSON.parse(bodyOf(conversion)) as unknown
    expect(kindOf(body)).toEqual(kindOf(published))
    const plain = JSON.parse(JSON.stringify(body).replaceAll(/"[0-9a-f]{64}"/g, '"#"')) as typeof published
    const told = JSON.parse(
      JSON.stringify(published).replaceAll(/"[0-9a-f]{64}"/g, '"#"'),
    ) as typeof published
    for (const { user_data } of [...plain.data, ...told.data]) if ('ph' in user_data) user_data.ph = ['#']
    expect(plain).toEqual(told)
  })
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`
}
const EVENT = { dataset: '123', token: 'EAAB-secret-token', body: '{"data":[{}]}' }
const json = (status: number, body: object) => ({ status, text: JSON.stringify(body) })

describe('answers', () => {
  it.each([
    [
      'taken',
      json(200, { events_received: 1, fbtrace_id: 'T1' }),
      { became: 'sent', status: 200, fault: null, trace: 'T1' },
    ],
    ['none taken', json(200, { events_received: 0 }), { became: 'refused', fault: 'not-taken' }],
    ['an error with 200', json(200, { error: { message: 'No' } }), { became: 'refused', fault: 'No' }],
    ['a page with 200', { status: 200, text: '<html>' }, { became: 'unsure', fault: 'unreadable' }],
    [
      'a wrong name',
      json(400, {
        error: {
          message: 'Invalid',
          error_user_msg: 'Nome inválido',
          code: 100,
          error_subcode: 2_804_066,
          fbtrace_id: 'T2',
        },
      }),
      { became: 'refused', status: 400, fault: 'Nome inválido', code: 100, subcode: 2_804_066, trace: 'T2' },
    ],
    [
      '401',
      json(401, { error: { message: 'Expired', code: 190 } }),
      { became: 'stop', fault: 'Expired', code: 190 },
    ],
    ['a token’s code with 400', json(400, { error: { message: 'Expired', code: 190 } }), { became: 'stop' }],
    [
      'a dataset that the token may not reach',
      json(400, { error: { message: 'Unsupported post request', code: 100, error_subcode: 33 } }),
      { became: 'stop' },
    ],
    ['a permission', json(403, { error: { message: 'Needs it', code: 200 } }), { became: 'stop' }],
    ['429', json(429, {}), { became: 'again' }],
    ['a busy Meta', json(400, { error: { code: 2 } }), { became: 'again' }],
    ['502 with a page', { status: 502, text: '<html>' }, { became: 'again', fault: 'status' }],
    ['408', { status: 408, text: '' }, { became: 'again' }],
    ['404', { status: 404, text: '' }, { became: 'refused', fault: 'status' }],
  ])('%s', async (_, { status, text }, verdict) => {
    let asked: { url: string; token: string; body: string } | null = null
    const base = await listen((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        asked = { url: request.url ?? '', token: request.headers.authorization ?? '', body }
        response.writeHead(status).end(text)
      })
    })
    expect(await createSendConversion(base, manualClock())(EVENT)).toMatchObject(verdict)
    expect(asked).toEqual({ url: '/v0/123/events', token: `Bearer ${EVENT.token}`, body: EVENT.body })
  })

  test('a token that Meta quotes is in no verdict', async () => {
    const base = await listen((request, response) =>
      request
        .resume()
        .on('end', () =>
          response.writeHead(400).end(JSON.stringify({ error: { message: `Malformed ${EVENT.token}.` } })),
        ),
    )
    const verdict = await createSendConversion(base, manualClock())(EVENT)
    expect(verdict.fault).toBe('Malformed ….')
  })

  test('no connection: again', async () => {
    const base = await listen(() => undefined)
    for (const end of ends.splice(0)) end()
    expect(await createSendConversion(base, manualClock())(EVENT)).toMatchObject({
      became: 'again',
      fault: 'connection',
    })
  })

  test('a cut before or after reading, or within the answer: unsure', async () => {
    const cuts: RequestListener[] = [
      (request) => request.socket.destroy(),
      (request) => request.resume().on('end', () => request.socket.destroy()),
      (request, response) => request.resume().on('end', () => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"events')
        setImmediate(() => request.socket.destroy())
      }),
    ] // prettier-ignore
    for (const cut of cuts)
      expect(await createSendConversion(await listen(cut), manualClock())(EVENT)).toMatchObject({
        became: 'unsure',
        fault: 'cut',
      })
  })

  test('silence ends after ten seconds: unsure', async () => {
    const clock = manualClock()
    const reached = createLatch()
    const base = await listen((request) => request.resume().on('end', reached.open))
    const sending = createSendConversion(base, clock)(EVENT)
    await reached.opened
    clock.advance(10_000)
    expect(await sending).toMatchObject({ became: 'unsure', fault: 'late', status: null })
  })

  test('a redirect is refused, and not followed', async () => {
    let reached = 0
    const inside = await listen((_, response) => {
      reached++
      response.end('{"events_received":1}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const base = await listen((request, response) =>
        request.resume().on('end', () => response.writeHead(status, { location: inside }).end()),
      )
      expect(await createSendConversion(base, manualClock())(EVENT)).toMatchObject({
        became: 'refused',
        status,
      })
    }
    expect(reached).toBe(0)
  })
})
