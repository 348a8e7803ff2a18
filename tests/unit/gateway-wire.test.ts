// The simulator imitates oddities of the real gateway's API: statuses, forms of errors, ignored fields.
import { beforeEach, describe, expect, test } from 'vitest'
import { inProcess, WEBHOOK } from '#tests/support/gateway.ts'

const PERSON = '5511955500142'
const PNG = 'iVBORw0KGgoAAAAA'

let scenario: ReturnType<typeof inProcess>

beforeEach(async () => {
  scenario = inProcess()
  await scenario.clock.until(
    scenario.gateway.createInstance({ instanceName: 'ana', token: 'T-ana', webhook: WEBHOOK }),
  )
  await scenario.clock.until(scenario.gateway.connect('ana'))
  scenario.simulator.control.scan({ instance: 'ana', number: '5511955500001', name: 'Ana' })
})

type Asked = { body?: unknown; key?: string | null }

async function ask(call: string, { body, key = scenario.simulator.apiKey }: Asked = {}) {
  const [method = '', path = ''] = call.split(' ')
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const response = await scenario.clock.until(
    scenario.simulator.fetch(`http://gateway.test${path}`, {
      method,
      headers: key === null ? {} : { apikey: key },
      body: text ?? null,
    }),
  )
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

const refused = (status: number, error: string, message: unknown) => ({
  status,
  answer: { status, error, response: { message } },
})
const badRequest = (message: unknown) => refused(400, 'Bad Request', message)
const failed = (message: string) => refused(500, 'Internal Server Error', message)

describe('keys', () => {
  test('the greeting needs none and names the version', async () => {
    expect(await ask('GET /', { key: null })).toMatchObject({ status: 200, answer: { version: '2.3.7' } })
  })

  test('existence is checked before the key', async () => {
    expect(await ask('GET /instance/connectionState/nada', { key: 'x' })).toEqual(
      refused(404, 'Not Found', ['The "nada" instance does not exist']),
    )
    expect(await ask('GET /instance/connectionState/ana', { key: 'x' })).toEqual(
      refused(401, 'Unauthorized', 'Unauthorized'),
    )
  })

  test('a taken name is checked before the key, and creating needs the global one', async () => {
    const body = { instanceName: 'ana', integration: 'WHATSAPP-BAILEYS' }
    expect(await ask('POST /instance/create', { body, key: 'x' })).toEqual(
      refused(403, 'Forbidden', ['This name "ana" is already in use.']),
    )
    const other = { ...body, instanceName: 'bia' }
    expect((await ask('POST /instance/create', { body: other, key: 'T-ana' })).status).toBe(401)
  })

  test('a token opens its own instance and lists nothing else', async () => {
    await ask('POST /instance/create', { body: { instanceName: 'bia', integration: 'WHATSAPP-BAILEYS' } })
    expect((await ask('GET /instance/connectionState/ana', { key: 'T-ana' })).status).toBe(200)
    expect(await ask('GET /instance/fetchInstances', { key: 'T-ana' })).toMatchObject({
      answer: [{ name: 'ana' }],
    })
    expect((await ask('GET /instance/fetchInstances', { key: 'x' })).status).toBe(401)
  })
})

describe('instances', () => {
  test.each([
    [{ instanceName: 'nova' }, ['Invalid integration']],
    [{ instanceName: 'nova', integration: 'OUTRA' }, ['Invalid integration']],
    [{ integration: 'WHATSAPP-BAILEYS' }, [['instance requires property "instanceName"']]],
    [{ instanceName: 'nova', integration: 'WHATSAPP-BAILEYS', number: 'x' }, [['Invalid format']]],
  ])('creating with %j', async (...[body, message]) => {
    expect(await ask('POST /instance/create', { body })).toEqual(badRequest(message))
  })

  test('creating with a code waits for it and has a string for hash', async () => {
    const startedAt = scenario.clock.now()
    const body = { instanceName: 'nova', integration: 'WHATSAPP-BAILEYS', qrcode: true }
    expect(await ask('POST /instance/create', { body })).toMatchObject({
      status: 201,
      answer: { hash: expect.any(String), qrcode: { count: 1, pairingCode: null } },
    })
    expect(scenario.clock.now() - startedAt).toBe(5_000)
  })

  test('an unknown name in the list is refused, not empty', async () => {
    expect((await ask('GET /instance/fetchInstances?instanceName=nada')).status).toBe(404)
    expect((await ask('GET /instance/fetchInstances?instanceId=nada')).status).toBe(404)
  })

  test('a second logout is refused', async () => {
    expect((await ask('DELETE /instance/logout/ana')).status).toBe(200)
    expect(await ask('DELETE /instance/logout/ana')).toEqual(
      badRequest(['The "ana" instance is not connected']),
    )
  })

  test('an immediate second deletion is answered like the first, a later one is not', async () => {
    expect((await ask('DELETE /instance/delete/ana')).status).toBe(200)
    expect((await ask('DELETE /instance/delete/ana')).status).toBe(200)
    await scenario.clock.until(scenario.clock.sleep(1_000))
    expect((await ask('DELETE /instance/delete/ana')).status).toBe(404)
  })
})

describe('webhook and settings', () => {
  const set = (webhook: unknown) => ask('POST /webhook/set/ana', { body: { webhook } })
  const url = WEBHOOK.url

  test("the specification's names are ignored", async () => {
    const webhook = { enabled: true, url, events: [], webhookBase64: true, webhookByEvents: true }
    expect(await set(webhook)).toMatchObject({
      status: 201,
      answer: { webhookBase64: false, webhookByEvents: false },
    })
    expect(await ask('GET /webhook/find/ana')).toMatchObject({
      status: 200,
      answer: { url, webhookBase64: false },
    })
  })

  test.each([
    [undefined, badRequest([['instance requires property "webhook"']])],
    [{ enabled: true }, badRequest([['webhook requires property "url"']])],
    [{ url, events: [] }, badRequest([['webhook requires property "enabled"']])],
    [{ url, enabled: true }, failed("Cannot read properties of undefined (reading 'length')")],
  ])('%j is refused', async (...[webhook, answer]) => {
    expect(await set(webhook)).toEqual(answer)
  })

  test('an unknown event is refused with the list of known ones', async () => {
    expect(await set({ url, enabled: true, events: ['MESSAGES_UPSERT', 'NADA'] })).toMatchObject({
      status: 400,
      answer: {
        response: {
          message: [
            [expect.stringMatching(/^webhook\.events\[1\] is not one of enum values: .*,MESSAGES_UPSERT,/)],
          ],
        },
      },
    })
  })

  test('the six settings are required together', async () => {
    const { status, answer } = await ask('POST /settings/set/ana', { body: { rejectCall: false } })
    expect(status).toBe(400)
    expect(answer).toHaveProperty('response.message.0.4', 'instance requires property "syncFullHistory"')
    expect(await ask('GET /settings/find/ana')).toMatchObject({ answer: { groupsIgnore: true } })
  })
})

describe('sends', () => {
  const text = (body: unknown) => ask('POST /message/sendText/ana', { body })
  const media = (body: unknown) => ask('POST /message/sendMedia/ana', { body })

  test.each([
    [{ number: PERSON }, badRequest([['instance requires property "text"']])],
    [{ number: PERSON, text: ' ' }, badRequest(['Text is required'])],
    [{ number: 5_511_955_500_142, text: 'oi' }, badRequest([['Invalid format']])],
    [{ number: PERSON, text: 'oi', delay: 1.5 }, badRequest([['Enter a value in milliseconds']])],
    [
      { delay: 'x' },
      badRequest([
        [
          'instance requires property "number"',
          'Enter a value in milliseconds',
          'instance requires property "text"',
        ],
      ]),
    ],
  ])('the text %j is refused', async (...[body, answer]) => {
    expect(await text(body)).toEqual(answer)
  })

  test('a body that is no JSON is a 400 with the name of another', async () => {
    expect(await text('{nada')).toMatchObject({ status: 400, answer: { error: 'Internal Server Error' } })
  })

  test('options are ignored, the delay above them blocks', async () => {
    const startedAt = scenario.clock.now()
    await text({ number: PERSON, text: 'oi', options: { delay: 9_000 } })
    expect(scenario.clock.now() - startedAt).toBe(0)
    await text({ number: PERSON, text: 'oi', delay: 1_200 })
    expect(scenario.clock.now() - startedAt).toBe(1_200)
  })

  test.each([
    [
      { mediatype: 'image', media: `data:image/png;base64,${PNG}` },
      badRequest(['Owned media must be a url or base64']),
    ],
    [{ mediatype: 'document', media: 'AAAA' }, badRequest(['For base64 the file name must be informed.'])],
    [
      { mediatype: 'planta', media: 'AAAA' },
      badRequest([['mediatype is not one of enum values: image,document,video,audio,ptv']]),
    ],
    [
      { mediatype: 'image', media: 'AAAA', fileName: 'x.png' },
      failed('Input buffer contains unsupported image format'),
    ],
    [
      { mediatype: 'image', media: 'https://nowhere.test/x.png' },
      failed('getaddrinfo ENOTFOUND nowhere.test'),
    ],
  ])('the media %j is refused', async (...[body, answer]) => {
    expect(await media({ number: PERSON, ...body })).toEqual(answer)
  })

  test.each([
    ['sem-extensao', 'false'],
    ['planta.PDF', 'application/pdf'],
    ['planta.xyz', 'false'],
  ])('a document %s is of type %s whatever its mimetype says', async (...[fileName, mimetype]) => {
    const body = { number: PERSON, mediatype: 'document', media: 'AAAA', fileName, mimetype: 'text/plain' }
    expect(await media(body)).toMatchObject({ answer: { message: { documentMessage: { mimetype } } } })
  })

  test('audio that is not base64 is refused', async () => {
    const { status } = await ask('POST /message/sendWhatsAppAudio/ana', {
      body: { number: PERSON, audio: '*' },
    })
    expect(status).toBe(400)
  })
})

describe('numbers', () => {
  const resolve = async (number: string) => {
    const { answer } = await ask('POST /chat/whatsappNumbers/ana', { body: { numbers: [number] } })
    return answer
  }
  const jid = (digits: string, exists = true) => [
    expect.objectContaining({ jid: `${digits}@s.whatsapp.net`, exists }),
  ]

  test.each([
    ['5511987654321', '5511987654321'],
    ['5531987654321', '553187654321'],
    ['5531927654321', '5531927654321'],
    ['+55 (11) 98765-4321', '5511987654321'],
    ['14155550100', '14155550100'],
  ])('%s is %s', async (...[number, digits]) => {
    expect(await resolve(number)).toEqual(jid(digits))
  })

  test('a number with another jid is found only when written as plain 55…', async () => {
    scenario.simulator.control.subscriber({ number: '5511955556666', jid: '551155556666@s.whatsapp.net' })
    expect(await resolve('5511955556666')).toEqual(jid('551155556666'))
    expect(await resolve('+55 (11) 95555-6666')).toEqual(jid('5511955556666', false))
  })

  test('the list is required', async () => {
    expect((await ask('POST /chat/whatsappNumbers/ana', { body: {} })).status).toBe(400)
  })
})

describe('search', () => {
  const find = (body: unknown) => ask('POST /chat/findMessages/ana', { body })

  test('page and offset as text fail, a limit is ignored, offset is the page size', async () => {
    scenario.simulator.control.burst({ instance: 'ana', from: PERSON, times: 60 })
    expect((await find({ page: '1' })).status).toBe(500)
    expect((await find({ offset: '3' })).status).toBe(500)
    expect(await find({ limit: 2 })).toMatchObject({
      answer: { messages: { total: 60, pages: 2, currentPage: 1 } },
    })
    const { answer } = await find({ offset: 7, page: 9 })
    expect(answer).toMatchObject({ messages: { pages: 9, currentPage: 9, records: { length: 4 } } })
  })

  test('only one end of the times is no filter, and neither is a false fromMe', async () => {
    scenario.simulator.control.receive({ instance: 'ana', from: PERSON, atSeconds: 1_000 })
    await ask('POST /message/sendText/ana', { body: { number: PERSON, text: 'oi' } })
    const gte = new Date().toISOString()
    for (const where of [{ messageTimestamp: { gte } }, { key: { fromMe: false } }, {}])
      expect(await find({ where })).toMatchObject({ answer: { messages: { total: 2 } } })
    expect(await find({ where: { key: { fromMe: true } } })).toMatchObject({
      answer: { messages: { total: 1 } },
    })
  })

  test.each([
    ['2.3.6', 1],
    ['2.3.7', 2],
  ] as const)('both addresses in one call, %s: %i', async (...[version, total]) => {
    const { control } = scenario.simulator
    control.version({ version })
    control.receive({ instance: 'ana', from: PERSON })
    control.receive({ instance: 'ana', from: PERSON, addressing: 'lid+alt' })
    const remoteJid = `${PERSON}@s.whatsapp.net`
    const where = { key: { remoteJid, remoteJidAlt: remoteJid } }
    expect(await find({ where })).toMatchObject({ answer: { messages: { total } } })
  })
})

test('any other route is unknown', async () => {
  expect(await ask('POST /nada')).toEqual(refused(404, 'Not Found', ['Cannot POST /nada']))
})
