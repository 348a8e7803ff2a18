// kill -9 while a feed is read from a file and from its address, taken over, and its photos fetched: the next starts
// continue, and in the end everything is as after an undisturbed run, once.
import { request } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { ENGINES, openFolderOn } from '#tests/support/data-folder.ts'
import { eventually } from '#tests/support/eventually.ts'
import { feedOf, type FeedItem } from '#tests/support/feed.ts'
import { openLoopback } from '#tests/support/loopback.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'

const LISTINGS = 1_200
const PHOTOS = 4
/** How often the portal is killed during each reading, and while it fetches photos. */
const killsOf = (isDisturbed: boolean) => (isDisturbed ? 2 : 0)
/** After the request; the first come before the database has answered. */
const APPLY_KILLS_MS = [0, 15, 60, 200]
const BASE = '/api/developments/feed'
const PATIENCE_MS = 120_000

type Run = { id: number; state: string; total: number }
type State = { run: Run | null; runs: Run[]; photos: { stored: number; waiting: number; failed: number } }

const server = await openLoopback()
afterAll(() => server.close())

const listing = (n: number): FeedItem => ({
  code: `AP-${n}`,
  title: `Apartamento ${n}`,
  ...(n % 3 === 0 && { development: `Reserva ${n % 60}` }),
})
const FIRST = feedOf(Array.from({ length: LISTINGS }, (_, n) => listing(n)))
/** A sixth is gone, a sixth is new, every tenth has another price. */
const SECOND = feedOf(
  Array.from({ length: LISTINGS }, (_, n) => n + LISTINGS / 6).map((n) => ({
    ...listing(n),
    ...(n % 10 === 0 && { price: '610000' }),
  })),
)
const THIRD = feedOf(
  Array.from({ length: LISTINGS }, (_, n) => ({
    ...listing(n),
    price: '590000',
    ...(n < PHOTOS && { photos: [`${server.url}/foto-${n}.jpg`] }),
  })),
)

let folder: Awaited<ReturnType<typeof openFolderOn>>
let portal: RunningPortal
let token = ''

async function start() {
  portal = await folder.start({ WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' })
  token = await signIn(portal.origin, 'admin@admin.local', ADMIN_PASSWORD)
}

/** Kills the portal and starts it again, a while later. */
async function killAndStart() {
  await portal.process.kill('SIGKILL')
  const db = await folder.open()
  await db.exec(
    `update portal.feed_runs set seen_at = seen_at - interval '2 minutes' where state = 'reading';
     update portal.listing_photos set next_at = now() where next_at is not null`,
  )
  await db.close()
  await start()
}

const ask = async <T>(address: string, body?: object) => {
  const answer = await call<T>(portal.origin + BASE + address, { token, ...(body && { body }) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const state = () => ask<State>('')
const until = (holds: (now: State) => boolean) =>
  eventually(async () => {
    const now = await state()
    expect(holds(now), JSON.stringify(now)).toBe(true)
    return now
  }, PATIENCE_MS)

/** Sends the file; with a `share` below one it stops there and stays open. */
function send(file: string, share = 1): Promise<Run | null> {
  const bytes = Buffer.from(file)
  const headers = { authorization: `Bearer ${token}`, 'content-length': bytes.length }
  return new Promise((resolve) => {
    const sent = request(`${portal.origin}${BASE}/file`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.once('end', () => resolve(JSON.parse(text) as Run))
    })
    sent.once('error', () => resolve(null))
    if (share < 1) sent.write(bytes.subarray(0, bytes.length * share))
    else sent.end(bytes)
  })
}

const isHalfRead = ({ run }: State) => run?.state === 'reading' && run.total > 0

async function readFile(file: string, isDisturbed: boolean) {
  for (let left = killsOf(isDisturbed); left > 0; left--) {
    const sent = send(file, 0.6)
    await until(isHalfRead)
    await killAndStart()
    await sent
    await until(({ run, runs }) => run?.state !== 'reading' && runs[0]?.state === 'failed')
  }
  expect(await send(file)).toMatchObject({ state: 'waiting' })
}

/** The administrator asks for it once; a killed reading begins again by itself. */
async function readAddress(file: string, isDisturbed: boolean) {
  let left = killsOf(isDisturbed)
  const bytes = Buffer.from(file)
  server.answer = (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length })
    if (left > 0) response.write(bytes.subarray(0, bytes.length * 0.6))
    else response.end(bytes)
  }
  const saved = await fetch(portal.origin + BASE, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ address: `${server.url}/feed.xml`, isHourly: false }),
  })
  expect(saved.status).toBe(200)
  await ask('/read', {})
  while (left > 0) {
    await until(isHalfRead)
    left--
    await killAndStart()
  }
  await until(({ run }) => run?.state === 'waiting')
}

