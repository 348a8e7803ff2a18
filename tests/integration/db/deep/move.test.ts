// `npm run move`: an embedded database with data (in the deep tier the whole demonstration) moved to a native Postgres
// (server/ops/backup/move.ts).
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '#server/auth/accounts/passwords.ts'
import { listTables, printTable, type TablePrint } from '#server/ops/backup/tables.ts'
import { runMove } from '#server/ops/cli/move.ts'
import type { Database } from '#server/db/database.ts'
import { lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { seedDemo } from '#server/demo/seed/seed.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import {
  makeAdmin,
  makeAgent,
  makeBroker,
  makeCampaign,
  makeChatMessage,
  makeContact,
  makeMessage,
  makeQuickReply,
  makeRecipient,
  makeRotation,
  makeRoutingCase,
  makeSeat,
} from '#tests/support/make.ts'
import { copyMigrated } from '#tests/support/runner/global-setup.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const SCHEMA_FOLDER = path.resolve('supabase')

describe('an embedded database is moved', () => {
  let dataDir: string
  let source: Record<string, TablePrint>
  let mediaId: string
  let waitingId: string
  let target: TestDatabase
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'portal-move-'))
    vi.stubEnv('DATA_DIR', dataDir)
    vi.stubEnv('DEMO', '0')
    mediaId = await (await openFolderStore(path.join(dataDir, 'media'))).put(Buffer.alloc(600_000, 'foto'))
    await copyMigrated(path.join(dataDir, 'database'))
    const db = await openPglite({ dataDir: path.join(dataDir, 'database') })
    await byTier(fillSome, fillDemo)(db)
    // As what came in while a bucket did not answer.
    waitingId = await createDatabaseStore(db, { isWaiting: true }).put(Buffer.alloc(100_000, 'espera'))
    // Values that JSON and other formats could change.
    await db.query(
      `update public.whatsapp_messages set body = $1, content = 'null', quoted = '{"a": [1.10, null, "\\u00e9\\""]}'
      where id = (select min(id) from public.whatsapp_messages)`,
      ['aspas " \\\\ vírgula, {chaves} \\n linha \\t 😀'],
    )
    source = await prints(db)
    await db.close()
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(dataDir, { recursive: true, force: true })
  })
  afterEach(() => target.close())

  const move = (to: string | null = target.url) =>
    runMove(['--to', to ?? ''], { schemaFolder: SCHEMA_FOLDER })

  test('every table and media file unchanged, reported by count and checksum; the next row gets a new id', async () => {
    target = await openTestDatabase('empty')
    const said = await move()
    const { db } = target
    const arrived = await prints(db)
    expect({ ...arrived, 'portal.media': null, 'portal.media_chunks': null }).toEqual({
      ...source,
      'portal.media': null,
      'portal.media_chunks': null,
    })
    const { rows, sum } = source['public.whatsapp_contacts'] ?? {}
    expect(said).toContain(`${rows?.toLocaleString('pt-BR')}  ${sum}  igual`)
    expect(said).toContain('2 mídias (684 KB)')
    expect(await createDatabaseStore(db).find(mediaId)).toMatchObject({ sizeBytes: 600_000 })
    expect(await createDatabaseStore(db).find(waitingId)).toMatchObject({ sizeBytes: 100_000 })

    const { rows: made } = await db.query<{ id: number; most: number }>(
      `with most as (select max(id) as id from public.whatsapp_contacts)
      insert into public.whatsapp_contacts ("instanceName", name, number)
      select "instanceName", 'Nova', '5511900000001' from public.brokers limit 1
      returning id, (select id from most) as most`,
    )
    expect(made[0]?.id).toBeGreaterThan(made[0]?.most ?? Infinity)
    // Triggers and foreign keys are back: the new lead is a board change, and no row lacks its parent.
    expect((await prints(db))['portal.board_changes']).not.toEqual(arrived['portal.board_changes'])
    await expect(db.exec(`insert into portal.message_raw values (-1, '{}')`)).rejects.toMatchObject({
      code: '23503',
    })
    const embedded = await openPglite({ dataDir: path.join(dataDir, 'database') })
    expect(await prints(embedded)).toEqual(source)
    await embedded.close()

    await expect(move()).rejects.toMatchObject({
      code: 'move.not-empty',
      message: expect.stringContaining(
        `public.whatsapp_contacts (${((rows ?? 0) + 1).toLocaleString('pt-BR')}`,
      ),
    })
    expect((await prints(db))['public.whatsapp_contacts']?.rows).toBe((rows ?? 0) + 1)
  })

  test('a row that would change rolls everything back', async () => {
    target = await openTestDatabase('migrated')
    const { db } = target
    const before = await prints(db)
    await db.exec(
      `alter table public.prompts_agents add constraint late check (nome_agente <> nome_agente) not valid`,
    )
    await expect(move()).rejects.toMatchObject({ code: '23514' })
    await db.exec(`alter table public.prompts_agents drop constraint late;
      create rule bend as on insert to public.roletas do instead nothing`)
    await expect(move()).rejects.toMatchObject({ code: 'move.differs' })
    expect(await prints(db)).toEqual(before)
    expect(await db.query(`select from pg_trigger where tgenabled = 'D' and not tgisinternal`)).toMatchObject(
      {
        rowCount: 0,
      },
    )
  })

  test('another version, another portal, a wrong argument: refused before the start', async () => {
    target = await openTestDatabase('migrated')
    const { db } = target
    const newest = `(select max(version) from supabase_migrations.schema_migrations)`
    await db.exec(
      `update supabase_migrations.schema_migrations set version = '20991231000000' where version = ${newest}`,
    )
    await expect(move()).rejects.toMatchObject({ code: 'migrations.unknown' })
    await db.exec(`delete from supabase_migrations.schema_migrations where version = ${newest}`)
    await expect(move()).rejects.toMatchObject({ code: 'move.target-older' })
    await expect(move('mysql://x')).rejects.toMatchObject({ code: 'move.usage' })
    await expect(move('postgres://x@127.0.0.1:1/y')).rejects.toMatchObject({ code: 'database.unreachable' })
    const release = lockDirectory(path.join(dataDir, 'database'))
    await expect(move()).rejects.toMatchObject({ code: 'data-dir.in-use' })
    release()
    expect((await prints(db))['public.whatsapp_contacts']?.rows).toBe(0)
    expect(await readdir(dataDir)).not.toContain('database.lock')
  })
})

