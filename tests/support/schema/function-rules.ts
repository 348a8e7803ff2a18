// What each caller gets from each function of schema public; tests/integration/db/rules-functions tests it. Add new
// functions here: a call that reads or changes one side, and how its answer shows that.
import { OTHER_MARK, OWN_MARK, type Side, type Scenario } from './rules-scenario.ts'

/** `refused`: an error; `none`: an empty answer; otherwise whose rows it contains. */
export type Outcome = 'refused' | 'none' | 'own' | 'all'

export type FunctionRule = {
  call: (side: Side, scenario: Scenario) => string
  /** Whether the answer (JSON text of its rows) contains data of that side. */
  answers: (text: string, side: Side) => boolean
  broker: Outcome
  admin: Outcome
  /** The gerente of the own side's team; the gerente of another team gets nothing where this is `own`. */
  gerente: Outcome
  /** A broker who leads that team, if it gets something else. */
  leader?: Outcome
  /** Callers without a valid session. */
  lost: Outcome
  /** For functions where the service role, which may do everything, is no broker. */
  service?: Outcome
}

const shows = (text: string, side: Side) => text.includes(side.username)
const happens = () => true

/** Functions that return rows: a broker gets own ones, an administrator all. */
const byRows = (call: FunctionRule['call'], answers = shows): FunctionRule => ({
  call,
  answers,
  broker: 'own',
  admin: 'all',
  gerente: 'own',
  lost: 'none',
})

/** Functions that return rows to administrators only. */
const adminRows = (call: FunctionRule['call'], answers = shows): FunctionRule => ({
  ...byRows(call, answers),
  broker: 'none',
  gerente: 'none',
})

/** A call that everyone but administrators is refused. */
const adminOnly = (call: FunctionRule['call'], answers: FunctionRule['answers']): FunctionRule => ({
  call,
  answers,
  broker: 'refused',
  admin: 'all',
  gerente: 'refused',
  lost: 'refused',
})

/** For administrators, and for a gerente within its team. */
const managed = (call: FunctionRule['call'], answers: FunctionRule['answers'], gerente: Outcome = 'own') => ({
  ...adminOnly(call, answers),
  gerente,
})

/** Reads or changes one named lead or board. */
const ownOnly = (call: FunctionRule['call'], answers: FunctionRule['answers']): FunctionRule => ({
  call,
  answers,
  broker: 'own',
  admin: 'all',
  gerente: 'own',
  lost: 'refused',
})

const isAgent = (text: string) => text.includes(OTHER_MARK)
/** The local hours at which each side's leads came in. */
const HOURS: Record<string, string> = { [OWN_MARK]: '"hora": 5', [OTHER_MARK]: '"hora": 9' }

