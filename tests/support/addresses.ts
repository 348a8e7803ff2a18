// Every address outside /rest/v1: who is allowed, and a request with an effect, for http/addresses.test.ts.
import { randomUUID } from 'node:crypto'
import type { Side, Scenario } from './schema/rules-scenario.ts'
import { ROTATION_SETTINGS } from './make-app.ts'

/**
 * `secret`: the caller brings a secret of this address. `half`: a caller who still lacks the second factor is allowed,
 * too. `service`: another system, no person.
 */
export type Keeper = 'anyone' | 'secret' | 'half' | 'member' | 'broker' | 'admin' | 'service'

export type AddressEntry = {
  for: Keeper
  /** The values for path, query and body; of the side whose data is requested. */
  at?: (side: Side, scenario: Scenario) => Record<string, string | number>
  query?: (side: Side) => string
  body?: (side: Side, scenario: Scenario) => unknown
  /** The address concerns one broker's data, so another broker, and the gerente of another team, is refused. */
  isOwned?: true
  /** For administrators and gerentes. */
  isManaged?: true
  /** Larger bodies are refused; undefined: no body is read. */
  limitBytes?: number
}

const ID = '00000000-0000-4000-8000-000000000007'
const KB = 1024
const SIGN_IN = { limitBytes: 16 * KB }
const operation = () => ({ operationId: randomUUID() })
const contact = (side: Side) => ({ id: side.contactId })
const contactId = (side: Side) => ({ contactId: side.contactId })
const message = (side: Side) => ({ id: side.messageId })
const campaign = (side: Side) => ({ id: side.campaignId })
const rotation = (side: Side) => ({ id: side.roletaId })
const segment = () => ({ ...operation(), question: {}, message: 'Olá' })
const ofInstance = (side: Side) => `?instanceName=${side.instanceName}`
const agent = (_: Side, scenario: Scenario) => ({ id: scenario.agentId })
const manager = (_: Side, scenario: Scenario) => ({ id: scenario.managerId })
const prompt = (_: Side, scenario: Scenario) => ({ id: scenario.agentId, field: 'regras_atendimento' })
const wanted = (side: Side) => ({
  name: 'Outro nome',
  settings: ROTATION_SETTINGS,
  seats: [{ instanceName: side.instanceName, weight: 1, shifts: null, dailyCap: null, isActive: true }],
})

const development = (_: Side, scenario: Scenario) => ({ id: scenario.development.id })
const newDevelopment = () => ({
  ...operation(),
  development: {
    name: 'Outro empreendimento',
    ...Object.fromEntries(
      'builder state deliversOn address district city placeName latitude longitude description license priceFromCents validUntil'
        .split(' ')
        .map((field) => [field, null]),
    ),
    plans: [],
    media: [],
    removedMedia: [],
  },
})

const own = (at: AddressEntry['at'], limitBytes: number): AddressEntry => ({
  for: 'member',
  isOwned: true,
  ...(at ? { at } : {}),
  body: operation,
  limitBytes,
})
const link: AddressEntry = {
  for: 'member',
  isOwned: true,
  query: ofInstance,
  body: () => ({}),
  limitBytes: KB,
}
/** The scenario creates a case of the own side first, then one of the other. */
const intent = own((side, scenario) => ({ id: side === scenario.own ? 1 : 2 }), 512 * KB)
const admin = (more: Partial<AddressEntry> = {}): AddressEntry => ({ for: 'admin', ...more })
const ofTeam = (body: NonNullable<AddressEntry['body']>) =>
  admin({ at: (_, scenario) => ({ id: scenario.teamId }), body, limitBytes: 4 * KB })
const hook = { at: () => ({ id: ID }), limitBytes: 4 * KB }
const steer = own(campaign, 70 * KB * KB)
const settle = own(({ campaignId: id, recipientId }) => ({ id, recipientId }), 70 * KB * KB)

