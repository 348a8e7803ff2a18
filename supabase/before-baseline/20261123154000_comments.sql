-- Comments that cited pages which are not in the repository say the reason itself.

comment on function portal.time_zone() is 'IANA name of the zone whose days bound every period.';

comment on table public.brokers is 'Corretores, each tied to one WhatsApp instance. An administrator reads and writes all, a broker reads the own row.';

comment on table portal.sessions is 'Signed-in sessions; a row gone or expired ends access at once.';

comment on table portal.refresh_tokens is 'SHA-256 of each refresh token and of the one it was exchanged for, to tell a lost answer from a theft.';

comment on table portal.applied_operations is 'Results of client writes by operation id: a repeat gets the stored result.';

comment on function portal.begin_operation(uuid, uuid) is
  'The stored answer of a client write that was already done by this account, else null; the same write waits until this transaction ends.';

comment on function public.authenticate_admin(text, text) is
  'Checks an administrator''s password: one row, id null and authenticated false when it is wrong. Run by the portal and administrators; browsers sign in through /auth/v1.';

comment on function public.authenticate_broker(text, text) is
  'Whether the password is that broker''s. Run by the portal and administrators; browsers sign in through /auth/v1.';

comment on function public.check_broker_has_password(text) is
  'Whether the broker has set a password; false for an unknown one. Run by the portal and administrators; browsers ask /api/login/lookup.';

comment on function public.set_broker_password(text, text) is
  'Sets a broker''s first password while first access is open; raises a Portuguese message otherwise. Run by the portal and administrators; browsers use /api/login/first-access.';

comment on function portal.number_key(text) is
  'One text for all forms of one number or jid, for matching only: + and the country''s digits, Brazilian mobiles without the ninth digit, Mexican and Argentine ones without theirs; null without a number.';

comment on table public.kanban_stages is 'Columns of the board; a lead''s status is a stage''s slug. All members read, administrators write.';

comment on table public.whatsapp_contacts is 'Leads, one a person and broker. A broker reads the own ones and writes name and notes; status moves by function.';

comment on column public.whatsapp_contacts.first_response_at is 'First human outgoing message, not failed, from the first incoming one on.';

comment on table public.whatsapp_messages is 'Chat lines. Read with their contact, written by the server only.';

comment on column public.whatsapp_messages.delivery is 'Of outgoing messages: na fila, enviada, entregue, lida, falhou, desconhecida.';

comment on table portal.stage_history is 'Every stage a lead was in, append only.';

comment on table portal.board_changes is 'The newest change of each contact on a board, hand-overs away from it included; the source of sync_board.';

create or replace function portal.guard_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  met public.kanban_stages;
begin
  if tg_op = 'DELETE' then
    if old.slug = 'new' then
      raise exception 'O estágio "%" não pode ser excluído.', old.name using errcode = '42501';
    end if;
    -- Whoever was moved in since the screen emptied the stage; the row's lock keeps others out.
    update public.whatsapp_contacts set status = 'new' where status = old.slug;
    return old;
  end if;
  select * into met from public.kanban_stages s where s.id = new.id;
  if found then
    -- An upsert of {id, order_index} inserts first: what it leaves out comes from the row it will meet.
    new.name := coalesce(new.name, met.name);
    new.slug := coalesce(new.slug, met.slug);
  elsif exists (select from public.kanban_stages s where s.order_index = new.order_index) then
    -- A count plus one is taken where an earlier removal was not renumbered.
    new.order_index := (select max(s.order_index) + 1 from public.kanban_stages s);
  end if;
  return new;
end $$;

comment on function portal.guard_stage() is
  'Trigger: fills a renumbering upsert, puts a new stage last when its place is taken, empties a stage before it goes, keeps the one with slug new.';

comment on function portal.recount_won() is 'Trigger: a stage that is marked as won, or no longer, tells anew when each of its leads was won.';

comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';

comment on function public.get_leads_by_brokers(text[]) is
  'Leads of these brokers (instance names; none named = all), the last talked to first; of them those that the caller may see. For the CRM. last_interaction is the time of the newest message, null without one; contact_id names the lead to atualizar_status_lead.';

comment on function public.get_total_contatos_por_corretor() is
  'How many leads each broker has, zeros included; a broker sees the own line. For ''Gerenciar Corretores'' and the diagnostics page.';

comment on function portal.move_answer(text, bigint) is
  'The answer of a move: its code and text, where the lead is now, and who put it there when.';

