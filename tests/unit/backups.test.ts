// Backup files (server/ops/backup): their content, their number, interrupted ones, and requests for one.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBackup, openBackup } from '#server/ops/backup/archive.ts'
import { createCurrentPortal } from '#server/current-portal.ts'
import { createBackups } from '#server/ops/backup/backups.ts'
import { backupFolder, listBackups } from '#server/ops/backup/files.ts'
import { mediaIn } from '#server/ops/backup/media.ts'
import { requestBackup } from '#server/ops/backup/requests.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'

const DAY_MS = 24 * 3_600_000
const START_MS = Date.parse('2026-11-21T03:15:00Z')

let dataDir: string
let folder: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'portal-backups-'))
  folder = backupFolder(dataDir)
  await writeFile(path.join(dataDir, 'jwt-secret'), 'chave', { mode: 0o600 })
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Replaces the database's folder, with a given text. */
const source = (words: () => string = () => 'agora') => ({
  dataDir,
  version: '1.0.0',
  copyTo: async (target: string) => {
    await mkdir(target)
    await writeFile(path.join(target, 'PG_VERSION'), '18')
    await writeFile(path.join(target, 'words'), words())
  },
})

async function opened(file: string) {
  const into = await mkdtemp(path.join(dataDir, 'opened-'))
  const backup = await openBackup(file, into)
  return { ...backup, words: await readFile(path.join(backup.database, 'words'), 'utf8'), into }
}

const names = async () => (await listBackups(folder)).map(({ file }) => path.basename(file))

test('a backup contains database, key and media list, readable by its owner only; media are stored once for all backups', async () => {
  const media = await openFolderStore(path.join(dataDir, 'media'))
  const id = await media.put(Buffer.from('foto'))
  const { file } = await makeBackup(source(), START_MS, 7)
  expect(path.basename(file)).toBe('portal-20261121T031500Z.tar.gz')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const backup = await opened(file)
  expect(backup).toMatchObject({ madeAtMs: START_MS, media: [id], hasKey: true, words: 'agora' })
  expect(await readFile(path.join(backup.into, 'jwt-secret'), 'utf8')).toBe('chave')
  expect(await mediaIn(path.join(folder, 'media'))).toEqual([id])
  expect((await readdir(folder)).toSorted()).toEqual(['media', 'portal-20261121T031500Z.tar.gz'])
})

test('the newest ones stay; media stay as long as a kept backup names them', async () => {
  const media = await openFolderStore(path.join(dataDir, 'media'))
  const removed = await media.put(Buffer.from('foto de um lead que saiu'))
  const stays = await media.put(Buffer.from('foto de um lead que fica'))
  await makeBackup(source(), START_MS, 2)
  await rm(path.join(dataDir, 'media', removed.slice(0, 2)), { recursive: true })
  await makeBackup(source(), START_MS + DAY_MS, 2)
  expect((await mediaIn(path.join(folder, 'media'))).toSorted()).toEqual([removed, stays].toSorted())
  await makeBackup(source(), START_MS + 2 * DAY_MS, 2)
  expect(await names()).toEqual(['portal-20261123T031500Z.tar.gz', 'portal-20261122T031500Z.tar.gz'])
  expect(await mediaIn(path.join(folder, 'media'))).toEqual([stays])
})

test('a failed or interrupted backup does not count, and does not remove others', async () => {
  const first = await makeBackup(
    source(() => 'antes'),
    START_MS,
    1,
  )
  const full = { ...source(), copyTo: () => Promise.reject(new Error('ENOSPC')) }
  await expect(makeBackup(full, START_MS + DAY_MS, 1)).rejects.toThrow('ENOSPC')
  // The state after a killed process.
  await mkdir(path.join(folder, '.in-progress/database'), { recursive: true })
  await writeFile(path.join(folder, '.in-progress/whole.tar.gz'), 'half')
  expect(await names()).toEqual([path.basename(first.file)])
  expect((await opened(first.file)).words).toBe('antes')
  await makeBackup(source(), START_MS + 2 * DAY_MS, 1)
  expect(await readdir(folder)).toEqual(['portal-20261123T031500Z.tar.gz'])
})

test.each([
  ['cut short', (file: string, size: number) => truncate(file, size - 40)],
  [
    'changed in the middle',
    async (file: string, size: number) => {
      const bytes = await readFile(file)
      bytes.fill(0, size >> 1, (size >> 1) + 8)
      await writeFile(file, bytes)
    },
  ],
  ['no backup at all', (file: string) => writeFile(file, 'olá')],
])('a file that is %s is not opened', async (_, harm) => {
  const { file, sizeBytes } = await makeBackup(
    source(() => 'palavra '.repeat(20_000)),
    START_MS,
    7,
  )
  await harm(file, sizeBytes)
  await expect(opened(file)).rejects.toMatchObject({ code: 'backup.unreadable' })
})

