// Builders of the app's types, valid by default; each test names only what matters to it.
import type { Board, BoardDelta } from '#data/board/rows.ts'
import type { LastMessage, Lead } from '#domain/lead/lead.ts'
import type { Broker } from '#domain/broker.ts'
import type { SendingPolicy } from '#domain/campaign.ts'
import type { MaterialRecord } from '#domain/development/material-index.ts'
import type { Media, Message } from '#domain/message/message.ts'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { UNNUMBERED } from '#domain/outbox/queue.ts'
import type { RotationPlan } from '#domain/rotation/editing.ts'
import type { Stage } from '#domain/stage.ts'

let nextId = 1

export function lead(part: Partial<Lead> = {}): Lead {
  const id = part.id ?? nextId++
  return {
    id,
    name: `Pessoa ${id}`,
    number: '5511955500142',
    notes: null,
    stageSlug: 'new',
    pictureUrl: null,
    instanceName: 'corretor_camila',
    unreadCount: 0,
    lastMessage: null,
    createdAtMs: Date.parse('2025-11-01T12:00:00Z'),
    remarketingSentAtMs: null,
    isOptedOut: false,
    waitingSinceMs: part.lastMessage?.direction === 'incoming' ? part.lastMessage.sentAtSeconds * 1000 : null,
    next: [],
    source: 'desconhecida',
    development: null,
    waiting: null,
    ...part,
  }
}

export function lastMessage(part: Partial<LastMessage> = {}): LastMessage {
  return { body: 'Oi', sentAtSeconds: 1_763_728_860, direction: 'incoming', delivery: null, ...part }
}

export function stage(part: Partial<Stage> & Pick<Stage, 'slug'>): Stage {
  return { id: part.slug, name: part.slug, position: 1, kind: 'open', ...part }
}

export function message(part: Partial<Message> = {}): Message {
  return {
    id: part.id ?? nextId++,
    body: '',
    sentAtSeconds: 1_763_728_860,
    direction: 'incoming',
    isRead: true,
    content: { kind: 'text' },
    delivery: null,
    deliveryReason: null,
    operationId: null,
    quote: null,
    reactions: [],
    isEdited: false,
    ...part,
  }
}

/** An outbox entry that waits, written by 'ana'. */
export function entry(command: Command, part: Partial<Entry> = {}): Entry {
  return {
    seq: 1,
    id: 'op',
    schema: 1,
    userId: 'ana',
    command,
    state: 'queued',
    attempts: 0,
    nextAtMs: 0,
    createdAtMs: 0,
    failure: null,
    problem: null,
    appliedAtMs: null,
    messageId: null,
    ...part,
  }
}

/** A lead's move to 'conversa' that a user made on this device and that was not sent yet. */
export function waitingMove(userId: string, instanceName: string, id = `move-of-${userId}`): Entry {
  const of = { id: 7, number: null, name: null, instanceName }
  return entry(
    { kind: 'lead.move', lead: of, fromSlug: 'new', toSlug: 'conversa' },
    { seq: UNNUMBERED, id, userId },
  )
}

/** A linked, active broker without activity. */
export function broker(name: string, part: Partial<Broker> = {}): Broker {
  return {
    id: name,
    instanceName: `corretor_${name}`,
    number: '5511955550101',
    pictureUrl: null,
    state: 'open',
    changedAtMs: null,
    lostAtMs: null,
    limit: null,
    hasPassword: true,
    seenAtMs: null,
    campaignCount: 0,
    seatCount: 0,
    isCentral: false,
    isActive: true,
    ...part,
  }
}

export function board(leads: readonly Lead[], part: Partial<Board> = {}): Board {
  return {
    cursor: '1',
    leads: new Map(leads.map((each) => [each.id, each])),
    stages: [],
    missing: new Map(),
    askedAtMs: 0,
    ...part,
  }
}

type LeadRow = BoardDelta['leads'][number]

/** A lead as `sync_board` answers it. */
export const leadRow = (id: number, part: Partial<LeadRow> = {}): LeadRow => ({
  id,
  name: 'Marina Tavares',
  number: '5511955500142',
  notes: null,
  status: 'new',
  profile_pic_url: null,
  instanceName: 'corretor_camila',
  unread_count: 0,
  created_at: '2025-11-21T12:00:00+00:00',
  last_message: null,
  remarketing_sent_at: null,
  opted_out: false,
  waiting_since: null,
  next: null,
  source: 'desconhecida',
  empreendimento: null,
  ...part,
})

/** What changed since the cursor before, as `sync_board` answers it. */
export const boardDelta = (part: Partial<BoardDelta> = {}): BoardDelta => ({
  cursor: '1',
  reset: false,
  leads: [],
  removed: [],
  stages: [],
  ...part,
})

/** The settings of a rotation without acceptance, response times or a code. */
export const ROTATION_SETTINGS: RotationPlan['settings'] = {
  needsAcceptance: false,
  acceptMinutes: 5,
  answerMinutes: null,
  targetMinutes: null,
  maxHops: 3,
  textCode: null,
}

/** Campaigns from 8h to 20h except on Sundays, with a warm-up of two weeks. */
export const SENDING_POLICY: SendingPolicy = {
  opensAt: 8,
  closesAt: 20,
  sendsOnSundays: false,
  dailyCap: 200,
  warmUpFrom: 20,
  warmUpDays: 14,
}

/** The dashboard's figures of a period without leads. */
export const NO_LEADS = {
  totalLeads: 0,
  avgResponseTimeHours: null,
  avgLeadsPerDay: 0,
  conversionRate: 0,
  answeredLeads: 0,
  unansweredLeads: 0,
}
export const NO_ANSWERS = {
  answeredLeads: 0,
  unansweredLeads: 0,
  medianHours: null,
  p90Hours: null,
  withinFiveMinutes: 0,
  withinFiveMinutesRate: null,
}

/** A file of a message, as far as its kind knows it. */
export const mediaOf = (part: Partial<Media> & Pick<Media, 'mimeType'>): Media => ({
  fileName: null,
  sizeBytes: null,
  seconds: null,
  width: null,
  height: null,
  isVoice: false,
  isViewOnce: false,
  preview: null,
  waveform: null,
  ...part,
})

/** A development without prices, plans and files. */
export const BARE_MIRANTE: MaterialRecord = {
  id: 3,
  name: 'Mirante do Lago',
  state: 'em_obras',
  deliversOn: '2028-03-01',
  address: 'Av. das Nações, 1200',
  district: 'Jardim Botânico',
  city: 'São José',
  placeName: 'Estande Mirante do Lago',
  latitude: -22.90123,
  longitude: -47.0612,
  license: '12345-J',
  slug: 'mirante-do-lago',
  unitsAvailable: null,
  priceFromCents: null,
  pricedOn: null,
  validUntil: null,
  plans: [],
  media: [],
}
