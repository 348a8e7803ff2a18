// Every documented call, as the official client sends it, over the portal's own REST layer and schema.
import { createClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import type { Claims } from '#server/db/as-user.ts'
import { createLog } from '#server/log.ts'
import { createRest } from '#server/rest/routes.ts'
import { makeAgent, makeCampaign, makeContact, makeMessage } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin } = await openStaff()
const [admin, broker] = [connect(asAdmin), connect(asAna)]
const anon = connect({ role: 'anon' })

/** Replaces the WebSocket that older Nodes lack and the client requires; nothing here is live. */
function NoSocket() {
  throw new Error('nothing here opens a socket')
}

/** The official client with these claims. */
function connect(claims: Claims) {
  const { routes } = createRest({
    db: base.db,
    log: createLog('error', (line) => expect.fail(line)),
    schemas: ['public'],
    allowRollback: false,
    maxRows: 1_000,
    bodyLimitBytes: 100_000,
    principalOf: async () => ({ role: claims.role, claims }),
  })
  return createClient('http://portal.test', 'key', {
    global: { fetch: async (input, init) => routes.fetch(new Request(input, init)) },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: NoSocket as never },
  })
}

const ok = { error: null }

describe('functions', () => {
  test('those marked (GET) answer GET, and all answer POST', async () => {
    await makeContact(base.db, ana.instanceName, { empreendimento: 'Vista Mar' })
    for (const name of ['get_available_empreendimentos', 'get_dashboard_overview_data']) {
      const byGet = await admin.rpc(name, {}, { get: true })
      expect(byGet).toMatchObject(ok)
      expect((await admin.rpc(name)).data).toEqual(byGet.data)
    }
    expect((await admin.rpc('get_available_empreendimentos')).data).toEqual([
      { empreendimento: 'Vista Mar', lead_count: 1 },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['get_leads_by_brokers', { p_brokers: ['corretor_x'] }],
    ['get_total_contatos_por_corretor', {}],
    [
      'relatorio_leads_kanban_periodo2',
      { p_brokers: [], p_data_inicio: '2026-11-01T00:00:00Z', p_data_fim: '2026-11-30T23:59:59Z' },
    ],
    [
      'relatorio_leads_por_horario',
      { p_instances: [], p_data_inicio: '2026-11-01T00:00:00Z', p_data_fim: '2026-11-30T23:59:59Z' },
    ],
    [
      'buscar_leads_paginados',
      { p_broker_names: [], p_data_inicio: null, p_data_fim: null, p_cursor: null, p_id_cursor: null },
    ],
    ['get_brokers_by_empreendimento', { p_empreendimentos: ['Vista Mar'] }],
    [
      'get_dashboard_data_by_params',
      {
        p_broker_names: null,
        p_start_date: '2026-11-01T00:00:00Z',
        p_end_date: '2026-11-30T23:59:59Z',
        p_empreendimentos: [],
      },
    ],
    [
      'get_leads_with_filters_and_pagination',
      {
        p_broker_names: [],
        p_empreendimentos: ['Vista Mar'],
        p_data_inicio: '2026-11-01T00:00:00Z',
        p_data_fim: '2026-11-30T23:59:59Z',
        p_cursor: '2026-11-20T12:00:00.123456+00:00',
        p_id_cursor: 9,
      },
    ],
    ['get_prompts_agents', {}],
    ['listar_roletas_com_corretores', {}],
    ['get_brokers_by_roleta', { roleta_id: 1 }],
    ['get_prompt_by_id', { p_id: 1 }],
  ])('%s accepts its documented parameters', async (name, parameters) => {
    expect(await admin.rpc(name, parameters)).toMatchObject({ status: 200, error: null })
    expect(await anon.rpc(name, parameters)).toMatchObject({ status: 401, error: { code: '42501' } })
  })

  test('prompts are read as text and written without an answer; forgetting a chat returns a count in a list', async () => {
    const agent = await makeAgent(base.db)
    const name = 'regras_atendimento'
    expect(
      await admin.rpc('update_coluna_prompt', { p_id: agent.id, p_coluna: name, p_valor: 'Olá' }),
    ).toMatchObject({
      status: 204,
      error: null,
    })
    expect((await admin.rpc('get_coluna_prompt', { p_coluna: name, p_id: agent.id })).data).toBe('Olá')
    const forget = { p_empreendimento_id: agent.id, p_remotejid: '551187654321@s.whatsapp.net' }
    expect((await admin.rpc('deletar_chat_history_por_empreendimento', forget)).data).toEqual([0])
    expect(
      await admin.rpc('update_coluna_prompt', { p_id: agent.id, p_coluna: 'agendamento', p_valor: 'x' }),
    ).toMatchObject({
      status: 403,
      error: { message: 'Este campo é bloqueado para edição.' },
    })
    expect(await admin.rpc('get_coluna_prompt', { p_coluna: 'senha', p_id: agent.id })).toMatchObject({
      status: 400,
    })
    expect(await admin.rpc('get_coluna_prompt', { p_coluna: name, p_id: 0 })).toMatchObject({ status: 404 })
  })

  test('a move returns one object, with the three old parameters and with the new ones', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    const old = { p_number_lead: lead.number, p_broker_name: ana.instanceName, p_novo_status: 'conversa' }
    expect(await broker.rpc('atualizar_status_lead', old)).toMatchObject({
      status: 200,
      data: { success: true, message: 'Lead movido para "Conversa".', stage_name: 'Conversa', code: 'moved' },
    })
    const full = {
      p_contact_id: lead.id,
      p_novo_status: 'negociacao',
      p_operation_id: '0b0e7a52-7f6b-4c57-8a39-6a1d3f7f2f01',
      p_expected_status: 'new',
      p_moved_at: '2026-11-20T12:00:00.000Z',
    }
    expect((await broker.rpc('atualizar_status_lead', full)).data).toMatchObject({ code: 'conflict' })
    expect(await broker.rpc('atualizar_status_lead', { ...full, p_operation_id: 'x' })).toMatchObject({
      status: 400,
    })
  })

  test('the board is one object; an ended session gets 401', async () => {
    const { data } = await broker.rpc('sync_board', { p_instance: ana.instanceName, p_cursor: null })
    expect(data).toMatchObject({ reset: true, removed: [], cursor: expect.any(String) as string })
    expect(await broker.rpc('sync_board', { p_instance: bia.instanceName })).toMatchObject({ status: 403 })
    const ended = connect({ role: 'authenticated', sub: ana.id })
    expect(await ended.rpc('sync_board', { p_instance: ana.instanceName })).toMatchObject({ status: 401 })
  })

  test('an end before the start is a 400 in Portuguese', async () => {
    const period = { p_start_date: '2026-11-02T00:00:00Z', p_end_date: '2026-11-01T23:59:59Z' }
    expect(await admin.rpc('get_dashboard_data_by_params', period)).toMatchObject({
      status: 400,
      error: { message: 'O fim do período vem antes do início.' },
    })
  })

  test('a date that does not exist is a 400 in Portuguese, in every function that takes one', async () => {
    const { rows } = await base.db.query<{ name: string; names: string[]; dates: string[] | null }>(
      `select p.proname as name, array_agg(n.name order by n.place) as names,
         array_agg(n.name order by n.place) filter (where format_type(n.type, null) ~ '^(date|timestamp)') as dates
       from pg_proc p cross join lateral unnest(p.proargnames, p.proargtypes::oid[]) with ordinality as n (name, type, place)
       where p.pronamespace = 'public'::regnamespace and n.type is not null group by p.oid, p.proname order by p.proname`,
    )
    const taking = rows.flatMap(({ name, names, dates }) =>
      (dates ?? []).map((date) => ({ name, names, date })),
    )
    for (const known of ['get_origins', 'set_spend', 'get_results', 'get_agent_costs'])
      expect(taking.map(({ name }) => name)).toContain(known)
    for (const { name, names, date } of taking)
      for (const [wrong, code] of [
        ['2026-02-30', '22008'],
        ['ontem', '22007'],
      ])
        expect(
          await admin.rpc(name, { ...Object.fromEntries(names.map((one) => [one, null])), [date]: wrong }),
          `${name} ${date}`,
        ).toMatchObject({
          status: 400,
          error: { code, message: 'Esta data não existe. Escreva ano, mês e dia, como 2026-11-30.' },
        })
  })
})

describe('tables', () => {
  test('brokers: found, listed, added, connected, reset and removed', async () => {
    const instanceName = 'corretor_novata'
    const made = { instanceId: 'i-1', instanceName, created_at: '2026-11-20T12:00:00.000Z' }
    expect(await admin.from('brokers').insert(made)).toMatchObject({ status: 201 })
    const connected = { instanceId: 'i-2', instanceName, broker_number: '5511912345678', status: 'ativo' }
    expect(await admin.from('brokers').upsert(connected, { onConflict: 'instanceName' })).toMatchObject(ok)
    const { data } = await admin.from('brokers').select('id').eq('instanceName', instanceName).single()
    const one = await admin.from('brokers').select('id, whatsapp_number').eq('id', String(data?.id)).single()
    expect(one.data?.whatsapp_number).toBe('5511912345678')
    const active = await admin
      .from('brokers')
      .select('id, instanceName, instanceId, status, broker_number')
      .eq('status', 'ativo')
    expect(active.data).toContainEqual({
      id: data?.id as unknown,
      instanceName,
      instanceId: 'i-2',
      status: 'ativo',
      broker_number: '5511912345678',
    })
    expect(
      await admin.from('brokers').update({ password_hash: null }).eq('instanceName', instanceName),
    ).toMatchObject(ok)
    expect(await admin.from('brokers').delete().eq('instanceName', instanceName)).toMatchObject(ok)
    expect((await admin.from('brokers').select('id').eq('instanceName', instanceName)).data).toEqual([])
    expect((await broker.from('brokers').select('instanceName')).data).toEqual([
      { instanceName: ana.instanceName },
    ])
  })

  test('stages: listed, added, renamed, renumbered by {id, order_index} alone, emptied and removed', async () => {
    const listed = async () =>
      (await admin.from('kanban_stages').select('*').order('order_index', { ascending: true })).data ?? []
    const count = (await listed()).length
    const added = await admin
      .from('kanban_stages')
      .insert({ name: 'Visita', slug: 'visita', order_index: count + 1 })
      .select()
      .single()
    expect(added).toMatchObject({ status: 201, data: { kind: 'open' } })
    const { id } = added.data as { id: number }
    expect(await admin.from('kanban_stages').update({ name: 'Visita marcada' }).eq('id', id)).toMatchObject(
      ok,
    )
    const order = (await listed()).map((stage) => Number(stage.id)).toReversed()
    const renumbered = await admin
      .from('kanban_stages')
      .upsert(order.map((stageId, index) => ({ id: stageId, order_index: index + 1 })))
    expect(renumbered).toMatchObject(ok)
    expect((await listed()).map((stage) => Number(stage.id))).toEqual(order)
    expect((await listed())[0]).toMatchObject({ name: 'Visita marcada', slug: 'visita' })
    const lead = await makeContact(base.db, ana.instanceName, { status: 'visita' })
    expect(
      await admin.from('whatsapp_contacts').update({ status: 'new' }).eq('status', 'visita'),
    ).toMatchObject(ok)
    expect(await admin.from('kanban_stages').delete().eq('id', id)).toMatchObject(ok)
    expect((await broker.from('whatsapp_contacts').select('status').eq('id', lead.id)).data).toEqual([
      { status: 'new' },
    ])
    expect(await admin.from('kanban_stages').delete().eq('slug', 'new')).toMatchObject({ status: 403 })
  })

  test('a broker writes notes and name, and nothing else', async () => {
    const lead = await makeContact(base.db, ana.instanceName)
    await makeMessage(base.db, lead.id)
    const mine = () => broker.from('whatsapp_contacts')
    expect(
      await mine().update({ notes: 'Ligar amanhã' }).eq('id', lead.id).select('notes').single(),
    ).toMatchObject({
      data: { notes: 'Ligar amanhã' },
    })
    for (const change of [
      { status: 'conversa' },
      { unread_count: 0 },
      { updated_at: '2026-01-01' },
      { instanceName: null },
    ])
      expect(await mine().update(change).eq('id', lead.id)).toMatchObject({ status: 403 })
    const message = { contact_id: lead.id, body: 'x', timestamp: 1, type: 'outgoing' }
    expect(await broker.from('whatsapp_messages').insert(message)).toMatchObject({ status: 403 })
    expect((await broker.from('whatsapp_messages').select('*').eq('contact_id', lead.id)).data).toHaveLength(
      1,
    )
  })

  test('campaigns: the running one, the history, and the report with its broker embedded', async () => {
    await makeCampaign(base.db, ana.id, { status: 'running', total_contacts: 3, processed_contacts: 1 })
    await makeCampaign(base.db, ana.id, { status: 'completed', created_at: '2026-01-01T00:00:00Z' })
    const running = await broker
      .from('remarketing_campaigns')
      .select('*')
      .eq('broker_id', ana.id)
      .eq('status', 'running')
      .maybeSingle()
    expect(running.data).toMatchObject({ processed_contacts: 1, total_contacts: 3 })
    const report = await admin
      .from('remarketing_campaigns')
      .select('*, broker:brokers(id,instanceName)')
      .order('created_at', { ascending: false })
    expect(report.data?.map((row) => [row.status, row.broker] as unknown)).toEqual([
      ['running', { id: ana.id, instanceName: ana.instanceName }],
      ['completed', { id: ana.id, instanceName: ana.instanceName }],
    ])
  })

  test('rotations and their seats: added, renamed, ordered seat by seat, removed', async () => {
    expect(await admin.from('roletas').insert({ empreendimento: 'Vista Mar', ativa: true })).toMatchObject({
      status: 201,
    })
    for (const [index, instanceName] of [ana.instanceName, bia.instanceName].entries())
      expect(
        await admin.from('roleta_corretores').insert({
          id: `00000000-0000-4000-8000-00000000000${index}`,
          roletaName: 'Vista Mar',
          instanceName,
          ordem: index + 1,
          leads_recebidos: 0,
          ativo: true,
        }),
      ).toMatchObject({ status: 201 })
    const { data } = await admin.rpc('listar_roletas_com_corretores')
    const [rotation] = data as { id: number; total_corretores: number }[]
    expect(rotation).toMatchObject({ empreendimento: 'Vista Mar', total_corretores: 2 })
    const id = rotation?.id ?? 0
    expect((await admin.rpc('set_roleta_ativa', { roleta_id: id, nova_ativa: false })).data).toEqual([
      { id, empreendimento: 'Vista Mar', ativa: false },
    ])
    expect(await admin.from('roletas').update({ empreendimento: 'Vista Serra' }).eq('id', id)).toMatchObject(
      ok,
    )
    for (const [index, instanceName] of [bia.instanceName, ana.instanceName].entries())
      expect(
        await admin
          .from('roleta_corretores')
          .update({ ordem: index + 1 })
          .eq('instanceName', instanceName),
      ).toMatchObject(ok)
    const seats = await admin.rpc('get_brokers_by_roleta', { roleta_id: id })
    expect((seats.data as { instance_id: string }[]).map((seat) => seat.instance_id)).toEqual([
      bia.instanceName,
      ana.instanceName,
    ])
    expect(await admin.from('roleta_corretores').delete().eq('instanceName', bia.instanceName)).toMatchObject(
      ok,
    )
    expect(await admin.from('roleta_corretores').delete().eq('roletaName', 'Vista Serra')).toMatchObject(ok)
    expect(await admin.from('roletas').delete().eq('id', id)).toMatchObject(ok)
  })

  test('agents: a prompt patched, the diagnostics page reads agent_prompts', async () => {
    const agent = await makeAgent(base.db)
    expect(
      await admin.from('prompts_agents').update({ regras_atendimento: 'Seja breve.' }).eq('id', agent.id),
    ).toMatchObject(ok)
    expect(await admin.from('prompts_agents').update({ agendamento: 'x' }).eq('id', agent.id)).toMatchObject({
      status: 403,
    })
    expect(await admin.from('agent_prompts').select('*').limit(1)).toMatchObject({ status: 200 })
    expect((await broker.from('agent_prompts').select('*').limit(1)).data).toEqual([])
  })
})
