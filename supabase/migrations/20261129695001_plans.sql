-- Plans of next tries for leads that fell silent after our answer.
-- with: table portal.plans, table portal.plan_steps, table portal.lead_plans
-- with: function portal.list_merged_plans, trigger list_merged_plans on portal.contact_merges
-- with: function portal.move_plans, trigger move_plans on portal.contact_merges, function portal.end_plan
alter table portal.actions add column plan_id bigint, add column reminded_for timestamptz;
alter table portal.scheduled_messages add column plan_id bigint;
alter table portal.contact_merges add column plan_ids bigint[] not null default '{}';
alter table portal.actions add constraint actions_plan_id_fkey
  foreign key (plan_id) references portal.lead_plans on delete set null;
alter table portal.scheduled_messages add constraint scheduled_messages_plan_id_fkey
  foreign key (plan_id) references portal.lead_plans on delete set null;
create index actions_plan on portal.actions (plan_id, due_at);
create index actions_to_remind on portal.actions (due_at) where plan_id is not null and finished_at is null;
create index scheduled_plan on portal.scheduled_messages (plan_id);
alter table portal.push_queue
  drop constraint push_queue_kind_check,
  add constraint push_queue_kind_check check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked', 'try', 'feed'));
