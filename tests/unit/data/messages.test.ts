// Parsing of message rows, and a conversation refetched and read backwards.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '#data/keys.ts'
import { askAhead, COLUMNS } from '#data/messages/newest.ts'
import { MessageRow, toMessage } from '#data/messages/row.ts'
import { type Conversation, conversationQuery, olderMessages, withNewest } from '#data/messages/messages.ts'

const { server, position } = vi.hoisted(() => ({
  position: { isTaken: false },
  server: { rows: [] as Record<string, unknown>[], asked: [] as Record<string, string>[] },
}))
vi.mock('#api/live-position.ts', () => ({ arePositionsTaken: () => position.isTaken }))
vi.mock('#api/client.ts', () => ({
  /** Answers the parameters of conversations like the REST layer. */
  rows: async (_table: string, parameters: Record<string, string>) => {
    server.asked.push(parameters)
    const before = /^\(timestamp\.lt\.(\d+),and\(timestamp\.eq\.\1,id\.lt\.(\d+)\)\)$/.exec(
      parameters['or'] ?? '',
    )
    const [time, id] = before ? [Number(before[1]), Number(before[2])] : [Infinity, Infinity]
    return server.rows
      .filter(
        (row) => Number(row['timestamp']) < time || (row['timestamp'] === time && Number(row['id']) < id),
      )
      .toSorted(
        (a, b) => Number(b['timestamp']) - Number(a['timestamp']) || Number(b['id']) - Number(a['id']),
      )
      .slice(0, Number(parameters['limit']))
  },
}))

const row = (id: number, part: Record<string, unknown> = {}) => ({
  id,
  body: `linha ${id}`,
  // Two per second, so that the time alone does not order them.
  timestamp: 1_000 + Math.floor(id / 2),
  type: 'incoming',
  read: true,
  kind: 'text',
  delivery: null,
  content: null,
  quoted: null,
  reactions: {},
  edited_at: null,
  ...part,
})
const message = (id: number, part: Record<string, unknown> = {}) =>
  toMessage(v.parse(MessageRow, row(id, part)))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const idsOf = (conversation: Conversation | undefined) => conversation?.messages.map(({ id }) => id)

describe('requested before its code is loaded', () => {
  const answered = async (contactId: number) => {
    server.asked = []
    return new QueryClient().fetchQuery(conversationQuery(contactId))
  }
  beforeEach(() => {
    server.rows = [row(1), row(2)]
  })

  it('is requested once', async () => {
    server.asked = []
    askAhead(7)
    expect(server.asked).toMatchObject([{ contact_id: 'eq.7', limit: '50' }])
    expect(idsOf(await answered(7))).toEqual([1, 2])
    expect(server.asked).toEqual([])
    // Later requests are new ones.
    await answered(7)
    expect(server.asked).toHaveLength(1)
  })

  it('another conversation does not get its messages', async () => {
    askAhead(7)
    await answered(8)
    expect(server.asked).toMatchObject([{ contact_id: 'eq.8' }])
  })

  it('is requested again once live events arrive, which may be newer', async () => {
    askAhead(7)
    position.isTaken = true
    await answered(7)
    position.isTaken = false
    expect(server.asked).toHaveLength(1)
  })

  it('a lead that is only on this device has none', () => {
    server.asked = []
    askAhead(-7)
    expect(server.asked).toEqual([])
  })
})

describe('a row', () => {
  it('has the selected columns', () => {
    expect(COLUMNS.split(',')).toEqual(Object.keys(MessageRow.entries))
  })

  it('becomes a message', () => {
    expect(
      message(7, {
        type: 'outgoing',
        delivery: 'delivered',
        operation_id: 'op-1',
        quoted: { messageId: 'x', isOwn: false, kind: 'image', body: null },
        reactions: { me: { emoji: '👍', at: 1, id: 'r' }, contact: { emoji: '' } },
        edited_at: '2026-11-21T12:00:00Z',
      }),
    ).toEqual({
      id: 7,
      body: 'linha 7',
      sentAtSeconds: 1_003,
      direction: 'outgoing',
      isRead: true,
      content: { kind: 'text' },
      delivery: 'delivered',
      deliveryReason: null,
      operationId: 'op-1',
      quote: { isOwn: false, kind: 'image', body: '', whatsappId: 'x' },
      reactions: [],
      ownReaction: '👍',
      isEdited: true,
    })
  })

  it.each([
    ['outgoing', 'agent', true],
    ['outgoing', 'human', undefined],
    ['outgoing', 'campaign', undefined],
    ['incoming', 'agent', undefined],
  ])('%s by %s: by an assistant, %s', (type, author, byAssistant) => {
    expect(message(1, { type, author }).byAssistant).toBe(byAssistant)
  })

  it.each([
    [
      'image',
      { mimeType: 'image/jpeg', width: 4, height: 3 },
      { kind: 'image', media: { width: 4, seconds: null } },
    ],
    [
      'audio',
      { mimeType: 'audio/ogg', seconds: 37, isVoice: true },
      { kind: 'audio', media: { isVoice: true } },
    ],
    ['contact', { contacts: [{ name: 'Lúcia', phones: ['5511'] }] }, { kind: 'contact' }],
    ['location', { latitude: -23.5, longitude: -46.6 }, { kind: 'location', place: { name: null } }],
    ['deleted', null, { kind: 'deleted' }],
    // Invalid content becomes a neutral message, and affects no other.
    ['image', null, { kind: 'unsupported' }],
    ['location', { latitude: 'x' }, { kind: 'unsupported' }],
    ['contact', { contacts: 'x' }, { kind: 'unsupported' }],
    ['poll', { question: 'x' }, { kind: 'unsupported' }],
  ])('of kind %s with %j contains %j', (kind, content, expected) => {
    expect(message(1, { kind, content }).content).toMatchObject(expected)
  })

  it('with invalid quotes, reactions and deliveries is still a message', () => {
    const odd = message(1, { quoted: 'x', reactions: null, delivery: 'teleported', type: 'outgoing' })
    expect(odd).toMatchObject({ quote: null, reactions: [], delivery: 'unknown' })
  })
})