async function fillDemo(db: Database) {
  await seedDemo(db, { now: new Date('2026-11-21T12:00:00Z'), hashPassword })
}

/** Boards longer than a batch, and a row of each other kind. */
async function fillSome(db: Database) {
  const [ana, bia] = [await makeBroker(db), await makeBroker(db)]
  await makeAdmin(db)
  await seedLeads(db, { instanceName: ana.instanceName, count: 450, seed: 1 })
  const lead = await makeContact(db, bia.instanceName)
  await makeMessage(db, lead.id)
  await makeRecipient(db, (await makeCampaign(db, bia.id)).id, lead)
  const rotation = await makeRotation(db)
  await makeSeat(db, { roletaName: rotation.empreendimento, instanceName: ana.instanceName, ordem: 1 })
  await makeRoutingCase(db, { contactId: lead.id, roletaId: rotation.id }, [
    { kind: 'given', instanceName: ana.instanceName, at: '2026-05-05T12:00:00Z' },
  ])
  await makeChatMessage(db, (await makeAgent(db)).id, `${lead.number}@s.whatsapp.net`)
  await makeQuickReply(db, null)
}

async function prints(db: Database): Promise<Record<string, TablePrint>> {
  const found: Record<string, TablePrint> = {}
  for (const table of await listTables(db.query)) found[table.name] = await printTable(db.query, table)
  return found
}
