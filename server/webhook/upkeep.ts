// What the inbox leaves behind: counted for the health page, forgotten after thirty days (PRODUCT.md 3).
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'

/** Deliveries safe but not yet applied, and those set aside. */
export async function countDeliveries(db: Database): Promise<{ waiting: number; setAside: number }> {
  const { rows } = await db.query<{ waiting: number; aside: number }>(
    `select
      (select count(*) from portal.webhook_inbox) as waiting,
      (select count(*) from portal.webhook_aside) as aside`,
  )
  return { waiting: rows[0]?.waiting ?? 0, setAside: rows[0]?.aside ?? 0 }
}

const OLD = `received_at < now() - interval '30 days'`

export async function forgetOld(db: Database, log: Log): Promise<void> {
  try {
    await db.query(`delete from portal.waiting_events where ${OLD}`)
    await db.query(`delete from portal.webhook_aside where ${OLD}`)
  } catch (error) {
    log.warn('webhook.forget-failed', errorFields(error))
  }
}
