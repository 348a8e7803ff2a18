// Builders of the app's types, valid by default; each test names only what matters to it.
import type { Board } from '#data/board/rows.ts'
import type { LastMessage, Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
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
