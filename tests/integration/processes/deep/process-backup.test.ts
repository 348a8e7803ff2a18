// Backup and restore from the command line: with the portal running, stopped, killed halfway, and restored.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBackup } from '#server/ops/backup/archive.ts'
import { backupFolder, listBackups } from '#server/ops/backup/files.ts'
import { listTables, printTable, type TablePrint } from '#server/ops/backup/tables.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { makeCampaign, makeMessage } from '#tests/support/make.ts'
import { signIn, startPortal } from '#tests/support/portal.ts'
import { startNode } from '#tests/support/process.ts'

const LEADS = 40

let dataDir: string
let folder: string
let mediaId: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-backup-'))
  folder = backupFolder(dataDir)
  mediaId = await (await openFolderStore(path.join(dataDir, 'media'))).put(Buffer.from('foto'))
  const db = await openPglite({ dataDir: database(), template: inject('migratedTemplate') })
  await fillBoard(db, LEADS, { hasMessages: true })
  const { rows } = await db.query<{ id: string }>('select id from public.brokers')
  await makeCampaign(db, rows[0]?.id ?? '', { status: 'running' })
  const { rows: leads } = await db.query<{ id: number }>('select id from public.whatsapp_contacts limit 1')
  const queued = await makeMessage(db, leads[0]?.id ?? 0, {
    type: 'outgoing',
    delivery: 'queued',
    message_id: null,
  })
  await db.query('insert into portal.outgoing (message_id) values ($1)', [queued.id])
  await db.query(
    `insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at)
     select contact_id, body, now() + due * interval '1 hour', false, now()
     from (values ('Já devia ter saído', -1), ('Ainda não', 24)) as t (body, due), (select $1::bigint as contact_id) c`,
    [leads[0]?.id ?? 0],
  )
  await db.close()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const database = () => path.join(dataDir, 'database')

async function run(...args: string[]) {
  const { code, output, errors } = await startNode(['server/ops/cli/backup.mjs', ...args], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error' },
  }).ending
  return { code, said: (output + errors).trim() }
}

/** Count and checksum of every table in a database folder. */
async function prints(directory: string): Promise<Record<string, TablePrint>> {
  const db = await openPglite({ dataDir: directory })
  const found: Record<string, TablePrint> = {}
  for (const table of await listTables(db.query)) found[table.name] = await printTable(db.query, table)
  await db.close()
  return found
}

const stored = async () => (await listBackups(folder)).map(({ file }) => file)

test('a running portal makes its own backup; it cannot be restored under it; a kill halfway leaves everything complete', async () => {
  const portal = await startPortal(dataDir)
  await signIn(portal.origin, BROKER.email, BROKER.password)
  const asked = await run('backup')
  const [first = ''] = await stored()
  expect(asked).toEqual({ code: 0, said: expect.stringContaining(`Backup feito: ${first}`) })
  expect(await run('restore', first)).toEqual({ code: 1, said: expect.stringContaining('já está em uso') })

  await writeFile(path.join(folder, 'wanted-00000000-0000-4000-8000-000000000000'), '')
  while (!existsSync(path.join(folder, '.in-progress/database'))) await nextTurn()
  await portal.process.kill('SIGKILL')
  const files = await stored()
  expect(files).toContain(first)
  for (const file of files) {
    const into = await mkdtemp(path.join(dataDir, 'opened-'))
    await openBackup(file, into)
    await rm(into, { recursive: true })
  }
  expect((await prints(database()))['public.whatsapp_contacts']?.rows).toBe(LEADS)
}, 180_000)

