// Starting and stopping as operators do: the first start, one cut short, signals.
import { existsSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, signIn } from '#tests/support/portal.ts'
import { useStarts } from '#tests/support/starts.ts'

const { inDataDir, begin, start, prepareDatabase } = useStarts()

test('says the first administrator’s password once, and keeps it as a hash only', async () => {
  const first = await start({ ADMIN_PASSWORD: '' })
  const [, password = ''] = await first.process.says(/\/panel {3}admin, senha (\S+)/)
  await signIn(first.origin, 'admin@admin.local', password)
  const { code, errors } = await first.process.kill('SIGTERM')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })

  const second = await start({ ADMIN_PASSWORD: '' })
  await signIn(second.origin, 'admin@admin.local', password)
  const { output } = await second.process.kill('SIGTERM')
  expect(output).toBe(`Portal do Corretor em ${second.origin}\n`)
}, 180_000)

test('one cut short at any point is simply run again', async () => {
  for (const sign of ['database.new', 'database']) {
    const portal = begin()
    await appears(inDataDir(sign))
    await portal.kill('SIGKILL')
  }
  const { origin } = await start()
  expect(await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)).not.toBe('')
}, 180_000)

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it in order and frees its folder', async (signal) => {
  await prepareDatabase()
  const { process: portal } = await start()
  expect(await portal.kill(signal)).toMatchObject({ code: 0, errors: '' })
  expect(await readdir(inDataDir())).not.toContain('database.lock')
})

/** Looks now and whenever the folder changes; the watch begins before the first look, so that nothing is missed. */
function appears(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(path.dirname(file), look)
    look()
    function look() {
      if (!existsSync(file)) return
      watcher.close()
      resolve()
    }
  })
}
