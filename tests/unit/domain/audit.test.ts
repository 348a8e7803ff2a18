// Actions of the audit log as sentences.
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { AUDIT_AREAS } from '#domain/audit-deeds.ts'
import { actionsOf, auditActor, type AuditEntry, auditSentence } from '#domain/audit.ts'
import { table } from '#tests/support/table.ts'

const entry = (action: string, subject: string | null = null, details = {}): AuditEntry => ({
  id: 1,
  atMs: 0,
  actor: 'chefe',
  actorRole: 'admin',
  action,
  subject,
  details,
})

table('%o', auditSentence, [
  [entry('link.lost', 'corretor_camila'), 'O WhatsApp de Camila caiu'],
  // Rows from before this detail was stored.
  [entry('roleta.changed', 'Lago'), 'Alterou a roleta “Lago”'],
  [
    entry('roleta.changed', 'Lago', {
      added: ['corretor_camila'],
      removed: ['corretor_rafael', 'corretor_juliana'],
      ruled: ['corretor_ana'],
      settings: ['acceptMinutes'],
      isReordered: true,
    }),
    'Alterou a roleta “Lago”: incluiu Camila; retirou Rafael, Juliana; mudou as regras de Ana; mudou o tempo para aceitar; mudou a ordem da fila',
  ],
  [
    entry('conversion.stopped', 'crm'),
    'O envio de conversões parou, pelo CRM: falta um token da Meta que valha, ou uma permissão a ele',
  ],
  [entry('link.back', 'corretor_camila'), 'O WhatsApp de Camila voltou'],
  [entry('admin.reset', 'vera'), 'Redefiniu o acesso do administrador vera'],
  [
    entry('admin.reset', 'vera', { place: 'server' }),
    'Redefiniu o acesso do administrador vera, por comando no servidor',
  ],
  [entry('session.opened', null, { secondStep: false }), 'Entrou'],
  [entry('session.opened', null, { secondStep: true }), 'Entrou, em duas etapas'],
  [entry('session.closed', null, { scope: 'local' }), 'Saiu'],
  [entry('session.closed', null, { scope: 'global' }), 'Saiu de todos os aparelhos'],
  [
    entry('sign-in.refused', 'camila', { reason: 'code' }),
    'Entrada recusada na conta de camila: código errado',
  ],
  [
    entry('leads.handed-over', null, { from: 'camila', to: 'rafael', count: 1 }),
    'Passou 1 lead de camila para rafael',
  ],
  [
    entry('leads.handed-over', null, { from: 'camila', to: null, count: 1200 }),
    'Passou 1.200 leads de camila para o administrador',
  ],
  [
    entry('agent.mode', 'Mirante', { from: 'suggest', to: 'answer', failed: 2 }),
    'Mudou como o agente “Mirante” atende: de sugere para responde, com 2 testes falhando',
  ],
  [
    entry('agent.changed', 'Mirante', { fields: ['regras_atendimento'], untested: true }),
    'Alterou o agente “Mirante”: Regras - Atendimento, sem testes',
  ],
  [
    entry('agent.published', 'Mirante', { fields: ['regras_atendimento'], failed: null }),
    'Publicou textos do agente “Mirante”: Regras - Atendimento, sem testes',
  ],
  [
    entry('agent.published', 'Mirante', { fields: ['regras_atendimento'], failed: 1 }),
    'Publicou textos do agente “Mirante”: Regras - Atendimento, com 1 teste falhando',
  ],
  [
    entry('agent.changed', 'Mirante', { fields: ['introducao_atendimento', 'nome_agente', 'lua'] }),
    'Alterou o agente “Mirante”: Introdução - Atendimento, Nome, lua',
  ],
  [
    entry('settings.changed', 'daily_cap', { from: 200, to: 300 }),
    'Mudou o limite diário das campanhas de 200 para 300',
  ],
  [entry('settings.changed', 'time_zone'), 'Mudou o fuso horário'],
  [entry('export.done', 'audit', { count: 12 }), 'Exportou a auditoria: 12 linhas'],
  [entry('export.done', 'roleta', { count: 1 }), 'Exportou os leads distribuídos pela roleta: 1 linha'],
  // From a newer portal, or unknown.
  [entry('moon.landed', 'x'), 'moon.landed'],
  [entry('leads.handed-over'), 'Passou 0 leads do administrador para o administrador'],
])

it('names an actor without an account by its kind', () => {
  expect(auditActor(entry('session.opened'))).toBe('chefe')
  expect(auditActor({ actor: null, actorRole: 'system' })).toBe('Sistema')
})

it('has a sentence for every action that is written, and for no other', () => {
  const read = (path: string) => readFileSync(path, 'utf8')
  const schemas = readdirSync('supabase/schemas').map((file) => `supabase/schemas/${file}`)
  const watching = schemas.filter((file) => file.includes('audit')).map(read)
  const telling = [
    ...schemas,
    'server/auth/session-store.ts',
    'server/auth/factors/store.ts',
    'server/auth/factors/verify.ts',
    'server/events/hook-store.ts',
  ]
  const written = [
    ...watching.flatMap((text) => [...text.matchAll(/'((?!portal\.)[a-z-]+\.[a-z]+(?:-[a-z]+)*)'/g)]),
    ...telling.map(read).flatMap((text) => [...text.matchAll(/portal\.audit\('([a-z.-]+)'/g)]),
  ].map(([, action]) => action)
  const known = AUDIT_AREAS.flatMap(({ area }) => actionsOf(area) ?? [])
  expect(new Set(known)).toEqual(new Set(written))
  expect(new Set(known).size).toBe(known.length)
})