/** Whoever got no answer looks again, and applies what still waits. */
async function apply(isDisturbed: boolean) {
  for (const afterMs of isDisturbed ? APPLY_KILLS_MS : []) {
    const { run } = await state()
    if (run === null) return
    expect(run.state).toBe('waiting')
    const sent = ask(`/runs/${run.id}/apply`, { except: [] }).catch(() => null)
    await systemClock.sleep(afterMs)
    await killAndStart()
    await sent
  }
  const { run } = await state()
  if (run) await ask(`/runs/${run.id}/apply`, { except: [] })
}

/** Takes over the feed with photos. Their server answers nothing until the last kill. */
async function takeWithPhotos(isDisturbed: boolean) {
  let left = killsOf(isDisturbed)
  let isAsked: () => void = () => undefined
  const photo = (number: string) =>
    sharp({ create: { width: 400, height: 300, channels: 3, background: `#${number.padEnd(6, '5')}` } })
      .jpeg()
      .toBuffer()
  server.answer = ({ url = '' }, response) => {
    if (left > 0) isAsked()
    else void photo(/\d+/.exec(url)?.[0] ?? '').then((bytes) => response.writeHead(200).end(bytes))
  }
  await readFile(THIRD, false)
  await apply(isDisturbed)
  for (; left > 0; left--) {
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    await killAndStart()
    await asked
  }
  // What the last kill left open is due after a start.
  await killAndStart()
  await until(({ photos }) => photos.stored === PHOTOS && photos.waiting === 0)
}

/** Everything that the readings left, without ids and times. */
async function play(isDisturbed: boolean) {
  await start()
  await readFile(FIRST, isDisturbed)
  await apply(isDisturbed)
  await readAddress(SECOND, isDisturbed)
  await apply(isDisturbed)
  await takeWithPhotos(isDisturbed)
  await portal.process.kill('SIGTERM')
  const db = await folder.open()
  const read = async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows
  const left = {
    listings: await read(
      `select to_jsonb(l) - array['id', 'development_id', 'first_seen_at', 'changed_at', 'left_feed_at', 'priced_on']
         || jsonb_build_object('development', d.name, 'has_left', l.left_feed_at is not null) as listing
       from public.listings l left join public.developments d on d.id = l.development_id order by l.code`,
    ),
    developments: await read('select name, district, city from public.developments order by name'),
    photos: await read(
      `select l.code, p.place, p.media_id, p.thumb_id, p.size_bytes, p.fault
       from portal.listing_photos p join public.listings l on l.id = p.listing_id order by l.code, p.place`,
    ),
    changes: await read('select code from portal.feed_changes'),
    applied: await read(
      `select details ->> 'count' as count from portal.audit_log where action = 'feed.applied' order by id`,
    ),
    runs: await read(
      `select source, state, added, changed, gone, applied from portal.feed_runs
       where state <> 'failed' order by id`,
    ),
  }
  await db.close()
  return left
}

describe.each(ENGINES)('%s', (engine) => {
  beforeAll(async () => {
    folder = await openFolderOn(engine, 'feed')
  })
  afterAll(() => folder?.close())

  test('killed again and again, a feed is taken over as without a kill', { timeout: 900_000 }, async () => {
    const disturbed = await play(true)
    await folder.close()
    folder = await openFolderOn(engine, 'feed')
    const undisturbed = await play(false)
    expect(undisturbed.listings).toHaveLength(LISTINGS + LISTINGS / 6)
    expect(disturbed).toEqual(undisturbed)
  })
})