comment on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) is
  'Moves a lead to the stage with slug p_novo_status. A broker moves the own leads, an administrator all. The lead is p_contact_id, else p_number_lead (any form of the number) on the board of p_broker_name (instance name or username). p_expected_status: the stage the caller saw; another one is a conflict, and nothing changes. p_moved_at: when it was done on the device, shown only. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, message, stage_name, code, current_status, changed_by, changed_at}, code moved, already, conflict, unknown_stage or unknown_lead; another''s lead is an unknown one. 401 once the session has ended.';

comment on function public.mark_read(bigint, bigint) is
  'Marks what a lead wrote up to an instant (epoch seconds) as read and answers how many stay unread. Called by the conversation: the owner or an administrator; 404 for anyone else''s lead and for none. A repeat changes nothing.';

comment on function public.save_lead_notes(bigint, text, text, uuid, text, text) is
  'Writes the notes of a lead: of the own ones for a broker, of all for an administrator; empty ones clear. p_base_notes: what the writer saw; other notes standing there are a conflict, and nothing changes (null: overwrite). The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, current}, code saved, already, conflict or unknown_lead. 401 once the session has ended; 422 when too long.';

comment on function public.rename_lead(bigint, text, text, uuid, text, text) is
  'Gives a lead another name, an empty one takes it away; who may, p_base_name, the way the lead is named, p_operation_id and the answer are those of save_lead_notes.';

comment on table portal.owner_history is 'Every change of a lead''s owner, append only.';

comment on function public.transferir_leads(bigint[], text, uuid) is
  'Hands leads to a broker (instance name), with their conversations, notes and history: what the persons write to the old number joins them there, replies go out from the new owner''s instance, and a person whom the new owner has already becomes one lead. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, moved, merged, unknown, leads: [{id, from}]}, code moved or unknown_broker; moved counts those whose owner changed, merged those of them that became one with a lead of the new owner, unknown those that are no more; leads names the owner before of each that moved. 401 once the session has ended; 422 for more than 2,000.';

comment on function portal.hand_over(bigint[], text) is
  'Gives leads to a broker, with their history; a person whom that broker has already becomes one contact. Answers how many changed their owner. Server only.';

comment on function public.add_stage(text, text, text, uuid) is
  'A new stage behind all others: its order is the count plus 1, its slug p_slug, or that with a number where it is taken. p_kind: open, won or lost. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, slug}, code done, blank, long or taken.';

comment on function public.move_stage(integer, integer, uuid) is
  'Moves a stage so many places up (negative) or down from where it stands by now, at most to the end, and numbers all from 1: what two administrators do at once adds up. Administrators. p_operation_id as in add_stage. Answers {success, code, message}, code done, already (at the end) or unknown_stage.';

comment on function public.remove_stage(integer, uuid) is
  'Moves the leads of a stage to the one with slug new, removes the stage and numbers the others from 1, all or nothing. Administrators. p_operation_id as in add_stage. Answers {success, code, message, leads (how many moved)}, code done, already (it is gone) or default (the one with slug new stays).';

comment on function portal.number_to_send(text) is
  'An address as the gateway wants it: WhatsApp''s own as it is, a number as typed in digits with its country''s, its ninth digit untouched.';

comment on table public.remarketing_campaigns is 'Bulk sends of a broker. A broker reads the own ones, an administrator all; progress is written by the server.';

comment on function portal.fail_campaign(bigint, timestamptz) is 'What cannot be processed says so; nothing of it is lost, and a person may resume it. Server only.';

comment on table public.roletas is 'Rotations that hand the leads of a development to brokers in turn. Administrators only.';

comment on function portal.make_room() is
  'Trigger: a seat moved to a taken place changes places with the one there, so that an order may be written seat by seat.';

comment on function public.listar_roletas_com_corretores() is
  'All rotations with how many brokers each has; none for whoever is no administrator.';

comment on function public.get_brokers_by_roleta(integer) is
  'Seats of a rotation in order: instance_id and broker_name both are the instance name, ordem counts from 1. None for an unknown rotation and for whoever is no administrator.';

comment on function public.set_roleta_ativa(integer, boolean) is
  'Switches a rotation on or off and answers its row. 22023 without a choice, 404 for an unknown one, 42501 for whoever is no administrator.';

comment on function portal.save_roleta(integer, text, jsonb, uuid) is
  'Saves a rotation in one transaction and in this order, so that no two seats ask for one place: the name, who is removed, who is added, the order of all, with settings and seats as portal.roleta_details shows them. Once an operation; answers the details. 409 where somebody else changed it since, or the name or code is taken; 404 for an unknown one; 422 for a broker who is gone. Administrators, by the server only.';

comment on table public.prompts_agents is 'AI agents, one a development, with their prompts. Administrators only; listar_horarios and agendamento are locked.';

comment on view public.agent_prompts is 'The editable part of prompts_agents, under the name the diagnostics page asks for.';

