import { describe, expect, test } from 'vitest'
import { toNotice } from '#server/push/notice.ts'
import type { ClaimedPush } from '#server/push/push-queue.ts'

const LEAD = {
  name: 'Marina Tavares',
  number: '5511955500142',
  kind: 'text',
  body: 'Oi!',
  sentAtSeconds: 7,
} as const
const PASS = { firstName: 'Marina', colleague: 'corretor_bia' }
const VISIT = {
  contactId: 7,
  name: 'Marina Tavares',
  number: null,
  kind: 'visit' as const,
  place: 'Vista Serrana',
  startsAtMs: Date.parse('2026-11-23T11:00:00-03:00'),
  isToday: true,
}
const NOTHING = {
  id: 1,
  subject: null,
  happened: 1,
  deviceId: 'd',
  endpoint: '',
  p256dh: '',
  auth: '',
  heldTimes: 0,
  hidesNames: false,
  unreadLeads: 2,
  lead: null,
  risk: null,
  machine: null,
  campaign: null,
  offer: null,
  pass: null,
  unsent: null,
  visit: null,
  lostInstance: null,
  hook: null,
  feed: null,
}
const push = (part: Partial<ClaimedPush> & Pick<ClaimedPush, 'kind'>): ClaimedPush => ({
  ...NOTHING,
  tag: part.kind,
  ...part,
})
const noticeOf = (part: Parameters<typeof push>[0], length?: 'short') =>
  (
    JSON.parse(toNotice(push(part), 'https://portal.example', length).json) as {
      notification: { title: string; body: string; navigate: string; actions: object[]; data?: object }
      app_badge: number
    }
  ).notification

test.each([
  [{ kind: 'lead', lead: LEAD }, 'Novo lead: Marina Tavares', 'Oi!'],
  [{ kind: 'assigned', lead: LEAD }, 'Lead para você: Marina Tavares', 'Oi!'],
  [{ kind: 'message', lead: LEAD }, 'Marina Tavares', 'Oi!'],
  [{ kind: 'message', lead: { ...LEAD, name: null } }, '(11) 95550-0142', 'Oi!'],
  [{ kind: 'message', lead: { ...LEAD, kind: 'audio', body: '' } }, 'Marina Tavares', 'Áudio'],
  [
    { kind: 'lead', lead: { ...LEAD, body: '', sentAtSeconds: null } },
    'Novo lead: Marina Tavares',
    'Toque para atender.',
  ],
  [{ kind: 'lead', lead: LEAD, hidesNames: true }, 'Novo lead', 'Toque para atender.'],
  [{ kind: 'assigned', lead: LEAD, hidesNames: true }, 'Lead para você', 'Toque para atender.'],
  [{ kind: 'message', lead: LEAD, hidesNames: true }, 'Nova mensagem', 'Toque para atender.'],
  [{ kind: 'digest' }, '2 leads esperam resposta', 'Toque para abrir o quadro.'],
  [{ kind: 'digest', unreadLeads: 1 }, '1 lead espera resposta', 'Toque para abrir o quadro.'],
  [
    { kind: 'feed', feed: { changes: 6, isRefused: false } },
    'O feed tem 6 mudanças para conferir',
    'Nada disso muda até você aplicar.',
  ],
  [
    { kind: 'feed', feed: { changes: 1, isRefused: false } },
    'O feed tem 1 mudança para conferir',
    'Nada disso muda até você aplicar.',
  ],
  [
    { kind: 'feed', feed: { changes: 90, isRefused: true } },
    'A leitura do feed foi recusada',
    'Nada mudou. Toque para ver o motivo.',
  ],
  [
    { kind: 'webhook', hook: { name: 'CRM da agência', isGone: false } },
    'Avisos parados: CRM da agência',
    'Falharam 20 vezes seguidas. O que acontece aqui espera até alguém retomar.',
  ],
  [
    { kind: 'webhook', hook: { name: 'CRM da agência', isGone: true } },
    'Avisos desligados: CRM da agência',
    'O endereço diz que não existe mais. O que acontece aqui não vai mais para lá.',
  ],
  [
    { kind: 'webhook', tag: 'conversions' },
    'Conversões paradas',
    'Falta um token da Meta que valha, ou uma permissão a ele. As conversões esperam um token novo.',
  ],
  [{ kind: 'handover', happened: 12 }, '12 leads para você', 'Toque para abrir o quadro.'],
  [
    { kind: 'campaign', campaign: { status: 'paused', sent: 3, total: 41 } },
    'Campanha pausada',
    '3 de 41 enviadas. Toque para ver o motivo.',
  ],
  [
    { kind: 'campaign', campaign: { status: 'error', sent: 3, total: 41 } },
    'Campanha interrompida',
    '3 de 41 enviadas. Toque para ver o motivo.',
  ],
  [
    { kind: 'unsent', unsent: { contactId: 7, name: 'Marina Tavares', number: null, why: 'answered' } },
    'Mensagem agendada não saiu: Marina Tavares',
    'O lead respondeu antes. Toque para enviar assim mesmo ou descartar.',
  ],
  [
    {
      kind: 'unsent',
      hidesNames: true,
      unsent: { contactId: 7, name: 'Marina', number: null, why: 'opted-out' },
    },
    'Mensagem agendada não saiu',
    'Toque para ver o motivo.',
  ],
  [{ kind: 'visit', visit: VISIT }, 'Visita hoje, 11h', 'Marina Tavares, 11h, Vista Serrana'],
  [{ kind: 'try', visit: { ...VISIT, kind: 'call', place: '' } }, 'Ligar às 11h', 'Marina Tavares'],
  [
    { kind: 'try', visit: { ...VISIT, kind: 'message', place: '' }, hidesNames: true },
    'Escrever às 11h',
    'Próxima tentativa do plano.',
  ],
  [{ kind: 'outcome', visit: VISIT }, 'A visita aconteceu?', 'Marina Tavares, 11h, Vista Serrana'],
  [{ kind: 'accepted', pass: PASS }, 'Bia ficou com Marina', 'A conversa foi junto.'],
  [{ kind: 'accepted' }, 'Seu colega ficou com o lead', 'A conversa foi junto.'],
  [
    { kind: 'declined', pass: PASS },
    'Bia não ficou com Marina',
    'O lead continua com você. Toque para abrir.',
  ],
  [
    { kind: 'declined', pass: PASS, hidesNames: true },
    'Seu colega não ficou com o lead',
    'O lead continua com você. Toque para abrir.',
  ],
  [{ kind: 'outcome', visit: VISIT, hidesNames: true }, 'A visita aconteceu?', '11h'],
] as const)('%o', (part, title, body) => {
  expect(noticeOf(part)).toMatchObject({ title, body })
})

