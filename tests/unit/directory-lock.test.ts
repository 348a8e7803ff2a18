import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDirectory } from '#server/db/directory-lock.ts'

let directory = ''
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'portal-lock-'))
  directory = path.join(folder, 'database')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('one owner at a time, the next after the release', () => {
  const release = lockDirectory(directory)
  expect(() => lockDirectory(directory)).toThrow(
    expect.objectContaining({
      code: 'data-dir.in-use',
      message: expect.stringContaining(`processo ${process.pid}`),
    }),
  )
  release()
  lockDirectory(directory)()
  expect(existsSync(`${directory}.lock`)).toBe(false)
})

test('a lock whose owner died is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid, startedAt: '1' }))
  expect(() => lockDirectory(directory)()).not.toThrow()
})

test.runIf(existsSync('/proc/self/stat'))(
  'a process number used again by another process is no owner',
  () => {
    writeFileSync(`${directory}.lock`, JSON.stringify({ pid: process.pid, startedAt: '1' }))
    expect(() => lockDirectory(directory)()).not.toThrow()
  },
)

test.each(['', '{', '[]', '{"pid":"x"}'])('a lock cut short by a crash (%j) is taken over', (content) => {
  writeFileSync(`${directory}.lock`, content)
  expect(() => lockDirectory(directory)()).not.toThrow()
})

test('a release that comes late leaves the new owner its lock', () => {
  const release = lockDirectory(directory)
  writeFileSync(`${directory}.lock`, JSON.stringify({ pid: 1, startedAt: null }))
  release()
  expect(existsSync(`${directory}.lock`)).toBe(true)
})
