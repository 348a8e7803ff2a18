// Inserts the accounts: the administrator, the sixteen brokers, and the new broker without a password.
import { INSTANCE_PREFIX } from '#domain/broker.ts'
import type { Query } from '#server/db/database.ts'
import { NEWCOMER } from '../agency/brokers.ts'
import { DAY, toTimestamp } from '../calendar.ts'
import { insertRows } from './insert.ts'
import type { Scenario } from '../scenario.ts'

type Hashes = { admin: string; broker: string }

export async function seedAccounts(query: Query, { brokers, calendar, random }: Scenario, hashes: Hashes) {
  const team = brokers.map(({ id, instanceId, instanceName, number, joinedDaysAgo }) => ({
    id,
    instanceId,
    instanceName,
    broker_number: number,
    status: 'ativo',
    created_at: toTimestamp(calendar.atHour(calendar.now - joinedDaysAgo * DAY, 10)),
  }))
  const newcomer = {
    id: random.uuid(),
    instanceId: random.uuid(),
    instanceName: INSTANCE_PREFIX + NEWCOMER,
    broker_number: null,
    status: 'inativo',
    created_at: toTimestamp(calendar.now),
  }
  const columns = {
    id: 'uuid',
    instanceId: 'text',
    instanceName: 'text',
    broker_number: 'text',
    status: 'text',
    created_at: 'timestamptz',
  }
  await insertRows(query, { table: 'public.brokers', columns }, [...team, newcomer])
  await query(
    `update portal.accounts set password_hash = $1 where role = 'broker' and username = any ($2::text[])`,
    [hashes.broker, brokers.map(({ username }) => username)],
  )
  // The portal may have created this administrator before, with a password that nobody knows.
  await query(
    `insert into portal.accounts (id, role, username, password_hash) values ($1, 'admin', 'admin', $2)
     on conflict (role, username) do update set password_hash = excluded.password_hash`,
    [random.uuid(), hashes.admin],
  )
}
