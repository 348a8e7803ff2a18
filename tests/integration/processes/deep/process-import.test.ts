// kill -9 during an import, and during its undo: the next start continues, and no lead is lost, doubled, or left over.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { openDataFolder } from '#tests/support/data-folder.ts'

const ROWS = 1_500
const AT_ONCE = 500

type State = {
  id: string
  state: string
  total: number
  received: number
  added: number
  undone: number
  leftIn: number
}

let portal: RunningPortal | undefined
const { open, start: startPortal } = await openDataFolder('import')

async function start() {
  portal = await startPortal()
  const { origin, process } = portal
  const token = await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)
  const ask = async (address: string, body?: object) => {
    const answer = await call<{ imports: State[] }>(`${origin}/api/imports${address}`, {
      token,
      ...(body && { body }),
    })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const until = (holds: (one: State) => boolean) =>
    eventually(async () => {
      const [one] = (await ask('')).imports
      expect(one && holds(one)).toBe(true)
      return one
    })
  return { ask, until, kill: () => process.kill('SIGKILL') }
}

test('an import and its undo continue after each kill', async () => {
  const id = randomUUID()
  const rows = Array.from({ length: ROWS }, (_, n) => [n + 2, `Lead ${n}`, `119${60_000_000 + n}`])
  const sending = await start()
  await sending.ask('', { id, fileName: 'lista.csv', total: ROWS, destination: 'inbox' })
  await sending.ask(`/${id}/rows`, { rows: rows.slice(0, AT_ONCE) })
  await sending.kill()

  // The screen repeats every unanswered request.
  const taking = await start()
  for (let from = 0; from < ROWS; from += AT_ONCE)
    await taking.ask(`/${id}/rows`, { rows: rows.slice(from, from + AT_ONCE) })
  await taking.until(({ added }) => added > 0)
  await taking.kill()

  const undoing = await start()
  expect(await undoing.until(({ state }) => state === 'finished')).toMatchObject({
    received: ROWS,
    added: ROWS,
  })
  await undoing.ask(`/${id}/undo`, {})
  await undoing.until(({ undone }) => undone > 0)
  await undoing.kill()

  const last = await start()
  expect(await last.until(({ state }) => state === 'undone')).toMatchObject({ undone: ROWS, leftIn: 0 })
  await last.kill()
  portal = undefined
  const db = await open()
  const { rows: left } = await db.query(
    'select (select count(*) from public.whatsapp_contacts) as leads, (select count(*) from portal.people) as people',
  )
  await db.close()
  expect(left).toEqual([{ leads: 0, people: 0 }])
}, 300_000)
