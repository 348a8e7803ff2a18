// What the inbox leaves behind, counted for the health page (PRODUCT.md 3).
import type { Database } from '#server/db/database.ts'

/** Deliveries safe but not yet applied, and those set aside. */
export async function countDeliveries(db: Database): Promise<{ waiting: number; setAside: number }> {
  const { rows } = await db.query<{ waiting: number; aside: number }>(
    `select
      (select count(*) from portal.webhook_inbox) as waiting,
      (select count(*) from portal.webhook_aside) as aside`,
  )
  return { waiting: rows[0]?.waiting ?? 0, setAside: rows[0]?.aside ?? 0 }
}
