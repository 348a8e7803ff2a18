// Old data is deleted after its time, in batches, and nothing younger or still needed (server/ops/retention.ts).
import { expect, test } from 'vitest'
import { createRetention } from '#server/ops/retention.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeBroker, makeContact, makeMessage } from '#tests/support/make.ts'

const DAY_MS = 24 * 3_600_000

const base = await openBase()

const ago = (days: number) => `now() - interval '${days} days'`
const marks = async (sql: string) => (await base.db.query<{ mark: string }>(sql)).rows.map(({ mark }) => mark)
const stored = async () => ({
  aside: await marks(`select distinct reason as mark from portal.webhook_aside order by 1`),
  waiting: await marks('select target as mark from portal.waiting_events order by 1'),
  raw: await marks('select body as mark from portal.intake_raw order by 1'),
  meta: await marks('select leadgen_id as mark from portal.meta_inbox order by 1'),
  words: await marks(`select raw ->> 'mark' as mark from portal.message_raw order by 1`),
  messages: await marks('select body as mark from public.whatsapp_messages order by 1'),
  audit: await marks(
    `select distinct subject as mark from portal.audit_log where action = 'mark.made' order by 1`,
  ),
  inbox: await marks('select body as mark from portal.webhook_inbox order by 1'),
})

test('expired rows are deleted in any number; younger ones, retried ones, unapplied ones and messages stay', async () => {
  const { db } = base
  const { instanceName } = await makeBroker(db)
  const contact = await makeContact(db, instanceName)
  for (const [mark, days] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    const timestamp = Math.floor(Date.now() / 1000) - days * 86_400
    const message = await makeMessage(db, contact.id, { instanceName, body: mark, timestamp })
    await db.exec(`
      insert into portal.message_raw values (${message.id}, '{"mark": "${mark}"}');
      insert into portal.webhook_aside ("instanceName", reason, body, received_at)
        select '${instanceName}', '${mark}', '', ${ago(days)} from generate_series(1, 1500);
      insert into portal.waiting_events ("instanceName", target, kind, weight, waited, received_at)
        values ('${instanceName}', '${mark}', 'ack', 1, '{}', ${ago(days)});
      insert into portal.webhook_inbox ("instanceName", body, received_at) values ('${instanceName}', '${mark}', ${ago(days)});
      insert into portal.audit_log (at, actor_role, action, subject) values (${ago(days)}, 'system', 'mark.made', '${mark}')`)
  }
  await db.exec(`
    insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
      values ('00000000-0000-4000-8000-000000000001', 'meta', 'Meta', '\\x01', 60, 'chefe', now());
    insert into portal.meta_inbox (key_id, leadgen_id, value, next_at, received_at) values
      ('00000000-0000-4000-8000-000000000001', 'given up', '{}', null, ${ago(31)}),
      ('00000000-0000-4000-8000-000000000001', 'given up lately', '{}', null, ${ago(29)}),
      ('00000000-0000-4000-8000-000000000001', 'still tried', '{}', now(), ${ago(31)});
    insert into portal.intake_raw (key_id, content_type, body, next_at, received_at) values
      ('00000000-0000-4000-8000-000000000001', 'x', 'unread', null, ${ago(31)}),
      ('00000000-0000-4000-8000-000000000001', 'x', 'unread lately', null, ${ago(29)}),
      ('00000000-0000-4000-8000-000000000001', 'x', 'not made yet', now(), ${ago(31)});
    insert into portal.audit_log (at, actor_role, action, subject)
      select ${ago(401)}, 'system', 'mark.made', 'ancient' from generate_series(1, 1500);
    insert into portal.audit_log (at, actor_role, action, subject) values (${ago(399)}, 'system', 'mark.made', 'a year old')`)

  const clock = databaseClock()
  const retention = createRetention({ db, clock, log: silentLog, keeps: { rawDays: 30, auditDays: 400 } })
  const stop = retention.start()
  await retention.settled()
  const after = {
    aside: ['young'],
    waiting: ['young'],
    meta: ['given up lately', 'still tried'],
    raw: ['not made yet', 'unread lately'],
    words: ['young'],
    messages: ['old', 'young'],
    audit: ['a year old', 'old', 'young'],
    inbox: ['old', 'young'],
  }
  expect(await stored()).toEqual(after)

  clock.advance(DAY_MS * 1.5)
  await retention.settled()
  expect(await stored()).toEqual({
    ...after,
    aside: [],
    waiting: [],
    meta: ['still tried'],
    raw: ['not made yet'],
    words: [],
    audit: ['old', 'young'],
  })
  await stop()
})

test('no setting or request deletes an audit log row younger than a year', async () => {
  const { db } = base
  const before = (await stored()).audit
  const retention = createRetention({
    db,
    clock: databaseClock(),
    log: silentLog,
    keeps: { rawDays: 30, auditDays: 1 },
  })
  const stop = retention.start()
  await retention.settled()
  await stop()
  expect((await stored()).audit).toEqual(before)
  for (const sql of [
    `update portal.audit_log set subject = 'x' where subject = 'old'`,
    `delete from portal.audit_log where subject = 'old'`,
    'truncate portal.audit_log',
  ])
    await expect(db.query(sql)).rejects.toThrow('A auditoria não pode ser alterada nem apagada.')
})
