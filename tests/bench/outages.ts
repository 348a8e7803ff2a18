// `npm run bench -- outages [minutes]`: twelve people work at the built portal while it is stopped and started, its
// disk fills, and its connections to Postgres fall silent. Measures what each of them saw, in seconds, and that nothing
// is lost or doubled.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { freePort } from '#tests/support/free-port.mjs'
import { call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'
import { openSilentWay } from '#tests/support/silent-way.ts'
import type { Engine } from './engines.ts'
import { rest } from './http.ts'
import { median, type Measure } from './measure.ts'
import { beginPerson, type Lead, type Person } from './outages-people.ts'

const PEOPLE = 12
const LEADS_OF_ONE = 10
/** Enough for a new database and five minutes of work; the rest is filled. */
const DISK = '1200m'
const FULL_MS = 20_000
/** Each outage begins at this fraction of the time. */
const BEGINS = [0.2, 0.45, 0.7]
/**
 * The longest that one person may wait for an acknowledged move or the next live event; of a full disk, beyond its
 * time.
 */
const MOST_S = { stop: 20, full: 30, silent: 15 }

type Outage = { name: string; limitS: number; cause: () => Promise<void> }

/** `make` finds a small disk of its own as the temporary folder. */
export async function measureOutages(
  make: () => Promise<Engine | null>,
  minutes: number,
): Promise<Measure[]> {
  const disk = await mkdtemp(path.join(tmpdir(), 'portal-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'none', disk])
  try {
    const engine = await onDisk(disk, make)
    if (!engine) return []
    try {
      return await measureOn(engine, { disk, minutes })
    } finally {
      await engine.remove()
    }
  } finally {
    execFileSync('umount', ['-l', disk])
    await rm(disk, { recursive: true })
  }
}

async function onDisk<T>(disk: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = disk
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

async function measureOn(engine: Engine, { disk, minutes }: { disk: string; minutes: number }) {
  await (await startPortal(engine.dataDir, engine.env)).process.kill('SIGTERM')
  await engine.withDatabase((db) => fillBoard(db, PEOPLE * LEADS_OF_ONE, { hasMessages: false }))
  const url = engine.env['DATABASE_URL']
  const way = url === undefined ? null : await openSilentWay(url)
  const port = String(await freePort())
  const start = () =>
    startPortal(engine.dataDir, { ...engine.env, ...(way && { DATABASE_URL: way.url }), PORT: port })
  let portal: RunningPortal = await start()
  const outages: Outage[] = [
    {
      name: 'a stop and a start',
      limitS: MOST_S.stop,
      cause: async () => {
        await portal.process.kill('SIGTERM')
        portal = await start()
      },
    },
    { name: `a full disk of ${FULL_MS / 1000} s`, limitS: MOST_S.full, cause: () => fillFor(disk, FULL_MS) },
    ...(way
      ? [{ name: 'silent connections', limitS: MOST_S.silent, cause: () => Promise.resolve(way.silence()) }]
      : []),
  ]
  try {
    const token = await signIn(portal.origin, BROKER.email, BROKER.password)
    const { body: leads } = await call<Lead[]>(
      `${portal.origin}/rest/v1/whatsapp_contacts?select=id,number,status&order=id`,
      { token },
    )
    const beganAtMs = performance.now()
    const people = Array.from({ length: PEOPLE }, (_, at) =>
      beginPerson(
        portal.origin,
        token,
        leads.filter(({ id }) => id % PEOPLE === at),
      ),
    )
    const at = (part: number) => beganAtMs + part * minutes * 60_000
    for (const [turn, { cause }] of outages.entries()) {
      await rest(at(BEGINS[turn]!) - performance.now())
      await cause()
    }
    await rest(at(1) - performance.now())
    const moved = (await Promise.all(people.map((person) => person.end()))).flat()
    const measures = [
      ...seenIn(engine, people, { name: 'no outage', from: beganAtMs, to: at(BEGINS[0]!) }),
      ...outages.flatMap(({ name, limitS }, turn) => {
        const to = at(turn + 1 < outages.length ? BEGINS[turn + 1]! : 1)
        return seenIn(engine, people, { name, limitS, from: at(BEGINS[turn]!), to })
      }),
    ]
    await portal.process.kill('SIGTERM')
    return [...measures, ...(await countedOn(engine, moved))]
  } finally {
    await portal.process.kill('SIGKILL')
    await way?.close()
  }
}

async function fillFor(disk: string, ms: number) {
  const file = path.join(disk, 'filling')
  for (let megabytes = 128; megabytes >= 0.01; megabytes /= 2)
    for (;;) {
      const isFull = await writeFile(file, Buffer.alloc(megabytes * 1_000_000), { flag: 'a' }).then(
        () => false,
        () => true,
      )
      if (isFull) break
    }
  await rest(ms)
  await rm(file)
}

/** The longest waits of each person; printed for all, and as their median and maximum. */
function seenIn(
  { name: engine }: Engine,
  people: readonly Person[],
  { name, limitS, from, to }: { name: string; limitS?: number; from: number; to: number },
): Measure[] {
  return (['move', 'event'] as const).flatMap((what): Measure[] => {
    const seconds = people.map((person) => person.longestMs(what, from, to) / 1_000)
    const named = `${engine}: ${name}, the longest wait for ${what === 'move' ? 'an acknowledged move' : 'the next live event'}`
    console.log(`${named}, each person: ${seconds.map((one) => one.toFixed(1)).join(' ')} s`)
    return [
      { name: `${named}: median of ${people.length} people`, value: median(seconds), unit: 's' },
      {
        name: `${named}: of all`,
        value: Math.max(...seconds),
        unit: 's',
        ...(limitS !== undefined && { limit: limitS }),
      },
    ]
  })
}

async function countedOn(engine: Engine, moved: readonly string[]): Promise<Measure[]> {
  let lost = 0
  let doubled = 0
  await engine.withDatabase(async (db) => {
    const { rows } = await db.query<{ id: string; times: number }>(
      `select operation_id as id, count(*) as times from portal.stage_history where operation_id = any($1::uuid[]) group by 1`,
      [moved],
    )
    lost = moved.length - rows.length
    doubled = rows.filter(({ times }) => times > 1).length
  })
  return [
    { name: `${engine.name}: moves acknowledged`, value: moved.length, unit: '' },
    { name: `${engine.name}: of them lost`, value: lost, unit: '', limit: 0 },
    { name: `${engine.name}: of them doubled`, value: doubled, unit: '', limit: 0 },
  ]
}
