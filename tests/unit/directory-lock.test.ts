import { spawnSync } from 'node:child_process'
import type * as Fs from 'node:fs'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isLocked, lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { manualClock } from '#tests/support/clock.ts'

/** Runs once at this exact moment, as a second process would. */
const { meanwhile, disk } = vi.hoisted(() => ({
  disk: { isLinkless: false },
  meanwhile: { written: (): void => undefined, renamed: (): void => undefined },
}))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>()
  const once = (name: keyof typeof meanwhile) => {
    const act = meanwhile[name]
    meanwhile[name] = () => undefined
    act()
  }
  return {
    ...fs,
    // A file exists before it has content.
    writeFileSync: (file: string, text: string, options?: object) => {
      fs.writeFileSync(file, '', options)
      once('written')
      fs.writeFileSync(file, text)
    },
    linkSync: (from: string, to: string) => {
      if (disk.isLinkless) throw Object.assign(new Error('no links here'), { code: 'EPERM' })
      fs.linkSync(from, to)
    },
    renameSync: (from: string, to: string) => {
      once('renamed')
      fs.renameSync(from, to)
    },
  }
})

let directory = ''
let folder = ''
beforeEach(() => {
  disk.isLinkless = false
  folder = mkdtempSync(path.join(tmpdir(), 'portal-lock-'))
  directory = path.join(folder, 'database')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A lock whose clock stands still, so that it writes no heartbeat after the test. */
const lock = (of: string) => lockDirectory(of, { clock: manualClock() })

test('one owner at a time, the next after the release', () => {
  const release = lock(directory)
  expect(() => lock(directory)).toThrow(
    expect.objectContaining({
      code: 'data-dir.in-use',
      message: expect.stringContaining(`processo ${process.pid}`),
    }),
  )
  release()
  lock(directory)()
  expect(existsSync(`${directory}.lock`)).toBe(false)
})

test('the lock of a dead owner is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid, startedAt: '1' }))
  expect(() => lock(directory)()).not.toThrow()
})

test.runIf(existsSync('/proc/self/stat'))('a process id that another process reused is no owner', () => {
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid: process.pid, startedAt: '1' }))
  expect(() => lock(directory)()).not.toThrow()
})

test.each(['', '{', '[]', '{"pid":"x"}'])('a lock truncated by a crash (%j) is taken over', (content) => {
  writeFileSync(`${directory}.lock`, content)
  expect(() => lock(directory)()).not.toThrow()
})

test("a late release keeps the new owner's lock", () => {
  const release = lock(directory)
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid: 1, startedAt: null }))
  release()
  expect(existsSync(`${directory}.lock`)).toBe(true)
})

test("of two processes that see a dead owner's lock, one takes it", () => {
  writeFileSync(`${directory}.lock`, '{}')
  meanwhile.renamed = () => void lock(directory)
  expect(() => lock(directory)).toThrow(expect.objectContaining({ code: 'data-dir.in-use' }))
  expect(() => lock(directory)).toThrow(expect.objectContaining({ code: 'data-dir.in-use' }))
})

test('a lock that is just being written does not count as truncated', () => {
  meanwhile.written = () => void lock(directory)
  expect(() => lock(directory)).toThrow(expect.objectContaining({ code: 'data-dir.in-use' }))
  expect(readdirSync(folder)).toEqual(['database.lock'])
})

test('one owner at a time on a disk without hard links, too', () => {
  disk.isLinkless = true
  const release = lock(directory)
  expect(() => lock(directory)).toThrow(expect.objectContaining({ code: 'data-dir.in-use' }))
  release()
  expect(readdirSync(folder)).toEqual([])
})

describe('a portal in another container, whose process numbers mean nothing here', () => {
  const file = () => `${directory}.lock`
  /** A lock of another process whose last heartbeat is `ageMs` old. */
  function placeForeign(ageMs: number) {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, startedAt: '1', where: 'another pid:[1]' }))
    const then = (Date.now() - ageMs) / 1000
    utimesSync(file(), then, then)
  }

  test('holds the lock while it beats', () => {
    placeForeign(10_000)
    expect(isLocked(directory)).toBe(true)
    expect(() => lock(directory)).toThrow(
      expect.objectContaining({
        code: 'data-dir.in-use',
        message: expect.stringMatching(/em outro contêiner ou computador.+em 15 segundos\.$/),
      }),
    )
  })

  test('loses the lock once it beats no more', () => {
    placeForeign(20_000)
    expect(isLocked(directory)).toBe(false)
    expect(() => lock(directory)()).not.toThrow()
  })

  test('finds ours beating, and ends ours when it takes the lock', () => {
    const clock = manualClock()
    let lost = 0
    const release = lockDirectory(directory, { clock, onLost: () => lost++ })
    utimesSync(file(), 1, 1)
    clock.advance(5_000)
    expect(statSync(file()).mtimeMs).toBeGreaterThan(1_000)
    expect(lost).toBe(0)
    rmSync(file())
    placeForeign(0)
    clock.advance(5_000)
    expect(lost).toBe(1)
    release()
    expect(readFileSync(file(), 'utf8')).toContain('another')
  })
})

test('a lock file that somebody deleted is placed again', () => {
  const clock = manualClock()
  const onLost = vi.fn<() => void>()
  const release = lockDirectory(directory, { clock, onLost })
  rmSync(`${directory}.lock`)
  clock.advance(5_000)
  utimesSync(`${directory}.lock`, 1, 1)
  clock.advance(5_000)
  expect(statSync(`${directory}.lock`).mtimeMs).toBeGreaterThan(1_000)
  release()
  expect([readdirSync(folder), onLost.mock.calls]).toEqual([[], []])
})

test('a disk that is away for a while ends nobody: the lock is placed again', () => {
  const clock = manualClock()
  const onLost = vi.fn<() => void>()
  const release = lockDirectory(directory, { clock, onLost })
  rmSync(folder, { recursive: true })
  clock.advance(5_000)
  mkdirSync(folder)
  clock.advance(5_000)
  expect([isLocked(directory), onLost.mock.calls]).toEqual([true, []])
  release()
})
