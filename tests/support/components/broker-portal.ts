// A portal for one broker's screens: a board that stores changes, an open WhatsApp link, no offers.
import { packIndex } from '#domain/development/material-index.ts'
import type { BoardDelta } from '#data/board/rows.ts'
import { CAMILA } from './app.tsx'
import { type Answers, type Call, createNetwork } from './network.ts'

export type Row = BoardDelta['leads'][number]

export const MOVE = 'POST /rest/v1/rpc/atualizar_status_lead'
export const SYNC = 'POST /rest/v1/rpc/sync_board'

export const STAGES: BoardDelta['stages'] = [
  { id: 1, name: 'Novos Contatos', slug: 'new', order_index: 1, kind: 'open', hue: 'new' },
  { id: 2, name: 'Conversa', slug: 'conversa', order_index: 2, kind: 'open', hue: 'conversa' },
  { id: 3, name: 'Negociação', slug: 'negociacao', order_index: 3, kind: 'open', hue: 'negociacao' },
  { id: 4, name: 'Fechado', slug: 'fechado', order_index: 4, kind: 'won', hue: 'closed' },
  { id: 5, name: 'Arquivado', slug: 'arquivado', order_index: 5, kind: 'lost', hue: 'arquivado' },
]

/** The leads that tests call by name, with their current times. */
const known = (): Partial<Row>[] => [
  { name: 'Marina Tavares', status: 'new', unread_count: 1 },
  {
    name: 'Rogério Bastos',
    status: 'new',
    notes: 'Quer 3 quartos, até R$ 640 mil. Tem carta de crédito.',
    last_message: said('Consigo visitar no sábado de manhã, umas 10h?', 2),
  },
  { name: 'Luciana Prado', status: 'new' },
  { name: null, number: '5511955500142', status: 'new' },
  { name: 'Igor Salles', status: 'fechado', last_message: said('Quando sai a vistoria?', 90) },
]
/** Leads per stage on the default board. */
const COUNTS = { new: 12, conversa: 8, negociacao: 5, fechado: 3, arquivado: 21 }

const FIRST = ['Wesley', 'Denise', 'Tiago', 'Helena', 'Caio', 'Bianca', 'Otávio', 'Sônia', 'Élcio', 'Paula']
const LAST = ['Nogueira', 'Cordeiro', 'Meireles', 'Duarte', 'Figueiredo', 'Queiroz', 'Sampaio', 'Torres']

function said(body: string, minutesAgo: number): Row['last_message'] {
  const timestamp = Math.floor(Date.now() / 1000) - minutesAgo * 60
  return { body, timestamp, type: 'incoming', kind: 'text', delivery: null }
}

/** A valid lead; each test names only the columns that matter. */
export function leadRow(id: number, columns: Partial<Row> = {}): Row {
  const last =
    columns.last_message === undefined ? said('Bom dia! Ainda tem a unidade?', id) : columns.last_message
  return {
    id,
    name: `${FIRST[id % FIRST.length]} ${LAST[id % LAST.length]}`,
    number: `55119${String(50_000_000 + id)}`,
    notes: null,
    status: 'new',
    profile_pic_url: null,
    instanceName: CAMILA.instanceName ?? '',
    unread_count: 0,
    created_at: new Date(Date.now() - 86_400_000).toISOString(),
    last_message: last,
    remarketing_sent_at: null,
    opted_out: false,
    waiting_since: last?.type === 'incoming' ? last.timestamp : null,
    next: null,
    source: 'instagram',
    empreendimento: 'Mirante do Lago',
    ...columns,
  }
}

/**
 * A valid message from the portal, by default the lead's text of ten minutes ago; each test names only what matters.
 */
export const messageRow = (columns: object = {}) => ({
  id: 1,
  body: '',
  timestamp: Math.floor(Date.now() / 1000) - 600,
  type: 'incoming',
  read: true,
  kind: 'text',
  content: null,
  reactions: {},
  ...columns,
})

/** Twelve, eight, five, three and twenty-one leads; the one with the latest message is first. */
function usualBoard(): Row[] {
  const first = known().map((columns, index) => leadRow(index + 1, columns))
  const rest = Object.entries(COUNTS).flatMap(([status, count]) =>
    Array.from({ length: count - first.filter((row) => row.status === status).length }, () => ({ status })),
  )
  return [...first, ...rest.map((columns, index) => leadRow(first.length + 1 + index, columns))]
}

const idIn = (body: Call['body']) => Number(body['p_contact_id'])