test("a visit's outcome is answered in the notification, or on the page it opens", () => {
  const at = (search: string) => `https://portal.example/broker/hoje?${search}=7`
  expect(noticeOf({ kind: 'outcome', visit: VISIT })).toMatchObject({
    navigate: at('visita'),
    actions: [{ action: 'sim' }, { action: 'nao-veio' }, { action: 'remarcar', navigate: at('remarcar') }],
  })
})

test('an administrator is told at once whose WhatsApp link is lost, and led to the brokers', () => {
  const lost = push({ kind: 'lost', lostInstance: 'corretor_camila', unreadLeads: null })
  const { json, urgency } = toNotice(lost, 'https://portal.example')
  expect(urgency).toBe('high')
  const { notification, ...rest } = JSON.parse(json) as { notification: object; app_badge?: number }
  expect(notification).toMatchObject({
    title: 'O WhatsApp de Camila caiu',
    navigate: 'https://portal.example/',
    actions: [],
  })
  // The badge counts leads.
  expect(rest).not.toHaveProperty('app_badge')
  expect(noticeOf({ ...lost, hidesNames: true }).title).toBe('O WhatsApp de um corretor caiu')
})

test('an offer contains only first name and development, and expires with the offer', () => {
  const offer = { firstName: 'Marina', development: 'Mirante do Lago', secondsLeft: 290 }
  const part = { kind: 'offer', subject: 7, offer } as const
  expect(noticeOf(part)).toMatchObject({
    title: 'Novo lead para aceitar: Marina',
    body: 'Mirante do Lago. 5 minutos para aceitar.',
    navigate: 'https://portal.example/broker?oferta=7',
    actions: [
      {
        action: 'aceitar',
        title: 'Aceitar',
        navigate: 'https://portal.example/broker?oferta=7&resposta=aceitar',
      },
      {
        action: 'passar',
        title: 'Passar',
        navigate: 'https://portal.example/broker?oferta=7&resposta=passar',
      },
    ],
  })
  expect(noticeOf({ ...part, hidesNames: true })).toMatchObject({
    title: 'Novo lead para aceitar',
    body: '5 minutos para aceitar.',
  })
  const { ttlSeconds, urgency } = toNotice(push(part), 'https://portal.example')
  expect([ttlSeconds, urgency]).toEqual([290, 'high'])
  const late = push({ ...part, offer: { ...offer, secondsLeft: -3 } })
  expect(toNotice(late, 'https://portal.example').ttlSeconds).toBe(0)
})