test('the restored database equals the backup, table by table; pending sends are stopped; the old database is kept', async () => {
  const source = await prints(database())
  expect((await run('backup')).code).toBe(0)
  const [file = ''] = await stored()
  expect((await readdir(folder)).filter((name) => name.startsWith('.in-progress'))).toEqual([])

  const db = await openPglite({ dataDir: database() })
  await db.exec(`
    update portal.people set opted_out_at = now() where id = (select min(id) from portal.people);
    insert into portal.erasures (hash) select portal.opt_out_hash(number_key) from portal.people order by id desc limit 1;
    delete from public.whatsapp_contacts`)
  await db.close()
  await rm(path.join(dataDir, 'media'), { recursive: true })
  const later = await prints(database())

  const half = path.join(dataDir, 'half.tar.gz')
  await copyFile(file, half)
  await truncate(half, (await stat(file)).size - 1_000)
  for (const [given, said] of [
    [half, `O arquivo ${half} não é um backup inteiro do portal.`],
    [`${file}.txt`, `Não há arquivo ${file}.txt.`],
  ] as const)
    expect(await run('restore', given)).toEqual({ code: 1, said })

  const { code, said } = await run('restore', file)
  expect([code, said]).toEqual([0, expect.stringContaining(`${LEADS} leads`)])
  expect(said).toContain('1 campanha está pausada')
  expect(said).toContain('1 mensagem que esperava envio ficou como “desconhecida”')
  expect(said).toContain('1 pessoa que pediu para não receber campanhas')
  expect(said).toMatch(/quem foi apagado depois dele; apague de novo: números com final \d{4}\.$/)
  expect(said).not.toContain('mídia')
  const [, old = ''] = /O que havia antes está em (\S+);/.exec(said) ?? []
  expect(await prints(path.join(old, 'database'))).toEqual(later)
  const restored = await prints(database())
  const changed = Object.keys(source).filter((name) => source[name]?.sum !== restored[name]?.sum)
  expect(changed).toEqual([
    'portal.audit_log',
    'portal.board_changes',
    'portal.board_sequences',
    'portal.erasures',
    'portal.opt_outs',
    'portal.outgoing',
    'portal.people',
    'portal.refresh_tokens',
    'portal.scheduled_messages',
    'portal.sessions',
    'public.remarketing_campaigns',
    'public.whatsapp_contacts',
    'public.whatsapp_messages',
  ])
  for (const name of ['public.whatsapp_contacts', 'public.whatsapp_messages', 'public.remarketing_campaigns'])
    expect(restored[name]?.rows).toBe(source[name]?.rows)
  expect(restored['portal.sessions']?.rows).toBe(0)
  const again = await openPglite({ dataDir: database() })
  const { rows: texts } = await again.query(
    'select state, reason from portal.scheduled_messages order by due_at',
  )
  await again.close()
  expect(texts).toEqual([
    { state: 'asking', reason: 'restored' },
    { state: 'waiting', reason: null },
  ])
  expect(await (await openFolderStore(path.join(dataDir, 'media'))).find(mediaId)).toMatchObject({
    sizeBytes: 4,
  })
}, 180_000)

test('a restore interrupted between removing and inserting is finished by the next start', async () => {
  await rename(database(), path.join(dataDir, 'database.restored'))
  const portal = await startPortal(dataDir)
  await signIn(portal.origin, BROKER.email, BROKER.password)
  await portal.process.kill('SIGTERM')
  expect(existsSync(path.join(dataDir, 'database.restored'))).toBe(false)
}, 60_000)

test('a database server, a missing database and an unknown command are reported in one line', async () => {
  const elsewhere = await startNode(['server/ops/cli/backup.mjs', 'backup'], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, DATABASE_URL: 'postgres://x@127.0.0.1:1/y' },
  }).ending
  expect([elsewhere.code, elsewhere.errors]).toEqual([1, expect.stringContaining('pg_dump')])
  const none = path.join(dataDir, 'none')
  await mkdir(none)
  const nothing = await startNode(['server/ops/cli/backup.mjs', 'backup'], {
    cwd: process.cwd(),
    env: { DATA_DIR: none, DEMO: '0' },
  }).ending
  expect([nothing.code, nothing.errors.trim()]).toEqual([1, `Ainda não há banco de dados em ${none}.`])
  expect(await run('restore')).toEqual({ code: 1, said: expect.stringContaining('npm run restore') })
})
