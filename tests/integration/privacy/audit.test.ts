// The audit log: written in the transaction of the action, read by administrators only, changed by nobody.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditSentence, type AuditEntry } from '#domain/audit.ts'
import {
  makeAdmin,
  makeAgent,
  makeBroker,
  makeCampaign,
  makeContact,
  signInAdmin,
  tryAs,
} from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, asAdmin, close } = await openOffice()
afterAll(close)
/** Rows up to here existed before the test. */
let seen = 0
beforeEach(async () => {
  const { rows } = await db.query<{ last: number }>(
    'select coalesce(max(id), 0) as last from portal.audit_log',
  )
  seen = rows[0]?.last ?? 0
})

type Page = { entries: AuditEntry[]; next: number | null }

const read = async (search = '') => {
  const { status, body } = await asAdmin.call(`/api/audit${search}`)
  expect(status).toBe(200)
  return body as unknown as Page
}
/** This test's rows, oldest first, as on the screen. */
const reported = async () =>
  (await read()).entries
    .filter(({ id }) => id > seen)
    .toReversed()
    .map((entry) => `${entry.actor ?? entry.actorRole}: ${auditSentence(entry)}`)
test('stages, agents and rotations changed by an administrator through the data API', async () => {
  const rest = async (path: string, method: string, body?: unknown) => {
    const answer = await asAdmin.request(`/rest/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
  await rest('kanban_stages', 'POST', { name: 'Proposta', slug: 'proposta', order_index: 6 })
  await rest('kanban_stages?slug=eq.proposta', 'PATCH', { name: 'Visita', kind: 'won' })
  await rest('kanban_stages?slug=eq.proposta', 'DELETE')
  const agent = await makeAgent(db)
  await rest(`prompts_agents?id=eq.${agent.id}`, 'PATCH', {
    regras_atendimento: 'um segredo',
    empreendimento: 'Mirante',
  })
  await rest('roletas', 'POST', { empreendimento: 'Mirante', ativa: true })
  await rest('roletas?empreendimento=eq.Mirante', 'PATCH', { ativa: false })
  await rest('roletas?empreendimento=eq.Mirante', 'DELETE')
  const lines = await reported()
  expect(lines.map((text) => text.replace(/“Agente[^”]*”/, '“Agente”'))).toEqual([
    'chefe: Criou o estágio “Proposta”',
    'chefe: Renomeou o estágio “Proposta” para “Visita”',
    'chefe: Mudou o tipo do estágio “Visita” de Aberto para Ganho',
    'chefe: Excluiu o estágio “Visita”',
    expect.stringMatching(/^system: Adicionou o agente/),
    'chefe: Alterou o agente “Agente”: Empreendimento, Regras - Atendimento, sem testes',
    'chefe: Criou a roleta “Mirante”',
    'chefe: Desativou a roleta “Mirante”',
    'chefe: Removeu a roleta “Mirante”',
  ])
  const { rows } = await db.query('select to_jsonb(l) as line from portal.audit_log l')
  expect(JSON.stringify(rows)).not.toContain('um segredo')
})

test('sign-in, refused sign-in, sign-out, a new password', async () => {
  const vera = `vera${Date.now()}`
  await makeAdmin(db, vera)
  await portal.setPassword(vera)
  const attempt = (email: string, password: string) =>
    portal.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: JSON.stringify({ email, password }),
    })
  await attempt(`${vera}@admin.local`, 'minha-senha-errada')
  // An unknown username may be a password typed into the wrong field.
  await attempt('minha-senha-errada@admin.local', 'x')
  const entered = await portal.enter(`${vera}@admin.local`)
  await entered.request('/auth/v1/user', {
    method: 'PUT',
    body: JSON.stringify({ password: 'outra-senha', current_password: 'chave-da-casa' }),
  })
  await entered.request('/auth/v1/logout?scope=local', { method: 'POST' })
  expect(await reported()).toEqual([
    `system: Adicionou o administrador ${vera}`,
    `${vera}: Definiu a primeira senha de ${vera}`,
    `stranger: Entrada recusada na conta de ${vera}: senha errada`,
    `${vera}: Entrou`,
    `${vera}: Trocou a senha de ${vera}`,
    `${vera}: Saiu`,
  ])
  const { rows } = await db.query('select to_jsonb(l) as line from portal.audit_log l')
  for (const secret of ['minha-senha-errada', 'outra-senha', '$2a$'])
    expect(JSON.stringify(rows)).not.toContain(secret)
})

test('transferred leads are one row per former broker, however many; their names are not stored', async () => {
  for (let n = 0; n < 12; n += 1) await makeContact(db, ana.instanceName, { name: `Marina Tavares ${n}` })
  const gone = await makeBroker(db)
  for (let n = 0; n < 2; n += 1) await makeContact(db, gone.instanceName)
  seen = (await read()).entries[0]?.id ?? 0
  await db.query(
    `select portal.hand_over(array(select id from public.whatsapp_contacts where "instanceName" = $1), $2)`,
    [ana.instanceName, bia.instanceName],
  )
  const removal = await asAdmin.call(`/api/brokers/${gone.instanceName}/remove`, {
    operationId: randomUUID(),
    heir: null,
  })
  expect(removal.status).toBe(200)
  expect(await reported()).toEqual([
    `system: Passou 12 leads de ${ana.username} para ${bia.username}`,
    `chefe: Removeu o corretor ${gone.username}`,
    `chefe: Passou 2 leads de ${gone.username} para o administrador`,
  ])
  expect((await db.query('select from portal.audit_notes')).rows).toEqual([])
  const { rows } = await db.query('select to_jsonb(l) as line from portal.audit_log l')
  expect(JSON.stringify(rows)).not.toContain('Marina')
})

test('campaigns and their rules; a link that changes by itself is nobody’s action', async () => {
  const { id } = await makeCampaign(db, ana.id, { status: 'scheduled' })
  const become = (status: string, reason: string | null = null) =>
    db.query('update public.remarketing_campaigns set status = $2, pause_reason = $3 where id = $1', [
      id,
      status,
      reason,
    ])
  await become('running')
  await become('paused', 'link-lost')
  await become('running')
  await become('stopped')
  await asAdmin.call('/rest/v1/rpc/save_campaign_settings', {
    p_opens_at: 9,
    p_closes_at: 20,
    p_sends_on_sundays: true,
    p_daily_cap: 200,
    p_warm_up_from: 20,
    p_warm_up_days: 14,
    p_rest_days: 7,
  })
  const lines = await reported()
  expect(lines.slice(0, 3)).toEqual([
    `system: Agendou uma campanha de ${ana.username}`,
    `system: Iniciou uma campanha de ${ana.username}`,
    `system: Parou a campanha de ${ana.username}`,
  ])
  expect(lines.slice(3).toSorted()).toEqual([
    'chefe: Mudou o envio aos domingos de não para sim',
    'chefe: Mudou o início do horário das campanhas de 8 para 9',
  ])
})

test('paused agents, new service tokens, exported rows', async () => {
  const agent = await makeAgent(db, { nome_agente: 'Agente da pausa' })
  seen = (await read()).entries[0]?.id ?? 0
  for (const p_is_paused of [true, false])
    await asAdmin.call('/rest/v1/rpc/pause_agent', { p_id: agent.id, p_is_paused })
  await db.query(
    `insert into portal.service_tokens (name, grants, expires_at) values ('Robô', '{memory}', now() + interval '1 day')`,
  )
  await db.query(`update portal.service_tokens set revoked_at = now() where name = 'Robô'`)
  await asAdmin.request('/rest/v1/rpc/note_export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ p_what: 'roleta', p_rows: 7 }),
  })
  expect(await reported()).toEqual([
    'chefe: Pausou o agente “Agente da pausa”',
    'chefe: Retomou o agente “Agente da pausa”',
    'system: Criou o token de serviço “Robô”: memory',
    'system: Revogou o token de serviço “Robô”',
    'chefe: Exportou os leads distribuídos pela roleta: 7 linhas',
  ])
})

test('an undone opt-out contains no name', async () => {
  const { id } = await makeContact(db, ana.instanceName, { name: 'Marina' })
  await db.query(
    `update portal.people set opted_out_at = now() where id = (select person_id from public.whatsapp_contacts where id = $1)`,
    [id],
  )
  await asAdmin.call('/rest/v1/rpc/undo_opt_out', { p_contact_id: id })
  expect(await reported()).toEqual([
    'chefe: Voltou a permitir campanhas para um lead que tinha pedido para não receber',
  ])
})

test('a rolled back action leaves no row', async () => {
  const claims = await signInAdmin(db)
  seen = (await read()).entries[0]?.id ?? 0
  await tryAs(db, claims, (query) =>
    query(`update public.kanban_stages set name = 'Outro' where slug = 'new'`),
  )
  expect(await reported()).toEqual([])
})

describe('nobody changes or deletes a row', () => {
  test.each([
    `update portal.audit_log set actor = 'outro'`,
    'delete from portal.audit_log',
    'truncate portal.audit_log',
  ])("not even the database's owner: %s", async (sql) => {
    const before = (await db.query('select count(*) as lines, max(id) as last from portal.audit_log')).rows
    await expect(db.query(sql)).rejects.toThrow('A auditoria não pode ser alterada nem apagada.')
    expect((await db.query('select count(*) as lines, max(id) as last from portal.audit_log')).rows).toEqual(
      before,
    )
  })

  test('requests reach neither the table nor the functions that write it', async () => {
    const admin = await signInAdmin(db)
    for (const sql of [
      'select from portal.audit_log',
      `insert into portal.audit_log (actor_role, action) values ('admin', 'a.b')`,
      `select portal.audit('session.opened')`,
      `select portal.audit_refusal('admin', 'chefe', 'password')`,
      `select portal.audit_counted('stages.reordered', '{}')`,
      'select portal.audit_page(null, null, null, null, null, null, 10)',
      'select portal.audit_actors()',
    ])
      for (const claims of [admin, { role: 'service_role' as const }])
        await expect(tryAs(db, claims, (query) => query(sql))).rejects.toThrow(/permission denied/)
  })
})

describe('read', () => {
  test.each(['/api/audit', '/api/audit/actors', '/api/audit/export'])(
    'by administrators only: %s',
    async (path) => {
      const method = path.endsWith('export') ? 'POST' : 'GET'
      const broker = await asAna.request(path, { method })
      expect(broker.status).toBe(403)
      expect(await broker.json()).toEqual({
        error: { code: 'access.denied', message: 'Somente um administrador pode fazer isto.' },
      })
      expect((await portal.request(path, { method })).status).toBe(401)
    },
  )

  test('page by page to the end, each row once, while new ones are added', async () => {
    await db.query(`select portal.audit('settings.changed', n::text) from generate_series(1, 120) n`)
    const total = (await db.query('select from portal.audit_log')).rows.length
    const ids: number[] = []
    let page = await read()
    for (;;) {
      ids.push(...page.entries.map(({ id }) => id))
      await db.query(`select portal.audit('settings.changed', 'later')`)
      if (page.next === null) break
      page = await read(`?before=${page.next}`)
    }
    expect(ids).toHaveLength(total)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(total)
  })

  test('by account, by area, by day in the portal’s zone', async () => {
    const actors = (await asAdmin.call('/api/audit/actors')).body as unknown as {
      id: string
      name: string
      role: string
    }[]
    const chief = actors.find(({ name }) => name === 'chefe')
    expect(chief?.role).toBe('admin')
    const mine = (await read(`?who=${chief?.id}`)).entries
    expect(new Set(mine.map(({ actor }) => actor))).toEqual(new Set(['chefe']))
    expect(new Set((await read('?who=system')).entries.map(({ actorRole }) => actorRole))).toEqual(
      new Set(['system']),
    )
    const access = (await read(`?who=${chief?.id}&what=access`)).entries
    expect(access.map(({ action }) => action)).toContain('session.opened')
    expect(access.every(({ action }) => /^(session|password|sign-in)\./.test(action))).toBe(true)

    // 22:30 in São Paulo is the next day in UTC.
    await db.query(
      `insert into portal.audit_log (at, actor_role, action, subject) values ('2026-01-11T01:30:00Z', 'system', 'stage.added', 'Noite')`,
    )
    const subjects = async (search: string) => (await read(search)).entries.map(({ subject }) => subject)
    expect(await subjects('?from=2026-01-10&to=2026-01-10')).toEqual(['Noite'])
    expect(await subjects('?from=2026-01-11&to=2026-01-12')).toEqual([])
  })

  test.each([
    '?who=chefe',
    '?what=tudo',
    '?from=ontem',
    '?to=2026-13-40',
    '?from=2026-02-31',
    '?from=0000-01-01',
    '?to=9999-12-31',
    '?before=x',
  ])('an invalid filter is refused: %s', async (search) => {
    expect((await asAdmin.call(`/api/audit${search}`)).status).toBe(400)
  })

  test('as a file that Excel opens correctly, which is audited itself', async () => {
    await db.query(`select portal.audit('stage.added', '=HYPERLINK("http://mau.example";"x")')`)
    const answer = await asAdmin.request('/api/audit/export?what=stages', { method: 'POST' })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const file = Buffer.from(await answer.arrayBuffer()).toString()
    const [header, first] = file.split('\r\n')
    expect(header).toBe('\uFEFFData;Hora;Quem;Papel;O que fez')
    expect(first).toMatch(/^\d\d\/\d\d\/\d{4};\d\d:\d\d:\d\d;Sistema;Sistema;"Criou o estágio “=HYPERLINK/)
    expect((await reported()).at(-1)).toMatch(/^chefe: Exportou a auditoria: \d+ linhas$/)
  })
})