describe('refetching', () => {
  const known = { messages: range(1, 120).map((id) => message(id)), hasOlder: true }

  it('keeps older messages, and unchanged ones as the same objects', () => {
    const newest = range(72, 121).map((id) => message(id, id === 100 ? { body: 'corrigida' } : {}))
    const next = withNewest(known, newest, 50)
    expect(idsOf(next)).toEqual(range(1, 121))
    expect(next.hasOlder).toBe(true)
    expect(next.messages[79]).toBe(known.messages[79])
    expect(next.messages[99]?.body).toBe('corrigida')
  })

  it('drops deleted messages', () => {
    const newest = range(70, 120).flatMap((id) => (id === 90 ? [] : [message(id)]))
    expect(idsOf(withNewest(known, newest, 50))).toEqual([...range(1, 89), ...range(91, 120)])
  })

  it('has a message once that was sent again and is the newest now', () => {
    const newest = [...range(72, 120), 5].map((id) =>
      message(id, id === 5 ? { timestamp: 2_000_000_000 } : {}),
    )
    expect(idsOf(withNewest(known, newest, 50))).toEqual([...range(1, 4), ...range(6, 120), 5])
  })

  it('starts anew if there is a gap', () => {
    const next = withNewest(
      known,
      range(300, 349).map((id) => message(id)),
      50,
    )
    expect(idsOf(next)).toEqual(range(300, 349))
    expect(next.hasOlder).toBe(true)
  })

  it('is complete when fewer came than were requested', () => {
    const next = withNewest(
      known,
      range(118, 120).map((id) => message(id)),
      50,
    )
    expect([idsOf(next), next.hasOlder]).toEqual([range(118, 120), false])
    expect(withNewest(undefined, [], 50)).toEqual({ messages: [], hasOlder: false })
  })
})

describe('a conversation', () => {
  let client: QueryClient
  beforeEach(() => {
    client = new QueryClient({
      defaultOptions: { queries: { retry: false }, mutations: { networkMode: 'always' } },
    })
    server.rows = range(1, 130).map((id) => row(id))
    server.asked = []
  })
  afterEach(() => client.clear())

  const data = () => client.getQueryData<Conversation>(keys.conversation(9))
  const older = () => client.getMutationCache().build(client, olderMessages(9)).execute(undefined)

  it('is read backwards from its end, page by page, each message once', async () => {
    await client.fetchQuery(conversationQuery(9))
    expect(idsOf(data())).toEqual(range(81, 130))
    expect(server.asked[0]).toMatchObject({
      contact_id: 'eq.9',
      order: 'timestamp.desc,id.desc',
      limit: '50',
    })
    await older()
    expect(idsOf(data())).toEqual(range(31, 130))
    await older()
    expect([idsOf(data()), data()?.hasOlder]).toEqual([range(1, 130), false])
  })

  it('is refetched as far as it is shown, and keeps its beginning', async () => {
    const observer = new QueryObserver(client, conversationQuery(9))
    const leave = observer.subscribe(() => undefined)
    await observer.refetch()
    await older()
    server.rows.push(row(131))
    await client.invalidateQueries({ queryKey: keys.conversation(9) })
    expect(server.asked.at(-1)).toMatchObject({ limit: '100' })
    expect(idsOf(data())).toEqual(range(31, 131))
    leave()
  })

  it('has no message twice when a page is requested twice', async () => {
    await client.fetchQuery(conversationQuery(9))
    await Promise.all([older(), older()])
    expect(idsOf(data())).toEqual(range(31, 130))
  })
})
