// Starting and stopping: the first start, an interrupted one, signals.
import { existsSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { ADMIN_PASSWORD, signIn } from '#tests/support/portal.ts'
import { useStarts } from '#tests/support/starts.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { inDataDir, begin, start, prepareDatabase } = useStarts()

test('prints the first administrator’s password once, and stores only its hash; SIGTERM and SIGINT stop it properly', async () => {
  await prepareDatabase()
  const first = await start({ ADMIN_PASSWORD: '' })
  const [, password = ''] = await first.process.says(/\/panel {3}admin, senha (\S+)/)
  await signIn(first.origin, 'admin@admin.local', password)
  const { code, errors } = await first.process.kill('SIGTERM')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(await readdir(inDataDir())).not.toContain('database.lock')

  const second = await start({ ADMIN_PASSWORD: '' })
  await signIn(second.origin, 'admin@admin.local', password)
  expect(await second.process.kill('SIGINT')).toMatchObject({
    code: 0,
    errors: '',
    output: `Portal do Corretor em ${second.origin}\n`,
  })
  expect(await readdir(inDataDir())).not.toContain('database.lock')
}, 180_000)

test.runIf(isDeepRun)(
  'an interrupted start can simply be repeated',
  async () => {
    for (const sign of ['database.new', 'database']) {
      const portal = begin()
      await appears(inDataDir(sign))
      await portal.kill('SIGKILL')
    }
    const { origin } = await start()
    expect(await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)).not.toBe('')
  },
  180_000,
)

// Real waits, some twenty seconds.
describe.runIf(isDeepRun)('while the embedded engine hangs', () => {
  /** Never ends, and reports its start with a file in the engine's folder. */
  const HANGING = `create or replace function portal.keep_intakes(p_arrivals jsonb)
    returns setof jsonb language plpgsql volatile security definer set search_path = '' as $$
    begin
      execute format('copy (select 1) to %L', current_setting('data_directory') || '/hanging');
      loop end loop;
    end $$`

  test('SIGTERM stops it within its limits, and loses nothing', async () => {
    await prepareDatabase()
    const db = await openPglite({ dataDir: inDataDir('database') })
    await db.exec(HANGING)
    await db.query(`insert into portal.settings (key, value) values ('kept', '1')`)
    await db.close()
    const { origin, process: portal } = await start()
    const asked = fetch(`${origin}/api/leads?key=x`, { method: 'POST', body: '{}' }).catch(() => null)
    await appears(inDataDir('database', 'hanging'))
    const askedMs = performance.now()
    expect(await portal.kill('SIGTERM')).toMatchObject({ code: 0 })
    // Requests and workers within one limit, and the engine within its own.
    expect(performance.now() - askedMs).toBeLessThan(20_000)
    await asked
    expect(await readdir(inDataDir())).not.toContain('database.lock')
    const again = await openPglite({ dataDir: inDataDir('database') })
    const { rows } = await again.query(`select from portal.settings where key = 'kept'`)
    await again.close()
    expect(rows).toHaveLength(1)
  }, 120_000)
})

/** Checks now and whenever the folder changes; watching begins before the first check, so that nothing is missed. */
function appears(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(path.dirname(file), poll)
    poll()
    function poll() {
      if (!existsSync(file)) return
      watcher.close()
      resolve()
    }
  })
}