test('a portal makes one a day and on request, and reports failures', async () => {
  const clock = manualClock(START_MS)
  let isFull = false
  const backups = createBackups(
    {
      ...source(),
      copyTo: (target) => (isFull ? Promise.reject(new Error('ENOSPC')) : source().copyTo(target)),
    },
    { clock, log: silentLog, keep: 7, isDaily: true },
  )
  const stop = backups.start(() => Promise.resolve(['table-damaged']))
  /** Until what the clock set off is done. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await backups.settled()
  }
  expect(await backups.state()).toEqual({ lastAtMs: null, sizeBytes: null, count: 0, isFailing: false })
  await pass(10 * 60_000)
  expect(await backups.state()).toMatchObject({ lastAtMs: clock.now(), count: 1 })
  await pass(DAY_MS - 10 * 60_000)
  expect((await backups.state()).count).toBe(1)
  isFull = true
  await pass(10 * 60_000)
  expect(await backups.state()).toMatchObject({ count: 1, isFailing: true })
  isFull = false
  await pass(10 * 60_000)
  expect(await backups.state()).toMatchObject({ lastAtMs: clock.now(), count: 2, isFailing: false })

  // The requester's waits advance the clock, so that no busy machine runs ahead of the portal.
  const asking = { ...clock, sleep: pass }
  const answer = await requestBackup(folder, asking, () => true)
  expect(answer).toMatchObject({
    warnings: ['Atenção: uma tabela do banco está danificada.'],
    file: (await listBackups(folder))[0]?.file,
  })
  expect((await backups.state()).count).toBe(3)
  await stop()

  let polls = 0
  const unheard = requestBackup(folder, asking, () => ++polls < 3)
  await expect(unheard).rejects.toMatchObject({ code: 'backup.unanswered' })
  expect((await readdir(folder)).filter((name) => /wanted|answer/.test(name))).toEqual([])
})

test('backups continue after each replacement of the portal', async () => {
  const clock = manualClock(START_MS)
  const backups = createBackups(source(), { clock, log: silentLog, keep: 7, isDaily: true })
  const makePortal = () => {
    let stop = async () => {}
    return { start: () => void (stop = backups.start()), stop: () => stop(), endEvents: () => undefined }
  }
  const current = createCurrentPortal(makePortal(), () => Promise.resolve(makePortal()), silentLog)
  const pass = async (ms: number) => {
    clock.advance(ms)
    await backups.settled()
  }
  const asking = { ...clock, sleep: pass }
  current.get().start()
  for (const days of [1, 2]) {
    await current.replace()
    await pass(DAY_MS)
    expect(await backups.state()).toMatchObject({ lastAtMs: clock.now(), count: 2 * days - 1 })
    expect(await requestBackup(folder, asking, () => true)).toHaveProperty('file')
    expect((await backups.state()).count).toBe(2 * days)
  }
  await current.get().stop()
})

test('a portal keeps running if no other can replace it, and the next attempt replaces it', async () => {
  const running: string[] = []
  const makePortal = (name: string) => ({
    name,
    start: () => void running.push(name),
    stop: () => Promise.resolve(void running.splice(running.indexOf(name), 1)),
    endEvents: () => undefined,
  })
  let isBroken = true
  const current = createCurrentPortal(
    makePortal('first'),
    () => (isBroken ? Promise.reject(new Error('no database')) : Promise.resolve(makePortal('second'))),
    silentLog,
  )
  current.get().start()
  await current.replace()
  expect([current.get().name, running]).toEqual(['first', ['first']])
  isBroken = false
  await current.replace()
  expect([current.get().name, running]).toEqual(['second', ['second']])
})

test('data erased right after a backup is gone from all backups and their media within seven days', async () => {
  const clock = manualClock(START_MS)
  const store = await openFolderStore(path.join(dataDir, 'media'), clock.now)
  const [photo, other] = [await store.put(Buffer.from('foto')), await store.put(Buffer.from('outra'))]
  let words = 'Marina'
  const backups = createBackups(
    source(() => words),
    { clock, log: silentLog, keep: 7, isDaily: true },
  )
  const stop = backups.start()
  const pass = async (ms: number) => {
    clock.advance(ms)
    await backups.settled()
  }
  await pass(10 * 60_000)
  words = 'ninguém'
  const erasedAtMs = clock.now()
  await pass(120_000)
  expect(await store.remove(photo)).toBe(true)
  const beside = () => mediaIn(path.join(folder, 'media'))
  expect((await beside()).toSorted()).toEqual([photo, other].toSorted())
  while (clock.now() + 10 * 60_000 <= erasedAtMs + 7 * DAY_MS) await pass(10 * 60_000)
  await stop()
  expect(await beside()).toEqual([other])
  const stored = await listBackups(folder)
  expect(stored).toHaveLength(7)
  for (const { file } of stored) expect((await opened(file)).words).toBe('ninguém')
}, 60_000)