comment on function portal.prompt_column(text, boolean) is
  'A column of prompts_agents that holds a prompt; 22023 for any other name, 42501 for writing a locked one.';

comment on function public.get_prompts_agents() is
  'All agents, for their list; none for whoever is no administrator.';

comment on function public.get_prompt_by_id(integer) is
  'One row with all prompts of an agent, none when there is no such agent or the caller is no administrator.';

comment on function public.get_coluna_prompt(text, integer) is
  'One prompt of an agent, for its editor and for the agent itself. 22023 for an unknown column, 404 for an unknown agent, 42501 for whoever is neither an administrator nor a service with prompts:read.';

comment on function public.update_coluna_prompt(integer, text, text) is
  'Writes one prompt of an agent over whatever stands there; answers nothing. 22023 for an unknown column or no text, 404 for an unknown agent, 42501 for a locked column and for whoever is neither an administrator nor a service with prompts:write.';

comment on function public.save_prompt(integer, text, text, bigint, uuid) is
  'Saves one prompt of an agent for the editor. p_base_version: the newest version that the writer saw, null where there was none; another one standing there is a conflict, and nothing changes. p_operation_id: a repeat by the same account gets the stored answer. Answers {code, version, saved_by, saved_at, current}, code saved, already or conflict, current the text that stands there then. Errors are those of update_coluna_prompt, and 422 when too long. Administrators only.';

comment on function public.get_agent_info(integer) is
  'The facts of an agent: {version (texts saved so far), last_edit {field, by, at}, paused_by, paused_at, active (conversations of the last 30 days that it may answer), paused (those it may not), replies (of the last 7 days), roleta {name, is_active, brokers}}. Administrators only; 404 for an unknown agent.';

comment on function portal.period(timestamp, timestamp) is
  'Instants [starts_at, ends_at) of a period of the wire: ''2026-11-01T00:00:00Z'' is read as wall-clock time in the portal''s zone whatever stands behind it, the end exclusive at the next second; a bound left out is open. 22023 when the end is before the start, or a bound is far beyond the years 2000 to 2100.';

comment on function portal.dashboard(text[], text[], timestamp, timestamp) is
  'Metrics of the leads of a period: totalLeads; avgResponseTimeHours over the answeredLeads, null without one; unansweredLeads beside it; avgLeadsPerDay = total / calendar days; conversionRate in percent = leads that reached a won stage / leads; the four charts, counts descending, weekdays from day_number 0 = Sunday; and as previous the figures of as many days before, null for an open period.';

comment on function portal.dashboard_kpi(portal.lead_count, integer) is 'The figures of a period of so many days from its total.';

comment on function public.get_dashboard_data_by_params(text[], timestamp, timestamp, text[]) is
  'The filtered dashboard: {kpi, charts, period}, as portal.dashboard says. Brokers by instance name; none named = all; a date left out = open. 22023 when the end is before the start.';

comment on function public.get_dashboard_overview_data() is
  'The dashboard of the last 30 days, today included: {kpi, charts, period}, as portal.dashboard says. Also by GET.';

comment on function public.get_leads_with_filters_and_pagination(text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads for ''Detalhamento de Leads'', the newest first. p_cursor and p_id_cursor are created_at, exactly as answered, and id of the last row seen, so that leads that come in meanwhile shift nothing. Filters as in get_dashboard_data_by_params. 22023 when the end is before the start.';

comment on function public.buscar_leads_paginados(text[], timestamp, timestamp, timestamptz, bigint) is
  'get_leads_with_filters_and_pagination without a choice of developments.';

comment on function public.relatorio_leads_kanban_periodo2(text[], timestamp, timestamp) is
  'Leads of a period by broker (instance name, null for those of removed brokers) and the stage where they are now. Filters as in get_dashboard_data_by_params.';

comment on function public.relatorio_leads_por_horario(text[], timestamp, timestamp) is
  'Leads of a period by the hour of the day they came in, all 24 hours, in the portal''s zone. Filters as in get_dashboard_data_by_params.';

comment on function public.get_available_empreendimentos() is
  'Developments that leads asked for, with how many of those the caller may see. Also by GET.';

comment on function public.get_brokers_by_empreendimento(text[]) is
  'Instance names of the brokers with a lead of these developments or a seat in their rotations; none named = all brokers.';

comment on function public.get_distributed_leads(timestamp, timestamp) is
  'The leads that rotations handed to brokers in a period, each once, with who of them got it last and when: their total, and the newest 2,000, the newest first. Nothing for whoever is no administrator. Period as in get_dashboard_data_by_params; 22023 when the end is before the start.';