test('an offer from the bolsão goes to the first who takes it', () => {
  const offer = { firstName: 'Marina', development: 'Mirante do Lago', secondsLeft: null }
  expect(noticeOf({ kind: 'offer', subject: 7, offer })).toMatchObject({
    title: 'Lead no bolsão: Marina',
    body: 'Mirante do Lago. Fica com quem pegar primeiro.',
    navigate: 'https://portal.example/broker?oferta=7',
    actions: [
      {
        action: 'pegar',
        title: 'Pegar',
        navigate: 'https://portal.example/broker?oferta=7&resposta=pegar',
      },
    ],
  })
})

test("a waiting lead is reported to its broker, and to administrators with the broker's name", () => {
  const part = { kind: 'risk', subject: 42, lead: { ...LEAD, name: 'Marina Tavares' } } as const
  const risk = { waitsSeconds: 930, isAdmin: false, instanceName: null }
  expect(noticeOf({ ...part, risk })).toMatchObject({
    title: 'Marina Tavares espera há 15 min',
    body: 'Toque para atender.',
    navigate: 'https://portal.example/broker?lead=42',
  })
  const late = { waitsSeconds: 1_800, isAdmin: true, instanceName: 'corretor_rafael' }
  expect(noticeOf({ ...part, risk: late })).toMatchObject({
    title: 'Marina Tavares espera há 30 min',
    body: 'Com Rafael. Toque para avisar ou passar.',
    navigate: 'https://portal.example/reports?secao=agora',
  })
  expect(noticeOf({ ...part, risk: late, hidesNames: true })).toMatchObject({
    title: 'Um lead espera há 30 min',
    body: 'Com um corretor. Toque para avisar ou passar.',
  })
  expect(noticeOf({ ...part, risk: { ...late, instanceName: null } }).body).toBe(
    'Sem corretor. Toque para passar.',
  )
})

describe('a lead', () => {
  test('a tap opens it, a button replies or marks it read', () => {
    const navigate = 'https://portal.example/broker?lead=42'
    expect(noticeOf({ kind: 'message', subject: 42, lead: LEAD })).toMatchObject({
      navigate,
      actions: [
        { action: 'responder', title: 'Responder', navigate },
        { action: 'lida', title: 'Marcar como lida', navigate },
      ],
      data: { contactId: 42, upToSeconds: 7 },
    })
  })

  test('without a message has no reply or read button', () => {
    expect(noticeOf({ kind: 'lead', subject: 42, lead: { ...LEAD, sentAtSeconds: null } }).actions).toEqual(
      [],
    )
  })
})

test('a long text is cut between characters', () => {
  const family = '👩‍👩‍👧'
  const { body } = noticeOf({ kind: 'message', lead: { ...LEAD, body: family.repeat(300) } }, 'short')
  expect(body).toBe(family.repeat(39) + '…')
})

test("the longest message stays below every push service's limit", () => {
  const lead = { ...LEAD, name: '👩‍👩‍👧'.repeat(66), body: '👩‍👩‍👧'.repeat(37) }
  expect(
    Buffer.byteLength(toNotice(push({ kind: 'lead', lead }), 'https://portal.example').json),
  ).toBeLessThan(3_993)
})

test("after an agent's pause for an automatic reply the broker is told, and an administrator is led to the chat", () => {
  const part = { kind: 'machine', subject: 42, lead: { ...LEAD, name: 'Loja Sol' } } as const
  expect(noticeOf({ ...part, machine: { isAdmin: false, agentId: 3 } })).toMatchObject({
    title: 'Parece resposta automática',
    body: 'O assistente parou na conversa com Loja Sol. Toque para ver.',
    navigate: 'https://portal.example/broker?lead=42',
  })
  expect(noticeOf({ ...part, hidesNames: true, machine: { isAdmin: true, agentId: 3 } })).toMatchObject({
    body: 'O assistente parou na conversa com um contato. Toque para ver.',
    navigate: 'https://portal.example/prompts?agente=3&ver=chat&conversa=42',
  })
})
