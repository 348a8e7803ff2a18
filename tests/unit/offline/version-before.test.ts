// The stored data of the app of 22 November 2026 (build 709c946, IndexedDB 2): the current app continues with it.
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPhone, type Phone } from '#tests/support/phone.ts'

const CAMILA = 'b0ff58c7-5a21-489d-afb4-974a293d070e'
const WAITING = {
  schema: 1,
  userId: CAMILA,
  state: 'queued',
  attempts: 0,
  failure: null,
  problem: null,
  appliedAtMs: null,
  messageId: null,
}
const MARINA = {
  id: 2000,
  number: '5511905550133',
  name: 'Marina Tavares',
  instanceName: 'corretor_camila',
}
const OUTBOX = [
  {
    ...WAITING,
    id: '6ca5e58d-c30c-4dc1-9ea7-42d9d149086b',
    command: {
      kind: 'lead.read',
      lead: { id: 2000, number: null, name: null, instanceName: null },
      upToSeconds: 1795436519,
    },
    state: 'applied',
    attempts: 1,
    nextAtMs: 1795436575625,
    createdAtMs: 1795436575625,
    appliedAtMs: 1795436575748,
    seq: 1,
  },
  {
    ...WAITING,
    id: 'fd26dba4-b95a-46a3-be08-577d61e00dca',
    command: {
      kind: 'message.send',
      lead: MARINA,
      text: 'Escrita na versão de antes.',
      quotedMessageId: null,
    },
    nextAtMs: 1795436577164,
    createdAtMs: 1795436577164,
    seq: 2,
  },
  {
    ...WAITING,
    id: 'cb0da32f-c134-474b-a987-1fde22e654dd',
    command: {
      kind: 'lead.note',
      lead: { ...MARINA, id: 1997, number: '5511955500187', name: 'Rogério Bastos' },
      base: 'Quer 3 quartos, até R$ 640 mil. Tem carta de crédito.',
      text: 'Nota da versão de antes',
    },
    nextAtMs: 1795436581185,
    createdAtMs: 1795436581185,
    seq: 3,
  },
]
const DRAFT = { owner: CAMILA, place: 'conversation:2000', text: 'rascunho guardado antes' }
const BOARD = {
  owner: CAMILA,
  instanceName: 'corretor_camila',
  cursor: '921bb30303f4.2',
  stages: [{ id: '1', name: 'Novos Contatos', slug: 'new', position: 1, kind: 'open' }],
  counts: new Map([['new', 1]]),
  pulledAtMs: 1795436575818,
}

/** A minute later, because entries that are hours old need a decision. */
const NOW_MS = 1795436640000

let phone: Phone
let heard: { path: string; body: Record<string, unknown> }[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
  heard = []
  phone = await openPhone({
    account: { id: CAMILA, token: 'token' },
    fetchServer: async (request) => {
      const path = new URL(request.url).pathname
      heard.push({ path, body: (await request.json()) as Record<string, unknown> })
      return Response.json(
        path.endsWith('/text') ? { message: { id: 3001 } } : { code: 'done', message: null, current: null },
      )
    },
  })
  const db = await openDB('portal', 2, {
    upgrade(made) {
      made.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
      made.createObjectStore('runner')
      made.createObjectStore('drafts', { keyPath: ['owner', 'place'] })
      made.createObjectStore('boards', { keyPath: ['owner', 'instanceName'] })
      const leads = made.createObjectStore('leads', { keyPath: ['owner', 'instanceName', 'id'] })
      leads.createIndex('by-stage', ['owner', 'instanceName', 'stageSlug', 'order'])
      const answers = made.createObjectStore('answers', { keyPath: ['owner', 'name'] })
      answers.createIndex('by-age', ['owner', 'kind', 'answeredAtMs'])
    },
  })
  for (const entry of OUTBOX) await db.put('outbox', entry)
  await db.put('drafts', DRAFT)
  await db.put('boards', BOARD)
  db.close()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const module of ['network', 'stored-session', 'own-token']) vi.doUnmock(`#api/${module}.ts`)
})

it('sends waiting entries once, with their ids, and keeps the draft', async () => {
  const tab = await phone.openTab()
  const drafts = await import('#offline/drafts.ts')
  expect(await tab.use(() => drafts.readDraft(DRAFT.place))).toBe(DRAFT.text)
  expect(await tab.use(() => tab.app.drain('start'))).toEqual({ left: 0 })
  expect(heard).toHaveLength(2)
  expect(heard).toContainEqual({
    path: '/api/messages/text',
    body: expect.objectContaining({ text: 'Escrita na versão de antes.', operationId: OUTBOX[1]?.id }),
  })
  expect(heard).toContainEqual({
    path: '/rest/v1/rpc/save_lead_notes',
    body: expect.objectContaining({ p_notes: 'Nota da versão de antes', p_operation_id: OUTBOX[2]?.id }),
  })
  await tab.use(() => tab.app.drain('request'))
  expect(heard).toHaveLength(2)
})

it("requests the whole board again, in today's form", async () => {
  const tab = await phone.openTab()
  const boards = await import('#offline/first-screen.ts')
  const key = { owner: CAMILA, instanceName: 'corretor_camila' }
  expect(await tab.use(() => boards.readFirstScreen(key))).toBeNull()
})
