// The effect of each kind of message, from the gateway's raw webhook to the broker's screen.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { ANA, delivery, upsert, type Written } from '#tests/support/deliveries.ts'
import { openOffice } from '#tests/support/office.ts'
import { addDevice, makeKeys, takePushes } from '#tests/support/push.ts'
import { linesOf, readConversation, wordsOf } from '#tests/support/screen.tsx'

let office: Awaited<ReturnType<typeof openOffice>>
let secret: string
beforeAll(async () => {
  office = await openOffice({ hasGateway: false })
  secret = await mintWebhookSecret(office.db.query, office.ana.instanceName)
  const { p256dh, authText } = makeKeys()
  await addDevice(office.db, office.ana.id, {
    endpoint: 'https://push.example/1',
    keys: { p256dh, auth: authText },
  })
})
afterAll(() => office.close())

const nowSeconds = () => Math.floor(Date.now() / 1000)
let count = 0
const nextId = () => `K${(count += 1)}`

async function post(body: unknown) {
  const { status } = await office.portal.request(`/webhook/${office.ana.instanceName}/${secret}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(status).toBe(200)
  await office.portal.told()
}
const write = (message: unknown, rest: Written = {}) =>
  post(upsert({ id: nextId(), message, sentAt: nowSeconds(), ...rest }))
const call = (id: string, status: string, rest: object = {}) =>
  post(
    delivery(
      'call',
      { chatId: ANA, from: ANA, id, date: new Date().toISOString(), status, ...rest },
      Date.now(),
    ),
  )

type Card = {
  id: number
  unread: number
  waits: boolean
  last: string
  kind: string
  source: string
  name: string
}
async function cards(): Promise<Card[]> {
  const { rows } = await office.db.query<Card>(
    `select id, unread_count as unread, waiting_since is not null as waits, last_message_body as last,
      last_message_kind as kind, source, name from public.whatsapp_contacts order by id`,
  )
  return rows
}
async function screen(): Promise<string[]> {
  const [card] = await cards()
  return card ? wordsOf(await readConversation(office.asAna.call, card.id)) : []
}
const rings = () => takePushes(office.db)

afterEach(() =>
  office.db
    .exec(`delete from public.whatsapp_contacts; delete from portal.identities; delete from portal.people;
    delete from portal.push_queue; delete from portal.waiting_events; delete from portal.webhook_aside;
    delete from portal.unknown_kinds`),
)

/** Ana wrote once, and that was read and answered. */
async function talk() {
  await write({ conversation: 'Oi' }, { sentAt: nowSeconds() - 60 })
  await write({ conversation: 'Olá!' }, { sentAt: nowSeconds() - 30, fromMe: true })
  const [card] = await cards()
  await office.asAna.call('/rest/v1/rpc/mark_read', { p_contact_id: card!.id, p_up_to: nowSeconds() })
  await rings()
  return card!.id
}
const QUIET = { unread: 0, waits: false, last: 'Olá!' }

describe('a note', () => {
  test.each<[string, unknown, Written, string]>([
    ['a pin', { pinInChatMessage: { type: 1 } }, {}, 'Ana fixou uma mensagem ·'],
    ['an own pin', { pinInChatMessage: { type: 1 } }, { fromMe: true }, 'Você fixou uma mensagem ·'],
    [
      'a kept message',
      { keepInChatMessage: { keepType: 2 } },
      {},
      'Ana deixou de guardar uma mensagem temporária ·',
    ],
    [
      'a request for the number',
      { requestPhoneNumberMessage: {} },
      {},
      'Ana pediu para ver o número de telefone ·',
    ],
    ['a changed number', null, { rest: { messageStubType: 42 } }, 'Ana mudou de número ·'],
    ['an unknown kind', { hologramMessage: {} }, {}, 'Mensagem de um tipo novo. Veja no WhatsApp. ·'],
  ])('%s is a line that neither counts, waits nor notifies', async (_, message, rest, words) => {
    await talk()
    await write(message, rest)
    expect(await cards()).toMatchObject([QUIET])
    expect(await rings()).toEqual([])
    expect((await screen()).at(-1)).toBe(words)
    const turns = await office.db.query('select from portal.agent_turns')
    expect(turns.rowCount).toBe(0)
  })

  test.each<[string, unknown]>([
    ['a vote', { pollUpdateMessage: { pollCreationMessageKey: { id: 'P' } } }],
    ['an encrypted reaction', { encReactionMessage: {} }],
    ['an encrypted comment', { encCommentMessage: {} }],
    ['a sender key', { senderKeyDistributionMessage: { groupId: 'x' } }],
    ['a setting', { protocolMessage: { type: 'EPHEMERAL_SETTING', ephemeralExpiration: 0 } }],
    ['a placeholder', { placeholderMessage: { type: 0 } }],
    ['the head of an album', { albumMessage: { expectedImageCount: 3 } }],
    ['a status that mentions us', { statusMentionMessage: { message: { imageMessage: {} } } }],
    ['nothing', {}],
  ])('%s leaves no trace', async (_, message) => {
    await talk()
    await write(message)
    expect(await cards()).toMatchObject([QUIET])
    expect(await rings()).toEqual([])
    expect(await screen()).toHaveLength(2)
    expect((await office.db.query('select from portal.webhook_aside')).rowCount).toBe(0)
  })

  test('makes nobody a lead', async () => {
    await write({ pinInChatMessage: { type: 1 } })
    await write({ hologramMessage: {} })
    expect(await cards()).toEqual([])
    expect((await office.db.query('select from portal.people')).rowCount).toBe(0)
  })

  test('is returned only for a filter by type, and never to other systems', async () => {
    const id = await talk()
    await write({ pinInChatMessage: { type: 1 } })
    const types = async (asked: string) => {
      const { body } = await office.asAna.call(
        `/rest/v1/whatsapp_messages?select=type&contact_id=eq.${id}${asked}`,
      )
      return (body as unknown as { type: string }[]).map(({ type }) => type)
    }
    expect(await types('&order=id')).toEqual(['incoming', 'outgoing'])
    expect(await types('&type=in.(incoming,outgoing,note)&order=id')).toEqual([
      'incoming',
      'outgoing',
      'note',
    ])
    const { rows } = await office.db.query<{ texts: number }>(
      `select jsonb_array_length(portal.turn_messages($1, (select max(id) from public.whatsapp_messages))) as texts`,
      [id],
    )
    expect(rows).toEqual([{ texts: 2 }])
  })

  test('is replaced by the message for which it stood', async () => {
    await talk()
    await write(null, { id: 'LATE', rest: { messageStubType: 2 } })
    expect((await screen()).at(-1)).toContain('ainda não chegou')
    await write({ conversation: 'Cheguei' }, { id: 'LATE' })
    expect(await cards()).toMatchObject([{ unread: 1, waits: true, last: 'Cheguei' }])
    expect(await screen()).toEqual(['Oi', expect.stringContaining('Olá!'), 'Cheguei'])
    expect(await rings()).toMatchObject([{ body: 'Cheguei' }])
  })

  test('is removed when its author deletes it', async () => {
    await talk()
    await write({ hologramMessage: {} }, { id: 'H' })
    await post(delivery('messages.delete', { remoteJid: ANA, fromMe: false, id: 'H' }, Date.now()))
    expect(await screen()).toHaveLength(2)
  })

  test('of an unknown kind is stored raw and counted in health by its name', async () => {
    await talk()
    for (const name of ['hologramMessage', 'smellMessage', 'hologramMessage'])
      await write({ [name]: { a: 1 } })
    const { rows } = await office.db.query<{ raw: { message: object } }>('select raw from portal.message_raw')
    expect(rows.map(({ raw }) => raw.message)).toContainEqual({ smellMessage: { a: 1 } })
    const { body } = await office.asAdmin.call('/api/health')
    expect(body['webhook']).toMatchObject({
      unknownKinds: [
        { name: 'hologramMessage', seen: 2 },
        { name: 'smellMessage', seen: 1 },
      ],
    })
  })

  test('beyond two hundred names they are counted together', async () => {
    await office.db.exec(
      `insert into portal.unknown_kinds (name) select 'tomorrow' || n from generate_series(0, 198) n`,
    )
    for (let n = 199; n < 203; n++) await write({ [`tomorrow${n}`]: {} })
    await write({ tomorrow7: {} })
    const { rows } = await office.db.query<{ name: string; seen: number }>(
      `select name, seen::integer from portal.unknown_kinds
       where name in ('outros', 'tomorrow7', 'tomorrow199') order by name`,
    )
    expect(rows).toEqual([
      { name: 'outros', seen: 3 },
      { name: 'tomorrow199', seen: 1 },
      { name: 'tomorrow7', seen: 2 },
    ])
  })
})

describe('a call', () => {
  const MISSED = { unread: 1, waits: true, last: 'Ligação perdida', kind: 'call' }
  const RANG = [{ title: 'Ana', body: 'Ligou para você' }]

  test.each([
    ['that nobody took', ['offer', 'ringing', 'timeout']],
    ['that ended while it rang', ['offer', 'terminate']],
    ['that was declined', ['offer', 'reject', 'terminate']],
    ['told from its end on', ['terminate']],
    ['told twice', ['offer', 'offer', 'timeout', 'timeout', 'terminate']],
    ['told backwards', ['timeout', 'offer']],
  ])('%s is one missed call, which waits and notifies', async (_, steps) => {
    await talk()
    for (const step of steps) await call('C1', step)
    expect(await cards()).toMatchObject([MISSED])
    expect(await rings()).toMatchObject(RANG)
    expect((await screen()).slice(2)).toEqual(['Ligação perdida · Ligar de volta'])
    expect((await office.db.query(`select from portal.waiting_events`)).rowCount).toBe(0)
  })

  test('of video is marked as such, also if only its start said so', async () => {
    await talk()
    await call('C1', 'offer', { isVideo: true })
    await call('C1', 'timeout')
    expect(await screen()).toContain('Ligação de vídeo perdida · Ligar de volta')
  })

  test('that was answered is an answer of ours: nothing waits, nothing notifies', async () => {
    await talk()
    await write({ conversation: 'Alô?' })
    await rings()
    const began = Date.now()
    await call('C1', 'offer')
    await call('C1', 'accept', { date: new Date(began).toISOString() })
    await call('C1', 'terminate', { date: new Date(began + 245_000).toISOString() })
    expect(await cards()).toMatchObject([{ waits: false, last: 'Ligação' }])
    expect(await rings()).toEqual([])
    expect((await screen()).at(-1)).toBe('Ligação · 4 min ·')
  })

  test('that was answered is not missed, even if its end is reported first', async () => {
    await talk()
    const began = Date.now()
    await call('C1', 'terminate', { date: new Date(began + 60_000).toISOString() })
    await call('C1', 'accept', { date: new Date(began).toISOString() })
    expect(await cards()).toMatchObject([{ unread: 0, waits: false }])
    expect((await screen()).slice(2)).toEqual(['Ligação · 1 min ·'])
  })

  test('without an end is missed two minutes later', async () => {
    await talk()
    await call('C1', 'offer')
    expect(await screen()).toHaveLength(2)
    const end = (later: string) =>
      office.db.query<{ ended: number }>(`select portal.end_calls(now() + $1::interval) as ended`, [later])
    expect((await end('1 minute')).rows).toEqual([{ ended: 0 }])
    expect((await end('3 minutes')).rows).toEqual([{ ended: 1 }])
    expect((await end('3 minutes')).rows).toEqual([{ ended: 0 }])
    expect(await cards()).toMatchObject([MISSED])
    expect(await rings()).toMatchObject(RANG)
  })

  test("in the phone's log is the same call", async () => {
    await talk()
    await call('C1', 'timeout')
    await write({ callLogMesssage: { callOutcome: 'MISSED' } })
    expect((await screen()).slice(2)).toHaveLength(1)
    await write({ callLogMesssage: { callOutcome: 'ACCEPTED_ELSEWHERE', durationSecs: '90' } })
    expect((await screen()).slice(2)).toEqual(['Ligação · 1 min ·'])
  })

  test('missed, reported as a message without content, is the same call', async () => {
    await talk()
    await write(null, { id: 'C1', rest: { messageStubType: 'CALL_MISSED_VOICE' } })
    await call('C1', 'timeout')
    expect((await screen()).slice(2)).toEqual(['Ligação perdida · Ligar de volta'])
  })

  test('from a new person makes a lead when missed, and none when answered', async () => {
    await call('C1', 'offer')
    await call('C1', 'accept')
    await call('C1', 'terminate')
    expect(await cards()).toEqual([])
    await call('C2', 'offer')
    await call('C2', 'timeout')
    expect(await cards()).toMatchObject([MISSED])
    expect(await rings()).toMatchObject([
      { title: expect.stringMatching(/^Novo lead/), body: 'Ligou para você' },
    ])
  })

  test.each<[string, object]>([
    ['a group', { isGroup: true }],
    ['a group, by its address', { groupJid: '123-456@g.us' }],
    ['our own phone', { from: '5511900000001@s.whatsapp.net', chatId: ANA }],
    ['nobody', { from: 'status@broadcast', chatId: null }],
  ])('of %s is none', async (_, rest) => {
    await talk()
    await call('C1', 'timeout', rest)
    expect(await cards()).toMatchObject([QUIET])
    expect(await screen()).toHaveLength(2)
  })

  test('gives an agent no text to answer', async () => {
    await talk()
    await call('C1', 'timeout')
    expect((await office.db.query('select from portal.agent_turns')).rowCount).toBe(0)
  })
})

describe('messages of business accounts', () => {
  beforeEach(talk)

  test.each<[string, unknown, string]>([
    [
      'template',
      { templateMessage: { hydratedTemplate: { hydratedContentText: 'Sua fatura' } } },
      'Sua fatura',
    ],
    ['interactive', { interactiveMessage: { body: { text: 'Escolha' } } }, 'Escolha'],
    ['buttons', { buttonsMessage: { contentText: 'Olá' } }, 'Olá'],
    ['list', { listMessage: { description: 'Horários' } }, 'Horários'],
    ['product', { productMessage: { body: 'Apê 2 quartos' } }, 'Apê 2 quartos'],
  ])('%s', async (_, message, words) => {
    await write(message)
    expect(await cards()).toMatchObject([{ unread: 1, waits: true, last: words }])
    expect((await screen()).at(-1)).toBe(`Conta comercial ${words}`)
  })

  test('are no opt-out, whatever text is below them', async () => {
    await write({
      buttonsMessage: { contentText: 'Promoção', footerText: 'Não quero mais receber mensagens' },
    })
    expect((await office.db.query('select from portal.people where opted_out_at is not null')).rowCount).toBe(
      0,
    )
  })
})

describe('an album', () => {
  const photo = { imageMessage: { mimetype: 'image/jpeg' } }
  const child = (headId?: string, caption?: string) => ({
    associatedChildMessage: { message: { imageMessage: { ...photo.imageMessage, caption } } },
    ...(headId !== undefined && {
      messageContextInfo: {
        messageAssociation: { associationType: 'MEDIA_ALBUM', parentMessageKey: { id: headId } },
      },
    }),
  })
  const grid = (count: number) => [...Array(Math.min(4, count)).keys()]
  const html = async () => {
    const [card] = await cards()
    return linesOf(await readConversation(office.asAna.call, card!.id))
  }

  test.each([
    ['whose head is named', 'HEAD'],
    ['whose head nobody names', undefined],
  ])('%s is one line with a grid of photos, and each of them counts', async (_, headId) => {
    await talk()
    await write({ albumMessage: { expectedImageCount: 3 } }, { id: 'HEAD' })
    for (const caption of ['Meu apartamento', undefined, undefined]) await write(child(headId, caption))
    expect(await cards()).toMatchObject([{ unread: 3, waits: true }])
    expect((await screen()).at(-1)).toBe('Meu apartamento')
    const [, , line, ...more] = await html()
    expect(more).toEqual([])
    expect(line).toContain('aria-label="Álbum, 3 fotos"')
    for (const at of grid(3)) expect(line).toContain(`aria-label="Foto ${at + 1} de 3"`)
  })

  test('of six shows four and the number of others', async () => {
    await talk()
    for (let n = 0; n < 6; n++) await write(child('HEAD'))
    const [, , line, ...more] = await html()
    expect(more).toEqual([])
    expect(line).toContain('aria-label="Álbum, 6 fotos"')
    expect(line).toContain('aria-label="Foto 4 de 6, mais 2"')
    expect(line).not.toContain('Foto 5')
    expect(line).toContain('+2')
  })

  test('ends with another album, another side, a text between, or a minute', async () => {
    await talk()
    const at = nowSeconds()
    await write(child('A'), { sentAt: at })
    await write(child('A'), { sentAt: at + 70 })
    await write(child('B'), { sentAt: at + 71 })
    await write(child(), { sentAt: at + 72 })
    await write(child(), { sentAt: at + 140 })
    await write(child(), { sentAt: at + 141, fromMe: true })
    await write(photo, { sentAt: at + 142 })
    await write(photo, { sentAt: at + 143 })
    expect((await html()).slice(2).map((line) => /Álbum, \d/.exec(line)?.[0] ?? 'foto')).toEqual([
      'Álbum, 2',
      'foto',
      'foto',
      'foto',
      'foto',
      'foto',
      'foto',
    ])
  })

  test('has each photo once, despite better copies', async () => {
    await talk()
    await write(child('HEAD'), { id: 'P1' })
    for (const associationType of ['HD_IMAGE_DUAL_UPLOAD', 12])
      await write({
        associatedChildMessage: { message: photo },
        messageContextInfo: { messageAssociation: { associationType, parentMessageKey: { id: 'P1' } } },
      })
    expect(await screen()).toHaveLength(3)
  })
})

describe('an advertisement', () => {
  const entry = {
    conversionSource: 'FB_Ads',
    entryPointConversionSource: 'ctwa_ad',
    entryPointConversionApp: 'instagram',
  }
  const sheet = async () => {
    const [card] = await cards()
    const { body } = await office.asAna.call('/rest/v1/rpc/lead_sheet', { p_contact_id: card!.id })
    return body
  }

  test("is a lead's source even without its card", async () => {
    await write({ extendedTextMessage: { text: 'Oi', contextInfo: entry } })
    expect(await cards()).toMatchObject([{ source: 'instagram', last: 'Oi' }])
    expect(await sheet()).toMatchObject({ source: 'instagram', ad: { source: 'instagram', clickId: null } })
  })

  test('is stored with its ids, the first one permanently', async () => {
    const externalAdReply = {
      title: 'Torre Azul',
      sourceApp: 'facebook',
      sourceId: '12021',
      ctwaClid: 'ARAk',
      sourceUrl: 'https://fb.me/x',
    }
    await write({ extendedTextMessage: { text: 'Oi', contextInfo: { ...entry, externalAdReply } } })
    await write({ extendedTextMessage: { text: 'Oi de novo', contextInfo: entry } })
    expect(await sheet()).toMatchObject({
      source: 'facebook',
      campaign: 'Torre Azul',
      ad: { title: 'Torre Azul', adId: '12021', clickId: 'ARAk', link: 'https://fb.me/x' },
    })
  })

  test('of an existing lead changes no source that a person set, and is stored', async () => {
    await talk()
    await office.db.query(`update public.whatsapp_contacts set source = 'indicacao'`)
    await write({ extendedTextMessage: { text: 'Oi', contextInfo: entry } })
    expect(await sheet()).toMatchObject({ source: 'indicacao', ad: { source: 'instagram' } })
  })
})