/** `answers` override the default ones. */
export function brokerPortal(leads: readonly Row[] = usualBoard(), answers: Answers = {}) {
  const board = new Map(leads.map((row) => [row.id, row]))
  /** When each lead was last changed, as the cursor counts. */
  const changedAt = new Map<number, number>()
  let now = 1

  function change(id: number, columns: Partial<Row>) {
    const row = board.get(id)
    if (!row) throw new Error(`no lead ${id}`)
    board.set(id, { ...row, ...columns })
    changedAt.set(id, ++now)
  }
  const keep = (column: 'notes' | 'name', { body }: Call) => {
    const text = String(body[`p_${column}`])
    change(idIn(body), { [column]: text })
    return { code: 'saved', message: null, current: text }
  }

  const network = createNetwork({
    [SYNC]: ({ body: { p_cursor: cursor } }): BoardDelta => {
      const since = cursor === null ? 0 : Number(cursor)
      return {
        cursor: String(now),
        reset: cursor === null,
        leads: [...board.values()].filter(({ id }) => cursor === null || (changedAt.get(id) ?? 0) > since),
        removed: [],
        stages: STAGES,
      }
    },
    [MOVE]: ({ body }) => {
      const status = String(body['p_novo_status'])
      change(idIn(body), { status })
      return { success: true, code: 'moved', message: null, current_status: status }
    },
    'POST /rest/v1/rpc/save_lead_notes': (call) => keep('notes', call),
    'POST /rest/v1/rpc/rename_lead': (call) => keep('name', call),
    'POST /rest/v1/rpc/mark_read': ({ body }) => {
      change(idIn(body), { unread_count: 0, marked_unread: null })
      return 0
    },
    'POST /rest/v1/rpc/lead_unread': ({ body }) => {
      change(idIn(body), { unread_count: 1, marked_unread: true })
      return { code: 'saved', message: null, current: null }
    },
    // Sending is allowed at any hour.
    'GET /rest/v1/campaign_settings': () => [
      {
        opens_at: 0,
        closes_at: 24,
        sends_on_sundays: true,
        daily_cap: 200,
        warm_up_from: 20,
        warm_up_days: 14,
        rest_days: 7,
      },
    ],
    'POST /rest/v1/rpc/get_plans': () => ({
      plans: [],
      own: null,
      shared: [],
      hours: { from: 0, until: 24, sundays: true },
    }),
    'POST /rest/v1/rpc/get_visit_setup': () => ({
      hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: 540, until: 1_080 })),
      feed_made_at: null,
    }),
    'GET /api/assist/own': () => ({ isOn: false, isAvailable: true }),
    'GET /api/instance': () => ({ state: 'open', number: '5511901000101', replacedNumber: null }),
    'GET /api/roleta/mine': () => ({
      offers: [],
      pool: [],
      pausedUntil: null,
      now: new Date().toISOString(),
    }),
    'GET /api/roleta/mine/shares': () => ({ shares: [] }),
    'POST /rest/v1/rpc/get_lead_passes': () => ({ colleagues: [], incoming: [], outgoing: [] }),
    'GET /rest/v1/whatsapp_messages': () => [],
    'GET /rest/v1/quick_replies': () => [],
    'GET /api/developments/material': () => ({ stamp: 'none', index: packIndex([]) }),
    'POST /api/developments/files': () => ({ urls: {} }),
    'POST /rest/v1/rpc/erased_leads': () => [],
    'POST /rest/v1/rpc/search_messages': () => ({ messages: [], until: null }),
    // Waiting time counts at any hour.
    'POST /rest/v1/rpc/get_broker_day': () => {
      const at = Date.now() / 1000
      const waiting = [...board.values()].flatMap(({ id, waiting_since: since }) =>
        since === null ? [] : [{ id, counted: at - since, open: true }],
      )
      return { answered: 0, median: null, at, waiting }
    },
    'POST /rest/v1/rpc/lead_mute': ({ body }) => body['p_is_muted'] ?? false,
    // No assistant has handed over or suggested anything.
    ...Object.fromEntries(
      [...board.keys()].flatMap((id) => [
        [`GET /api/assist/${id}/handover`, () => ({ handover: null, baton: null })],
        [`POST /api/assist/${id}/suggestion`, () => ({ suggestion: null, isBeingWritten: false })],
      ]),
    ),
    ...answers,
  })

  return {
    network,
    /** A change on another device; the app is notified if its event stream is open. */
    changeElsewhere(id: number, columns: Partial<Row>) {
      change(id, columns)
      network.tell({ kind: 'board', instanceName: CAMILA.instanceName ?? '' })
    },
    /** The lead on the portal. */
    lead: (id: number) => board.get(id),
  }
}

/** A lead's sheet that is empty but for its source, as `lead_sheet` answers. */
export const EMPTY_SHEET = {
  source: 'instagram',
  campaign: null,
  development: null,
  email: null,
  tags: [],
  value: null,
  lossReason: null,
  lostAt: null,
  knownTags: [],
  files: [],
  path: [],
}