export const FUNCTION_RULES: Record<string, FunctionRule> = {
  atualizar_status_lead: ownOnly(
    (side) => `atualizar_status_lead(p_contact_id => ${side.contactId}, p_novo_status => 'conversa')`,
    (text) => text.includes('"moved"'),
  ),
  save_lead_notes: ownOnly(
    (side) => `save_lead_notes(${side.contactId}, 'Outra nota')`,
    (text) => text.includes('"saved"'),
  ),
  rename_lead: ownOnly(
    (side) => `rename_lead(${side.contactId}, 'Outro nome')`,
    (text) => text.includes('"saved"'),
  ),
  search_messages: { ...byRows((side) => `search_messages('${side.username}')`), lost: 'refused' },
  get_broker_day: ownOnly((side) => `get_broker_day('${side.instanceName}')`, happens),
  get_clocks: managed(() => 'get_clocks()', happens, 'all'),
  get_answers_today: managed(() => 'get_answers_today()', happens, 'all'),
  get_clock_leads: managed((side) => `get_clock_leads('${side.instanceName}', 'received')`, happens),
  set_brand: adminOnly(() => `set_brand('Casa Nova', '#204080')`, happens),
  get_results: managed(() => `get_results('2020-01-01', '2030-12-31', p_compare => false)`, shows),
  get_result_leads: managed(
    () => `get_result_leads('received', '2020-01-01', '2030-12-31')`,
    (text, side) => text.includes(side.username),
  ),
  get_origins: managed(() => `get_origins('2026-11-01')`, happens, 'all'),
  get_origin_leads: managed(() => `get_origin_leads('leads', '2026-11-01')`, shows),
  get_spend_months: adminOnly(() => `get_spend_months('meta', '', '2026-11-01')`, happens),
  get_click_codes: adminOnly(() => `get_click_codes('2026-11-01')`, happens),
  get_conversion_targets: adminOnly(() => 'get_conversion_targets()', happens),
  decide_conversion: adminOnly(
    (_, { conversionId }) => `decide_conversion(${conversionId}, 'sent')`,
    happens,
  ),
  replay_conversions: adminOnly(() => `replay_conversions('refused')`, happens),
  set_conversion_test: adminOnly(() => `set_conversion_test('crm', 'TEST1')`, happens),
  get_conversions: adminOnly(() => 'get_conversions()', happens),
  set_conversion_target: adminOnly(() => `set_conversion_target('crm', false, '1', '', '{}', null)`, happens),
  set_spend: adminOnly(() => `set_spend('meta', 'Vila Nova', '2026-11-01', 100)`, happens),
  import_spend: adminOnly(
    () =>
      `import_spend('[{"origin": "google", "campaign": "", "month": "2026-11", "currency": "BRL", "cents": 1}]')`,
    happens,
  ),
  get_value_and_losses: adminOnly(() => 'get_value_and_losses()', happens),
  get_agent_costs: adminOnly(() => 'get_agent_costs()', happens),
  get_leads_of_value: adminOnly(() => `get_leads_of_value('lost')`, happens),
  broker: byRows(
    ({ id }) =>
      `broker(jsonb_populate_record(null::public.remarketing_campaigns, jsonb_build_object('broker_id', '${id}')))`,
  ),
  count_leads_of_value: adminOnly(() => `count_leads_of_value('lost')`, happens),
  set_answer_target: adminOnly(() => 'set_answer_target(15)', happens),
  warn_of_lead: managed(
    (side) => `warn_of_lead(${side.contactId})`,
    (text) => text.includes('"message"'),
  ),
  lead_fields: ownOnly(
    (side) => `lead_fields(${side.contactId}, '{"value": 100}')`,
    (text) => text.includes('"saved"'),
  ),
  lead_sheet: ownOnly(
    (side) => `lead_sheet(${side.contactId})`,
    (text) => text.includes('"knownTags"'),
  ),
  // Everyone adds to the own board; another owner named by a broker is ignored.
  lead_add: {
    call: (side) => `lead_add('Sandra Lemos', '(11) 90555-0148', p_broker_name => '${side.instanceName}')`,
    answers: (text, side) => text.includes('"saved"') && shows(text, side),
    broker: 'own',
    admin: 'all',
    gerente: 'own',
    lost: 'refused',
  },
  action_save: ownOnly(
    (side) => `action_save(${side.contactId}, 'call', now())`,
    (text) => text.includes('"saved"'),
  ),
  action_finish: ownOnly(
    (side) => `action_finish(${side.contactId}, 'not_needed')`,
    (text) => text.includes('"saved"'),
  ),
  action_snooze: ownOnly(
    (side) => `action_snooze(${side.contactId}, now())`,
    (text) => text.includes('"already"'),
  ),
  message_schedule: ownOnly(
    (side) => `message_schedule(${side.contactId}, 'Oi!', now())`,
    (text) => text.includes('"saved"'),
  ),
  message_unschedule: ownOnly(
    (side) => `message_unschedule(${side.contactId}, 1)`,
    (text) => text.includes('"already"'),
  ),
  lead_private: {
    ...ownOnly(
      (side) => `lead_private(${side.contactId}, p_broker_name => '${side.instanceName}')`,
      (text) => /"(saved|stays)"/.test(text),
    ),
    gerente: 'refused',
  },
  // Changes only the caller's own list; callers without a list get nothing.
  lead_public: {
    call: (side) => `lead_public(p_contact_id => ${side.contactId})`,
    answers: happens,
    broker: 'all',
    gerente: 'refused',
    leader: 'all',
    admin: 'refused',
    lost: 'refused',
    service: 'refused',
  },
  list_private_contacts: {
    call: () => 'list_private_contacts()',
    answers: happens,
    broker: 'all',
    gerente: 'refused',
    leader: 'all',
    admin: 'refused',
    lost: 'refused',
    service: 'refused',
  },
  ask_private: {
    call: (side) => `ask_private(${side.contactId})`,
    answers: (text) => text.includes('true'),
    broker: 'own',
    gerente: 'refused',
    leader: 'none',
    admin: 'refused',
    lost: 'refused',
    service: 'refused',
  },
  count_private_contacts: adminOnly(() => 'count_private_contacts()', happens),
  lead_stays: {
    ...ownOnly(
      (side) => `lead_stays(${side.contactId})`,
      (text) => text.includes('campanha'),
    ),
    gerente: 'refused',
    leader: 'none',
  },
  lead_mute: ownOnly(
    (side) => `lead_mute(${side.contactId}, true)`,
    (text) => text.includes('true'),
  ),
  interest_add: ownOnly(
    (side, { development }) => `interest_add(${side.contactId}, ${development.id})`,
    (text) => text.includes('"saved"'),
  ),
  interest_remove: ownOnly(
    (side, { development }) => `interest_remove(${side.contactId}, ${development.id})`,
    (text) => text.includes('"already"'),
  ),
  material_send: ownOnly(
    (side, { development: { id, fileId } }) =>
      `material_send(${side.contactId}, ${id}, jsonb_build_array(jsonb_build_object(
        'operationId', gen_random_uuid(), 'kind', 'image', 'fileId', ${fileId}, 'text', 'Fachada')))`,
    (text) => text.includes('"saved"'),
  ),
  message_react: ownOnly(
    (side) => `message_react(${side.contactId}, 1, '👍')`,
    (text) => /"(saved|already|gone)"/.test(text),
  ),
  message_edit: ownOnly(
    (side) => `message_edit(${side.contactId}, 1, 'Outro texto')`,
    (text) => text.includes('"gone"'),
  ),
  message_delete: ownOnly(
    (side) => `message_delete(${side.contactId}, 1)`,
    (text) => text.includes('"gone"'),
  ),
  plan_start: ownOnly(
    (side) => `plan_start(${side.contactId}, jsonb_build_array(jsonb_build_object(
        'operationId', gen_random_uuid(), 'kind', 'call', 'dueAt', to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))))`,
    (text) => text.includes('"saved"'),
  ),
  plan_stop: ownOnly(
    (side) => `plan_stop(${side.contactId}, p_plan_id => 1)`,
    (text) => text.includes('"already"'),
  ),
  lead_pass: ownOnly(
    (side, { own }) =>
      `lead_pass(${side.contactId}, '${own.instanceName === side.instanceName ? 'corretor_lider' : own.instanceName}')`,
    (text) => text.includes('"no_colleague"'),
  ),
  // A broker may take only leads that are passed to it, and here none is.
  lead_take: {
    call: (side) => `lead_take(${side.contactId}, true)`,
    answers: (text) => text.includes('"saved"'),
    broker: 'none',
    admin: 'refused',
    gerente: 'refused',
    leader: 'none',
    lost: 'refused',
    service: 'refused',
  },
  get_lead_passes: {
    call: () => 'get_lead_passes()',
    answers: happens,
    broker: 'all',
    admin: 'refused',
    gerente: 'refused',
    leader: 'all',
    lost: 'refused',
    service: 'refused',
  },
  get_plans: ownOnly((side) => `get_plans('${side.instanceName}')`, happens),
  plan_template_save: adminOnly(() => `plan_template_save(null, '[]')`, happens),
  get_scheduled_messages: ownOnly((side) => `get_scheduled_messages('${side.instanceName}')`, happens),
  visit_save: ownOnly(
    (side) => `visit_save(${side.contactId}, now() + interval '1 day')`,
    (text) => text.includes('"saved"'),
  ),
  visit_outcome: ownOnly(
    (side) => `visit_outcome(${side.contactId}, 'held')`,
    (text) => text.includes('"unknown_visit"'),
  ),
  get_visit_setup: ownOnly((side) => `get_visit_setup('${side.instanceName}')`, happens),
  visit_hours_save: {
    ...ownOnly(
      (side) => `visit_hours_save('${side.instanceName}', '[{"weekday": 1, "from": 540, "until": 1080}]')`,
      happens,
    ),
    gerente: 'refused',
  },
  calendar_renew: {
    ...ownOnly((side) => `calendar_renew('${side.instanceName}')`, happens),
    gerente: 'refused',
  },
  authenticate_admin: adminOnly(() => `authenticate_admin('ninguem', 'x')`, happens),
  authenticate_broker: adminOnly((side) => `authenticate_broker('${side.instanceName}', 'x')`, happens),
  check_broker_has_password: adminOnly(
    (side) => `check_broker_has_password('${side.instanceName}')`,
    happens,
  ),
  set_broker_password: adminOnly(
    (side) => `set_broker_password('${side.instanceName}', 'segredo-novo')`,
    happens,
  ),
  lead_unread: ownOnly(
    (side) => `lead_unread(${side.contactId})`,
    (text) => text.includes('"success": true'),
  ),
  mark_read: ownOnly((side) => `mark_read(${side.contactId}, 9999999999)`, happens),
  sync_board: ownOnly((side) => `sync_board('${side.instanceName}')`, shows),
  get_leads_by_brokers: byRows(() => 'get_leads_by_brokers(null)'),
  get_total_contatos_por_corretor: byRows(() => 'get_total_contatos_por_corretor()'),
  get_leads_with_filters_and_pagination: byRows(() => 'get_leads_with_filters_and_pagination()'),
  buscar_leads_paginados: byRows(() => 'buscar_leads_paginados()'),
  get_dashboard_data_by_params: byRows(() => 'get_dashboard_data_by_params()'),
  get_dashboard_overview_data: byRows(() => 'get_dashboard_overview_data()'),
  get_leads_of_figure: byRows(() => `get_leads_of_figure('total')`),
  get_leads_behind_figure: byRows(() => `get_leads_behind_figure('total')`),
  count_leads_of_figure: byRows(
    (side) => `count_leads_of_figure('total', p_broker_names => '{${side.instanceName}}')`,
    (text) => text !== '[0]',
  ),
  get_response_times: byRows(
    (side) => `get_response_times('{${side.instanceName}}')`,
    (text) => {
      const wrote = text.replace(/"leftContact": \{[^}]*\}/, '')
      return !wrote.includes('"answeredLeads": 0') || !wrote.includes('"unansweredLeads": 0')
    },
  ),
  get_lead_trend: byRows(
    (side) => `get_lead_trend('{${side.instanceName}}')`,
    (text) => /"leads": [1-9]/.test(text),
  ),
  get_distributed_leads: { ...adminRows(() => 'get_distributed_leads()'), gerente: 'own' },
  get_available_empreendimentos: byRows(() => 'get_available_empreendimentos()'),
  get_brokers_by_empreendimento: byRows(() => `get_brokers_by_empreendimento('{${OWN_MARK},${OTHER_MARK}}')`),
  relatorio_leads_kanban_periodo2: byRows(() => 'relatorio_leads_kanban_periodo2()'),
  relatorio_leads_por_horario: byRows(
    () => `(select * from public.relatorio_leads_por_horario(null, '2026-05-05T00:00:00Z', '2026-05-05T23:59:59Z')
      where total_leads > 0)`,
    (text, side) => text.includes(HOURS[side.username] ?? side.username),
  ),
  get_prompts_agents: adminRows(() => 'get_prompts_agents()', isAgent),
  get_prompt_by_id: adminRows((_, scenario) => `get_prompt_by_id(${scenario.agentId})`, isAgent),
  get_coluna_prompt: adminOnly(
    (_, scenario) => `get_coluna_prompt('regras_atendimento', ${scenario.agentId})`,
    isAgent,
  ),
  update_coluna_prompt: adminOnly(
    (_, scenario) => `update_coluna_prompt(${scenario.agentId}, 'regras_atendimento', 'x')`,
    happens,
  ),
  deletar_chat_history_por_empreendimento: adminOnly(
    (_, scenario) => `deletar_chat_history_por_empreendimento(${scenario.agentId}, '11966665555')`,
    (text) => text === '[1]',
  ),
  save_prompt: adminOnly(
    (_, scenario) => `save_prompt(${scenario.agentId}, 'regras_atendimento', 'Outro texto')`,
    (text) => text.includes('"conflict"'),
  ),
  get_agent_info: adminOnly((_, scenario) => `get_agent_info(${scenario.agentId})`, happens),
  get_agent_conversations: adminOnly(
    (_, scenario) => `get_agent_conversations(${scenario.agentId}, 'zz')`,
    shows,
  ),
  get_agent_holders: adminOnly((_, scenario) => `get_agent_holders(${scenario.agentId})`, happens),
  get_agent_conversation: adminOnly(
    (side, scenario) => `get_agent_conversation(${scenario.agentId}, ${side.contactId})`,
    shows,
  ),
  get_agent_pause: adminOnly(
    (side, scenario) => `get_agent_pause(${scenario.agentId}, '${side.number}@s.whatsapp.net')`,
    (text) => text.includes('"paused"'),
  ),
  pause_agent: adminOnly((_, scenario) => `pause_agent(${scenario.agentId}, true)`, happens),
  pause_conversation: adminOnly(
    (side, scenario) => `pause_conversation(${scenario.agentId}, ${side.contactId}, true)`,
    (text) => text.includes('"person"'),
  ),
  listar_roletas_com_corretores: { ...adminRows(() => 'listar_roletas_com_corretores()'), gerente: 'own' },
  get_brokers_by_roleta: {
    ...adminRows((side) => `get_brokers_by_roleta(${side.roletaId})`),
    gerente: 'own',
  },
  save_quick_reply: {
    ...ownOnly(
      (side) => `save_quick_reply('${side.quickReplyId}', 'Outro título', 'Outro texto')`,
      (text) => text.includes('true'),
    ),
    admin: 'refused',
    gerente: 'refused',
  },
  remove_quick_reply: {
    ...byRows(
      (side) => `remove_quick_reply('${side.quickReplyId}')`,
      (text) => text === '[true]',
    ),
    admin: 'none',
    gerente: 'none',
  },
  order_quick_replies: {
    ...byRows(
      (side) => `order_quick_replies('{${side.quickReplyId}}')`,
      (text) => text === '[1]',
    ),
    admin: 'none',
    gerente: 'none',
  },
  erased_leads: {
    call: (side) => `erased_leads(array[${side.contactId}]::bigint[])`,
    answers: happens,
    broker: 'all',
    admin: 'all',
    gerente: 'all',
    lost: 'refused',
  },
  note_export: adminOnly(() => `note_export('audit', 1)`, happens),
  save_campaign_settings: adminOnly(() => 'save_campaign_settings(8, 20, false, 200, 20, 14, 7)', happens),
  get_campaign_history: { ...byRows(() => 'get_campaign_history()'), gerente: 'none', lost: 'refused' },
  get_campaign_stats: adminOnly(() => 'get_campaign_stats()', shows),
  get_segments: adminOnly(() => 'get_segments()', happens),
  get_segment_leads: adminOnly(() => `get_segment_leads('{}', 'busy')`, happens),
  get_segment_sends: adminOnly(() => 'get_segment_sends()', happens),
  get_segment_result: adminOnly((_, { sendId }) => `get_segment_result(${sendId})`, happens),
  get_segment_result_leads: adminOnly(
    (_, { sendId }) => `get_segment_result_leads(${sendId}, 'assigned', 'campaign')`,
    happens,
  ),
  segment_save: adminOnly(() => `segment_save('Parados', '{}')`, happens),
  segment_remove: adminOnly(() => 'segment_remove(1)', happens),
  get_opt_outs: adminOnly(
    () => '(select count(*) as found from public.get_opt_outs())',
    (text) => text.includes('found'),
  ),
  undo_opt_out: adminOnly((side) => `undo_opt_out(${side.contactId})`, happens),
  transferir_leads: managed(
    (side) => `transferir_leads('{${side.contactId}}', '${side.instanceName}')`,
    happens,
  ),
  send_test_lead: adminOnly(
    (side) => `send_test_lead('(11) 90555-0149', '${side.instanceName}')`,
    (text) => text.includes('"saved"'),
  ),
  remove_test_lead: adminOnly(() => 'remove_test_lead()', happens),
  get_lead_owners: managed((side) => `get_lead_owners(${side.contactId})`, happens),
  add_stage: adminOnly(() => `add_stage('Proposta enviada', 'proposta_enviada')`, happens),
  save_stage: adminOnly((_, scenario) => `save_stage(${scenario.stage.id}, 'Outro nome')`, happens),
  move_stage: adminOnly((_, scenario) => `move_stage(${scenario.stage.id}, 1)`, happens),
  remove_stage: adminOnly((_, scenario) => `remove_stage(${scenario.stage.id})`, happens),
  set_roleta_ativa: managed((side) => `set_roleta_ativa(${side.roletaId}, false)`, shows),
}

/** Functions of schema portal that a request's role may execute, because row rules and invoker functions call them. */
export const OPEN_PORTAL_FUNCTIONS = [
  'account_id',
  'are_shifts',
  'asked_brokers',
  'count_leads',
  'dashboard',
  'dashboard_kpi',
  'delivery_rank',
  'first_lead_day',
  'has_grant',
  'is_admin',
  'is_member',
  'led_instances',
  'led_teams',
  'leads_of',
  'makes_figure',
  'message_terms',
  'my_instance',
  'number_digits',
  'number_key',
  'period',
  'plain_words',
  'prompt_column',
  'require_admin',
  'require_few',
  'require_figure',
  'require_grant',
  'service_name',
  'time_zone',
]