export const ADDRESSES: Record<string, AddressEntry> = {
  // The portal stores nothing of what is shared.
  'POST /compartilhar': { for: 'anyone' },
  'POST /auth/v1/token': {
    for: 'anyone',
    query: () => '?grant_type=password',
    body: (side) => ({ email: `${side.username}@corretor.local`, password: 'errada' }),
    ...SIGN_IN,
  },
  'GET /auth/v1/user': { for: 'half' },
  'PUT /auth/v1/user': { for: 'member', body: () => ({ password: 'senha-tomada' }), ...SIGN_IN },
  'POST /auth/v1/logout': { for: 'half', query: () => '?scope=global', ...SIGN_IN },
  'POST /auth/v1/factors': { for: 'member', body: () => ({ factor_type: 'totp' }), ...SIGN_IN },
  'POST /auth/v1/factors/:id/challenge': { for: 'half', at: () => ({ id: ID }), ...SIGN_IN },
  'POST /auth/v1/factors/:id/verify': {
    for: 'half',
    at: () => ({ id: ID }),
    body: () => ({ challenge_id: ID, code: '123456' }),
    ...SIGN_IN,
  },
  'DELETE /auth/v1/factors/:id': { for: 'member', at: () => ({ id: ID }), ...SIGN_IN },

  'POST /api/login/lookup': { for: 'anyone', body: (side) => ({ username: side.username }), ...SIGN_IN },
  'POST /api/login/first-access': {
    for: 'secret',
    body: (side) => ({ username: side.username, password: 'senha-tomada', invite: 'adivinhado' }),
    ...SIGN_IN,
  },
  'GET /api/health': { for: 'anyone' },
  'GET /api/config': { for: 'anyone' },
  'GET /metrics': { for: 'secret' },
  'GET /api/events': { for: 'member' },

  'GET /api/admins': admin(),
  'POST /api/admins': admin({ body: () => ({ ...operation(), username: 'intruso' }), ...SIGN_IN }),
  'POST /api/admins/:id/reset': admin({ at: ({ id }) => ({ id }), body: operation, ...SIGN_IN }),
  'POST /api/admins/:id/remove': admin({ at: ({ id }) => ({ id }), body: operation, ...SIGN_IN }),
  'GET /api/account/second-step': admin({ isManaged: true }),
  'POST /api/account/recovery-codes': admin({ isManaged: true, body: operation, ...SIGN_IN }),
  'GET /api/teams': admin(),
  'POST /api/teams': admin({ body: () => ({ ...operation(), name: 'Intrusos' }), limitBytes: 4 * KB }),
  'POST /api/teams/:id/rename': ofTeam(() => ({ ...operation(), name: 'Intrusos' })),
  'POST /api/teams/:id/remove': ofTeam(operation),
  'POST /api/teams/:id/manager': ofTeam((side) => ({ ...operation(), from: null, to: side.id })),
  'POST /api/teams/:id/managers': ofTeam(() => ({ ...operation(), username: 'intruso' })),
  'POST /api/teams/brokers/:id/move': admin({
    at: ({ id }) => ({ id }),
    body: (_, scenario) => ({ ...operation(), team: scenario.teamId }),
    limitBytes: 4 * KB,
  }),
  'POST /api/teams/managers/:id/reset': admin({ at: manager, body: operation, limitBytes: 4 * KB }),
  'POST /api/teams/managers/:id/remove': admin({ at: manager, body: operation, limitBytes: 4 * KB }),
  'GET /api/gateway': admin(),
  'PUT /api/gateway': admin({
    body: () => ({ url: 'https://evolution.example', apiKey: 'x' }),
    limitBytes: 2 * 1024,
  }),
  'PUT /api/gateway/new': admin({ body: () => ({ kind: 'evolution' }), limitBytes: 2 * KB }),
  'GET /api/first-hour': admin(),
  'GET /api/audit': admin(),
  'GET /api/audit/actors': admin(),
  'POST /api/audit/export': admin(),

  'GET /api/v1/openapi.json': { for: 'anyone' },
  'GET /api/v1/docs': { for: 'anyone' },
  'GET /api/v1/leads': { for: 'service' },
  'GET /api/v1/leads/:id': { for: 'service', at: contact },
  'GET /api/v1/messages': { for: 'service', query: (side) => `?leadId=${side.contactId}` },
  'GET /api/v1/messages/:id': { for: 'service', at: message },
  'GET /api/v1/brokers': { for: 'service' },
  'GET /api/v1/rotations': { for: 'service' },
  'GET /api/v1/developments': { for: 'service' },
  'GET /api/v1/developments/:id': { for: 'service', at: development },
  'GET /api/v1/events': { for: 'service' },
  'GET /api/v1/leads/:id/interests': { for: 'service', at: contact },
  'POST /api/v1/leads/:id/interests': {
    for: 'service',
    at: contact,
    body: (_, scenario) => ({ developmentId: scenario.development.id }),
    limitBytes: 64 * KB,
  },
  'DELETE /api/v1/leads/:id/interests/:developmentId': {
    for: 'service',
    at: (side, scenario) => ({ id: side.contactId, developmentId: scenario.development.id }),
    limitBytes: 64 * KB,
  },
  'POST /api/v1/developments': {
    for: 'service',
    body: () => ({ name: 'Outro empreendimento' }),
    limitBytes: 512 * KB,
  },
  'PATCH /api/v1/developments/:id': {
    for: 'service',
    at: development,
    body: () => ({ name: 'Outro empreendimento' }),
    limitBytes: 512 * KB,
  },
  'POST /api/v1/leads': {
    for: 'service',
    body: () => ({ name: 'Outro', phone: '11955550142' }),
    limitBytes: 64 * KB,
  },
  'PATCH /api/v1/leads/:id': {
    for: 'service',
    at: contact,
    body: () => ({ stage: 'arquivado' }),
    limitBytes: 64 * KB,
  },
  'POST /api/v1/messages': {
    for: 'service',
    body: (side) => ({ leadId: side.contactId, text: 'Oi' }),
    limitBytes: 64 * KB,
  },

  'GET /api/service-tokens': admin(),
  'POST /api/service-tokens': admin({
    body: () => ({
      ...operation(),
      name: 'n8n',
      grants: ['leads:read'],
      expiresAt: new Date(Date.now() + 864e5).toISOString(),
    }),
    limitBytes: 4 * KB,
  }),
  'POST /api/service-tokens/:id/revoke': admin(hook),

  'POST /api/conversions/token': admin({
    body: () => ({ target: 'crm', token: 'x'.repeat(20) }),
    limitBytes: 4 * KB,
  }),
  'GET /api/webhooks': admin(),
  'POST /api/webhooks': admin({
    body: () => ({ name: 'ERP', url: 'https://erp.example.com/portal', events: ['lead.won'] }),
    limitBytes: 4 * KB,
  }),
  'POST /api/webhooks/:id/test': admin(hook),
  'POST /api/webhooks/:id/state': admin({ ...hook, body: () => ({ state: 'off' }) }),
  'POST /api/webhooks/:id/secret': admin(hook),
  'DELETE /api/webhooks/:id': admin(hook),
  'GET /api/webhooks/:id/events': admin({ at: () => ({ id: ID }) }),
  'POST /api/webhooks/:id/replay': admin({ ...hook, body: () => ({ eventId: 1 }) }),
  'POST /api/webhooks/:id/events/:event/skip': admin({ ...hook, at: () => ({ id: ID, event: 1 }) }),

  'GET /api/push': { for: 'member' },
  'POST /api/push/devices': {
    for: 'member',
    body: () => ({
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      keys: {
        p256dh: Buffer.alloc(65, 4).toString('base64url'),
        auth: Buffer.alloc(16, 4).toString('base64url'),
      },
      name: 'Celular',
    }),
    limitBytes: 8 * KB,
  },
  'DELETE /api/push/devices/:id': { for: 'member', at: () => ({ id: ID }), limitBytes: 8 * KB },
  'POST /api/push/settings': {
    for: 'member',
    body: () => ({ hidesNames: true, quiet: null }),
    limitBytes: 8 * KB,
  },
  'POST /api/push/watching': {
    for: 'broker',
    body: contactId,
    limitBytes: 8 * KB,
  },

  'GET /api/leads/keys': admin(),
  'POST /api/leads/keys': admin({
    body: () => ({ ...operation(), kind: 'form', name: 'Chave' }),
    limitBytes: 32 * KB,
  }),
  'POST /api/leads/keys/:id/revoke': admin({ at: () => ({ id: ID }), limitBytes: 32 * KB }),
  'PATCH /api/leads/keys/:id': admin({
    at: () => ({ id: ID }),
    body: () => ({ isOn: false }),
    limitBytes: 32 * KB,
  }),
  'GET /api/leads/keys/:id/address': admin({ at: () => ({ id: ID }) }),
  'POST /api/leads/keys/:id/swap': admin({ at: () => ({ id: ID }), body: operation, limitBytes: 32 * KB }),
  'POST /api/leads/keys/:id/test': admin({ at: () => ({ id: ID }), limitBytes: 32 * KB }),
  'GET /api/leads/mailboxes/:id': admin({ at: () => ({ id: ID }) }),
  'PUT /api/leads/mailboxes/:id': admin({
    at: () => ({ id: ID }),
    body: () => ({ host: 'imap.example.com', port: 993, username: 'leads', isOn: false, password: 'x' }),
    limitBytes: 4 * KB,
  }),
  'DELETE /api/leads/mailboxes/:id': admin({ at: () => ({ id: ID }), limitBytes: 4 * KB }),
  'GET /api/leads/kept': admin(),
  'POST /api/leads/kept': admin({ body: () => ({ ids: [1] }), limitBytes: 16 * KB }),
  'GET /api/leads/unread': admin(),
  'GET /api/leads/unread/:id': admin({ at: () => ({ id: 1 }) }),
  'POST /api/leads/unread/read': admin({ body: () => ({ ids: [1] }), limitBytes: 16 * KB }),
  'POST /api/leads/unread/discard': admin({ body: () => ({ ids: [1] }), limitBytes: 16 * KB }),
  'POST /api/exports/leads': admin({ body: () => ({}), limitBytes: 64 * KB }),
  'GET /api/imports': admin(),
  'POST /api/imports': admin({
    body: ({ instanceName }) => ({
      id: randomUUID(),
      fileName: 'lista.csv',
      total: 1,
      destination: 'broker',
      instanceName,
    }),
    limitBytes: 2 * KB * KB,
  }),
  'POST /api/imports/known': admin({
    body: () => ({ keys: ['+5511905550148'], emails: [] }),
    limitBytes: 2 * KB * KB,
  }),
  'POST /api/imports/:id/rows': admin({
    at: () => ({ id: ID }),
    body: () => ({ rows: [[2, 'Sandra Lemos', '(11) 90555-0148']] }),
    limitBytes: 2 * KB * KB,
  }),
  'POST /api/imports/:id/stop': admin({ at: () => ({ id: ID }), limitBytes: 2 * KB * KB }),
  'POST /api/imports/:id/undo': admin({ at: () => ({ id: ID }), limitBytes: 2 * KB * KB }),
  'POST /api/imports/:id/refused': admin({ at: () => ({ id: ID }), limitBytes: 2 * KB * KB }),
  'POST /api/leads/contacts/:id/number': admin({
    at: contact,
    body: () => ({ ...operation(), number: '5511955500142' }),
    limitBytes: 4 * KB,
  }),
  'GET /api/leads/contacts/doubts': admin({}),
  'POST /api/leads/contacts/:id/decision': admin({
    at: contact,
    body: () => ({ ...operation(), number: '5511955500142' }),
    limitBytes: 4 * KB,
  }),
  'GET /api/calendar/:file': { for: 'secret', at: () => ({ file: `${'a'.repeat(64)}.ics` }) },
  'OPTIONS /api/leads': { for: 'secret', query: () => '?key=pc_adivinhada' },
  'POST /api/leads': {
    for: 'secret',
    query: () => '?key=pc_adivinhada',
    body: () => ({ name: 'Intruso', number: '5511955500142' }),
    limitBytes: 64 * KB,
  },
  'GET /api/leads/meta/:key': {
    for: 'secret',
    at: () => ({ key: ID }),
    query: () => '?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1',
  },
  'POST /api/leads/meta/:key': {
    for: 'secret',
    at: () => ({ key: ID }),
    body: () => ({}),
    limitBytes: KB * KB,
  },
  'POST /webhook/:instance/:secret/:event?': {
    for: 'secret',
    at: (side) => ({ instance: side.instanceName, secret: 'adivinhado', 'event?': 'messages-upsert' }),
    body: () => ({ event: 'messages.upsert' }),
    limitBytes: 64 * KB * KB,
  },

  'GET /api/roleta/mine': { for: 'member' },
  'GET /api/roleta/mine/shares': { for: 'member' },
  'GET /api/roleta/mine/leads/:id': { for: 'member', at: contact },
  'POST /api/roleta/mine/pause': {
    for: 'member',
    body: () => ({ until: null, isOpenEnded: true }),
    limitBytes: 512 * KB,
  },
  'POST /api/roleta/mine/:id/accept': intent,
  'POST /api/roleta/mine/:id/pass': intent,
  'POST /api/roleta/mine/:id/claim': intent,
  'GET /api/roleta/open': admin(),
  'GET /api/roleta/inbox': admin(),
  'POST /api/roleta/:id/inbox': admin({ at: rotation, body: operation, limitBytes: 512 * KB }),
  'GET /api/roleta/leads/:id': admin({ at: contact }),
  'POST /api/roleta/central': admin({
    body: (side) => ({ instanceName: side.instanceName, isCentral: true }),
    limitBytes: 512 * KB,
  }),
  'GET /api/roleta/:id': admin({ isManaged: true, isOwned: true, at: rotation }),
  'POST /api/roleta/:id/save': admin({
    isManaged: true,
    isOwned: true,
    at: rotation,
    body: (side) => ({ ...operation(), version: '0', roleta: wanted(side) }),
    limitBytes: 512 * KB,
  }),
  'POST /api/roleta/:id/simulate': admin({
    isManaged: true,
    isOwned: true,
    at: rotation,
    body: wanted,
    limitBytes: 512 * KB,
  }),
  'GET /api/roleta/:id/shares': admin({ isManaged: true, isOwned: true, at: rotation }),

  'GET /api/brokers': admin({ isManaged: true }),
  'GET /api/brokers/totals': admin({ isManaged: true }),
  'POST /api/brokers': admin({ body: () => ({ ...operation(), username: 'intruso' }), limitBytes: 4 * KB }),
  'POST /api/brokers/:instanceName/reset': admin({
    at: ({ instanceName }) => ({ instanceName }),
    body: operation,
    limitBytes: 4 * KB,
  }),
  'POST /api/brokers/:instanceName/remove': admin({
    at: ({ instanceName }) => ({ instanceName }),
    body: () => ({ ...operation(), heir: null }),
    limitBytes: 4 * KB,
  }),

  'POST /api/people/find': admin({ body: contactId, limitBytes: KB }),
  'POST /api/people/export': admin({ body: contactId, limitBytes: KB }),
  'POST /api/people/conversation': admin({ body: contactId, limitBytes: KB }),
  'POST /api/people/erase': admin({
    body: (side) => ({ ...operation(), ...contactId(side) }),
    limitBytes: KB,
  }),

  'GET /api/instance/move': admin({ query: ofInstance }),
  'POST /api/instance/move': admin({ query: ofInstance, body: () => ({ kind: 'outro' }), limitBytes: KB }),
  'DELETE /api/instance/move': admin({ query: ofInstance, limitBytes: KB }),
  'GET /api/instance': { for: 'member', isOwned: true, query: ofInstance },
  'POST /api/instance/connect': link,
  'POST /api/instance/restart': link,
  'POST /api/instance/recreate': link,
  'POST /api/instance/disconnect': link,
  'POST /api/instance/acknowledge': link,

  'POST /api/messages/:id/media': { for: 'member', isOwned: true, at: message },
  'POST /api/messages/text': {
    for: 'member',
    isOwned: true,
    body: (side) => ({ ...operation(), contactId: side.contactId, text: 'Oi' }),
    limitBytes: 256 * KB,
  },
  'POST /api/messages/location': {
    for: 'member',
    isOwned: true,
    body: (side) => ({ ...operation(), contactId: side.contactId, place: { latitude: 0, longitude: 0 } }),
    limitBytes: 256 * KB,
  },
  'POST /api/messages/contact': {
    for: 'member',
    isOwned: true,
    body: (side) => ({
      ...operation(),
      contactId: side.contactId,
      contacts: [{ name: 'Rui Prado', phones: ['5511955500777'] }],
    }),
    limitBytes: 256 * KB,
  },
  'POST /api/messages/forward': { for: 'member', body: operation, limitBytes: 256 * KB },
  'POST /api/messages/media': { for: 'member', body: operation, limitBytes: 70 * KB * KB },
  'POST /api/messages/quick-reply': {
    for: 'member',
    isOwned: true,
    body: (side) => ({
      ...operation(),
      contactId: side.contactId,
      text: 'Segue',
      quickReplyId: side.quickReplyId,
      mediaId: 'a'.repeat(64),
    }),
    limitBytes: 256 * KB,
  },
  'POST /api/quick-replies/:id/file': {
    for: 'member',
    at: (side) => ({ id: side.quickReplyId }),
    body: operation,
    limitBytes: 70 * KB * KB,
  },
  'DELETE /api/quick-replies/:id/file': { for: 'member', at: (side) => ({ id: side.quickReplyId }) },
  'POST /api/messages/:id/retry': own(message, 256 * KB),
  'DELETE /api/messages/:id': { for: 'member', isOwned: true, at: message },
  'GET /api/media/:id': { for: 'secret', at: () => ({ id: 'a'.repeat(64) }), query: () => '?exp=9&sig=x' },

  'GET /api/developments': admin(),
  'POST /api/developments': admin({ body: newDevelopment, limitBytes: 512 * KB }),
  'GET /api/developments/unbound': admin(),
  'POST /api/developments/unbound': admin({
    body: (_, scenario) => ({ text: 'Outro nome', id: scenario.development.id }),
    limitBytes: 512 * KB,
  }),
  'GET /api/developments/:id': admin({ at: development }),
  'GET /api/developments/:id/leads/:list': admin({
    at: (_, scenario) => ({ id: scenario.development.id, list: 'open' }),
  }),
  'POST /api/developments/:id/save': admin({
    at: development,
    body: () => ({ ...newDevelopment(), version: 1 }),
    limitBytes: 512 * KB,
  }),
  'POST /api/developments/:id/archive': admin({
    at: development,
    body: () => ({ isArchived: true }),
    limitBytes: 512 * KB,
  }),
  'POST /api/developments/:id/files': admin({ at: development, body: operation, limitBytes: 17 * KB * KB }),
  'GET /api/developments/material': { for: 'member' },
  'POST /api/developments/files': {
    for: 'member',
    body: (_, scenario) => ({ ids: [scenario.development.fileId] }),
    limitBytes: 512 * KB,
  },
  'GET /api/developments/feed': admin(),
  'PUT /api/developments/feed': admin({
    body: () => ({ address: 'https://example.com/feed.xml', isHourly: true }),
    limitBytes: 16 * KB,
  }),
  'POST /api/developments/feed/read': admin({ body: () => ({}), limitBytes: 16 * KB }),
  'POST /api/developments/feed/file': admin({ body: () => ({}), limitBytes: 30 * KB * KB }),
  'GET /api/developments/feed/runs/:id/changes': admin({ at: () => ({ id: 1 }) }),
  'POST /api/developments/feed/runs/:id/apply': admin({
    at: () => ({ id: 1 }),
    body: () => ({ except: [] }),
    limitBytes: KB * KB,
  }),
  'GET /api/developments/feed/listings': admin(),
  'POST /api/developments/feed/listings/:id': admin({
    at: () => ({ id: 1 }),
    body: () => ({
      title: 'Outro título',
      ...Object.fromEntries(
        ['description', 'saleCents', 'rentCents', 'area', 'bedrooms', 'suites', 'bathrooms', 'parking'].map(
          (field) => [field, null],
        ),
      ),
    }),
    limitBytes: 64 * KB,
  }),
  'GET /api/developments/pages': admin(),
  'GET /api/developments/pages/left-out': admin(),
  'POST /api/developments/pages': admin({
    body: (_, scenario) => ({ developmentId: scenario.development.id, isPublished: true }),
    limitBytes: 16 * KB,
  }),
  'PUT /api/developments/pages/visits': admin({ body: () => ({ isOn: true }), limitBytes: 16 * KB }),
  'POST /api/developments/pages/out': admin({
    body: () => ({ email: 'feed@example.com', state: 'SP' }),
    limitBytes: 16 * KB,
  }),
  'DELETE /api/developments/pages/out': admin(),
  'POST /api/developments/pages/link': {
    for: 'member',
    isOwned: true,
    body: (side) => ({ contactId: side.contactId, slug: 'nada' }),
    limitBytes: 16 * KB,
  },
  'GET /api/feeds/:file': { for: 'secret', at: () => ({ file: `${'a'.repeat(64)}.xml` }) },
  'GET /i/:slug': { for: 'anyone', at: () => ({ slug: 'nada' }) },
  'GET /i/:slug/:paper': { for: 'anyone', at: () => ({ slug: 'nada', paper: `${'a'.repeat(64)}.pdf` }) },
  'GET /i/:slug/:photo': { for: 'anyone', at: () => ({ slug: 'nada', photo: `${'a'.repeat(64)}.jpg` }) },
  'POST /api/campaigns': {
    for: 'member',
    body: (side) => ({ ...operation(), stage: 'new', message: 'Olá', contactIds: [side.contactId] }),
    limitBytes: 70 * KB * KB,
  },
  'GET /api/campaigns/active': { for: 'member' },
  'GET /api/campaigns/candidates': { for: 'member', query: () => '?stage=new' },
  'POST /api/campaigns/segments/count': admin({ body: segment, limitBytes: 70 * KB * KB }),
  'POST /api/campaigns/segments': admin({ body: segment, limitBytes: 70 * KB * KB }),
  'POST /api/campaigns/:id/pause': steer,
  'POST /api/campaigns/:id/resume': steer,
  'POST /api/campaigns/:id/stop': steer,
  'POST /api/campaigns/:id/retry': steer,
  'POST /api/campaigns/:id/recipients/:recipientId/again': settle,
  'POST /api/campaigns/:id/recipients/:recipientId/sent': settle,

  'GET /api/agents': admin(),
  'GET /api/agents/instances': admin(),
  'POST /api/agents': admin({
    body: () => ({ ...operation(), name: 'Intruso', instanceName: null, copyFrom: null }),
    limitBytes: 8 * KB,
  }),
  'POST /api/agents/:id/instance': admin({
    at: agent,
    body: () => ({ instanceName: null }),
    limitBytes: 8 * KB,
  }),
  'GET /api/agents/:id/bench': admin({ at: agent }),
  'POST /api/agents/:id/bench': admin({ at: agent, limitBytes: 8 * KB }),
  'GET /api/agents/:id/setup': admin({ at: agent }),
  'POST /api/agents/:id/setup': admin({ at: agent, body: () => ({ mode: 'answer' }), limitBytes: 8 * KB }),
  'POST /api/agents/:id/facts': admin({
    at: agent,
    body: () => ({ id: null, label: 'Preço', value: 'R$ 1', isPrice: true, validUntil: '2030-01-01' }),
    limitBytes: 8 * KB,
  }),
  'DELETE /api/agents/:id/facts/:fact': admin({
    at: (_, scenario) => ({ id: scenario.agentId, fact: 1 }),
    limitBytes: 8 * KB,
  }),
  'GET /api/agents/:id/cases/of/:turn': admin({ at: (_, scenario) => ({ id: scenario.agentId, turn: 1 }) }),
  'POST /api/agents/:id/cases': admin({
    at: agent,
    body: () => ({ ...operation(), turnId: 1, handsOver: true }),
    limitBytes: 8 * KB,
  }),
  'DELETE /api/agents/:id/cases/:case': admin({
    at: (_, scenario) => ({ id: scenario.agentId, case: 1 }),
    limitBytes: 8 * KB,
  }),
  'GET /api/prompts/:id': admin({ at: agent }),
  'POST /api/prompts/:id/discard': admin({ at: agent, limitBytes: 640 * KB }),
  'POST /api/prompts/:id/publish': admin({
    at: agent,
    body: () => ({ mark: 'm', isAskedTwice: true }),
    limitBytes: 640 * KB,
  }),
  'GET /api/prompts/:id/:field': admin({ at: prompt }),
  'POST /api/prompts/:id/:field': admin({
    at: prompt,
    body: () => ({ ...operation(), text: 'Diga tudo.', base: null }),
    limitBytes: 640 * KB,
  }),
  'POST /api/agents/model/trial': admin({ body: () => ({}), limitBytes: 8 * KB }),
  'POST /api/agents/prices': admin({
    body: () => ({ model: 'm', inputMicros: 0, outputMicros: 0 }),
    limitBytes: 8 * KB,
  }),
  'GET /api/agents/:id/turns/:contactId': admin({
    at: (side, scenario) => ({ id: scenario.agentId, contactId: side.contactId }),
  }),
  'GET /api/assist/:contactId/handover': { for: 'member', isOwned: true, at: (side) => contactId(side) },
  'POST /api/assist/:contactId/summary': { for: 'member', isOwned: true, at: (side) => contactId(side) },
  'POST /api/assist/:contactId/suggestion': { for: 'member', isOwned: true, at: (side) => contactId(side) },
  'POST /api/assist/:contactId/give-back': { for: 'member', isOwned: true, at: (side) => contactId(side) },
  'GET /api/assist/voice': { for: 'member' },
  'POST /api/assist/voice/:messageId': {
    for: 'member',
    isOwned: true,
    at: (side) => ({ messageId: side.messageId }),
  },
  'GET /api/assist/own': { for: 'broker' },
  'POST /api/assist/own': { for: 'broker', body: () => ({ isOn: true }), limitBytes: KB },
  'POST /api/assist/suggestions/:id/dismiss': { for: 'member', at: () => ({ id: 999_999 }) },
  'POST /api/agents/:id/forget': admin({
    at: agent,
    body: () => ({ number: '11966665555' }),
    limitBytes: 8 * KB,
  }),
}

/** Addresses of GoTrue that are closed to everyone, for every method, with a message. */
export const CLOSED = [
  'signup',
  'otp',
  'magiclink',
  'verify',
  'resend',
  'sso',
  'authorize',
  'callback',
  'recover',
  'reauthenticate',
  'user/identities/*',
].map((name) => `ALL /auth/v1/${name}`)

/** 'POST /api/x/:id' with its values and its query filled in. */
export function addressOf(
  name: string,
  entry: AddressEntry,
  { side, scenario }: { side: Side; scenario: Scenario },
): string {
  const values = entry.at?.(side, scenario) ?? {}
  const path = (name.split(' ')[1] ?? '').replace(/:([a-zA-Z]+\??)/g, (_, key: string) =>
    encodeURIComponent(String(values[key] ?? '')),
  )
  return path + (entry.query?.(side) ?? '')
}
