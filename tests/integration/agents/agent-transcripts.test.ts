// Transcripts of voice messages through the portal's API: once per message, for those who may hear it, read by the
// model, deleted with the message.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTranscriber } from '#server/agents/engine/transcriber.ts'
import { createTranscripts } from '#server/agents/turns/transcripts.ts'
import { createFindMedia } from '#server/whatsapp/media/media.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const asked: { url: string; authorization: string | undefined; body: string }[] = []
let answers: { status: number; body: string }[] = []
const endpoint = createServer((request, response) => {
  // The portal also tests the text model by itself.
  if (request.url !== '/v1/audio/transcriptions') return void response.writeHead(404).end()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('latin1')
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
    const { status, body: said } = answers.shift() ?? {
      status: 200,
      body: '{"text": " Quero visitar sábado. "}',
    }
    response.writeHead(status).end(said)
  })
})
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
const office = await openOffice({
  env: {
    AGENT_API_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`,
    AGENT_API_KEY: 'chave-do-modelo',
    AGENT_MODEL: 'lago-mini',
    AGENT_TRANSCRIBE_MODEL: 'lago-ouve',
  },
})
afterAll(async () => {
  await office.close()
  endpoint.close()
  endpoint.closeAllConnections()
})
const { db, ana, asAna, asBia, portal } = office

let voice: number
beforeEach(async () => {
  await db.exec(
    'delete from public.whatsapp_contacts; delete from portal.people; delete from portal.throttle',
  )
  asked.splice(0)
  answers = []
  const mediaId = await portal.parts.storage.put(Buffer.from('OggS som da voz'))
  const { id: lead } = await makeContact(db, ana.instanceName)
  ;({ id: voice } = await makeMessage(db, lead, { kind: 'audio', body: '', message_id: `V${Math.random()}` }))
  await db.query(
    `update whatsapp_messages set content = jsonb_build_object('mediaId', $2::text, 'mimeType', 'audio/ogg; codecs=opus',
       'fileName', null, 'sizeBytes', 15) where id = $1`,
    [voice, mediaId],
  )
})
const transcribe = async (asking = asAna) => {
  const { status, body } = await asking.call(`/api/assist/voice/${voice}`, {})
  return [status, body['text'] ?? (body['error'] as { code: string }).code]
}

test('a voice message is transcribed once, and the model reads the text', async () => {
  expect((await asAna.call('/api/assist/voice')).body).toEqual({ canTranscribe: true })
  expect(await transcribe()).toEqual([200, 'Quero visitar sábado.'])
  expect(await transcribe()).toEqual([200, 'Quero visitar sábado.'])
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ url: '/v1/audio/transcriptions', authorization: 'Bearer chave-do-modelo' })
  expect(asked[0]!.body).toContain('OggS som da voz')
  expect(asked[0]!.body).toContain('lago-ouve')
  const { rows } = await db.query<{ messages: { kind: string; text: string }[] }>(
    'select portal.turn_messages(contact_id, id) as messages from whatsapp_messages where id = $1',
    [voice],
  )
  expect(rows[0]!.messages).toMatchObject([{ kind: 'audio', text: 'Quero visitar sábado.' }])
  await db.query('delete from whatsapp_messages where id = $1', [voice])
  expect((await db.query('select from portal.transcripts')).rows).toEqual([])
})

test("another broker's message is not transcribed, and a failure is retried on the next request", async () => {
  expect(await transcribe(asBia)).toEqual([404, 'media.unknown'])
  answers = [
    { status: 500, body: '{}' },
    { status: 200, body: '<html>' },
  ]
  expect(await transcribe()).toEqual([502, 'voice.failed'])
  expect(await transcribe()).toEqual([502, 'voice.failed'])
  expect(await transcribe()).toEqual([200, 'Quero visitar sábado.'])
})

test('the portal transcribes a voice message before an agent answers, and records a failure', async () => {
  const { storage } = portal.parts
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  const transcripts = createTranscripts({
    db,
    log: silentLog,
    storage,
    transcriber: createTranscriber({ url, key: undefined, model: 'lago-ouve', clock: portal.parts.clock }),
    find: createFindMedia({ db, log: silentLog, storage, gateway: null }),
  })
  answers = [{ status: 500, body: '{}' }]
  expect(await transcripts.hear(voice)).toBe(false)
  expect(await transcripts.hear(voice)).toBe(true)
  expect(await transcribe()).toEqual([200, 'Quero visitar sábado.'])
  // The voice message's bytes are gone.
  await db.query(`update whatsapp_messages set content = content || '{"mediaId": null}' where id = $1`, [
    voice,
  ])
  expect(await transcripts.hear(voice)).toBe(false)
})

test("a transcribed minute is paid at its price, by the endpoint's seconds or else WhatsApp's", async () => {
  const costs = async () => {
    const { rows } = await db.query<{ micros: number }>(
      'select cost_micros as micros from portal.transcripts order by message_id',
    )
    return rows.map(({ micros }) => micros)
  }
  await db.query(
    `insert into portal.model_prices (model, input_micros, output_micros, minute_micros) values ('lago-ouve', 0, 0, 33000)
     on conflict (model) do update set minute_micros = excluded.minute_micros`,
  )
  await db.query(`update whatsapp_messages set content = content || '{"seconds": 7}' where id = $1`, [voice])
  answers = [{ status: 200, body: '{"text": "Oi", "usage": {"type": "duration", "seconds": 9.5}}' }]
  await transcribe()
  expect(await costs()).toEqual([5_225])
  await db.exec('delete from portal.transcripts')
  answers = [{ status: 200, body: '{"text": "Oi", "usage": {"type": "tokens", "input_tokens": 14}}' }]
  await transcribe()
  expect(await costs()).toEqual([3_850])

  // Two simultaneous requests are both paid; the first one's text counts.
  await db.query(`select portal.keep_transcript($1, 'Outro', 'lago-ouve', 60)`, [voice])
  expect(await costs()).toEqual([36_850])
  expect(await transcribe()).toEqual([200, 'Oi'])

  const { body } = await office.asAdmin.call('/rest/v1/rpc/get_agent_costs', {})
  expect(body).toMatchObject({ voices: { count: 1, micros: 36_850 } })
})
