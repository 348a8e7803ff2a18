// The built portal as on the internet: two processes over one Postgres with Supabase's setup, without a superuser, over
// TLS and through a pooler. Both share all state, and no restart of a portal or the server loses anything.
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginWork, expectWhole, until } from '#tests/support/agency-work.ts'
import { openAgency, type Agency, type Place } from '#tests/support/agency.ts'
import { BROKER } from '#tests/support/board.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { hearEvents } from '#tests/support/live-events.ts'
import { ADMIN_PASSWORD, call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { expectAllTaken, startReceiver } from '#tests/support/receiver.ts'
import { postgresPrograms } from '#tests/support/supabase-like.ts'
import { readSchemaFiles } from '#server/db/schema/files.ts'

const LEADS = 40
/** How often every lead is moved while another system waits for events. */
const MOVES = 10
const OTHER: Record<Place, Place> = { straight: 'pooled', pooled: 'straight' }

type Session = { access_token: string; refresh_token: string }
type Health = { status: string; database: string }

let agency: Agency
/** The administrator signs in before the test counts wrong passwords. */
let adminToken = ''
const at = (place: Place) => agency.portals[place].origin
const enter = (place: Place) => signIn(at(place), BROKER.email, BROKER.password)
const grant = (place: Place, kind: string, body: object) =>
  call<Session & { error_code?: string }>(`${at(place)}/auth/v1/token?grant_type=${kind}`, { body })
const board = (place: Place, token: string) =>
  call<{ id: number }[]>(`${at(place)}/rest/v1/whatsapp_contacts?select=id&order=id`, { token })
const listen = async (place: Place, token: string) =>
  hearEvents(await fetch(`${at(place)}/api/events`, { headers: { authorization: `Bearer ${token}` } }))

describe.runIf(postgresPrograms)('two portals on one Postgres', () => {
  beforeAll(async () => {
    agency = await openAgency(LEADS)
  })
  afterAll(() => agency?.close())

  test('both started at once on an empty project: one schema, one administrator, no database of their own', async () => {
    for (const place of ['straight', 'pooled'] as const) {
      expect(await call<Health>(`${at(place)}/api/health`)).toMatchObject({
        status: 200,
        body: { database: 'ok' },
      })
      expect(await readdir(path.join(agency.dataDir, place))).not.toContain('database')
      adminToken = await signIn(at(place), 'admin@admin.local', ADMIN_PASSWORD)
    }
    const { rows } = await agency.db.query(
      `select (select count(*) from portal.accounts where role = 'admin') as admins,
         (select count(*) from supabase_migrations.schema_migrations) as applied,
         (select rolsuper from pg_roles where rolname = current_user) as is_super`,
    )
    const { steps } = await readSchemaFiles('supabase')
    expect(rows).toEqual([{ admins: 1, applied: 1 + steps.length, is_super: false }])
  })

  test('a session of one is a session of the other, until either ends it', async () => {
    const first = await grant('straight', 'password', { email: BROKER.email, password: BROKER.password })
    const second = await grant('pooled', 'refresh_token', { refresh_token: first.body.refresh_token })
    const third = await grant('straight', 'refresh_token', { refresh_token: second.body.refresh_token })
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect((await board('pooled', third.body.access_token)).body).toHaveLength(LEADS)

    // A token two rotations old counts as stolen, at either portal.
    const stolen = await grant('pooled', 'refresh_token', { refresh_token: first.body.refresh_token })
    expect(stolen).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used' } })
    expect((await board('straight', third.body.access_token)).status).toBe(401)

    const token = await enter('straight')
    expect((await board('pooled', token)).status).toBe(200)
    expect((await call(`${at('straight')}/auth/v1/logout`, { token, body: {} })).status).toBe(204)
    expect((await board('pooled', token)).status).toBe(401)
    expect((await call(`${at('pooled')}/api/events`, { token })).status).toBe(401)
  })

  test('wrong passwords are counted together', async () => {
    const wrong = { email: 'admin@admin.local', password: 'errada-de-novo' }
    const tried: number[] = []
    for (const place of ['straight', 'pooled', 'pooled', 'straight', 'pooled', 'straight'] as const)
      tried.push((await grant(place, 'password', wrong)).status)
    expect(tried).toEqual([400, 400, 400, 400, 400, 429])
  })

  test.each(['straight', 'pooled'] as const)('a report to one is live at the other: %s', async (place) => {
    const token = await enter(place)
    const events = await listen(OTHER[place], token)
    await events.until(({ kind }) => kind === 'gap')
    const answer = await fetch(at(place) + agency.webhook, {
      method: 'POST',
      body: JSON.stringify(upsert({ id: `LIVE-${place}` })),
    })
    expect(answer.status).toBe(200)
    await events.until((event) => event.kind === 'board' && event.instanceName === BROKER.instance)
    await events.close()
  })

  test(
    'a campaign continues at the other when one is killed: each contact gets it at most once',
    { timeout: 180_000 },
    async () => {
      const token = await enter('straight')
      const { rows: contacts } = await agency.db.query<{ id: number }>(
        `select id from public.whatsapp_contacts where status = 'new'`,
      )
      const started = await call(`${at('straight')}/api/campaigns`, {
        token,
        body: { operationId: randomUUID(), stage: 'new', message: '{nome}' },
      })
      expect(started.status).toBe(200)
      await until(async () => (await agency.delivered()).length >= contacts.length / 3)
      await agency.portals.straight.process.kill('SIGKILL')
      // The killed portal's lease would expire in half a minute.
      await agency.db.query('update portal.send_queues set leased_until = now()')
      type Recipient = { body: string; state: string }
      const recipients = async () =>
        (await call<Recipient[]>(`${at('pooled')}/rest/v1/campaign_recipients?select=body,state`, { token }))
          .body
      await until(async () =>
        (await recipients()).every(({ state }) => state === 'sent' || state === 'unknown'),
      )
      const rows = await recipients()
      const texts = await agency.delivered()
      const bodiesOf = (wanted: string) => rows.flatMap(({ body, state }) => (state === wanted ? [body] : []))
      expect(rows).toHaveLength(contacts.length)
      expect(new Set(texts).size).toBe(texts.length)
      expect(bodiesOf('sent').filter((body) => !texts.includes(body))).toEqual([])
      expect(bodiesOf('unknown').length).toBeLessThanOrEqual(1)
      await agency.start('straight')
    },
  )

  test(
    'restarted in turn under load: nothing answered is lost or doubled',
    { timeout: 180_000 },
    async () => {
      const token = await enter('straight')
      const work = beginWork(agency, token)
      for (const place of ['straight', 'pooled'] as const) {
        const leaving = agency.portals[place]
        const events = await listen(place, token)
        await work.isFurther()
        const ending = leaving.process.kill('SIGTERM')
        expect(await events.toEnd()).toMatch(/retry: 1000\n\n$/)
        const { code, errors } = await ending
        expect(code).toBe(0)
        expect(errors).not.toContain('"level":"error"')
        await work.isFurther()
        await agency.start(place)
      }
      await work.isFurther()
      await expectWhole(agency, await work.end())
    },
  )

  test(
    'the server restarts under them: nothing answered is lost, health reports it, and live events come back',
    { timeout: 180_000 },
    async () => {
      const token = await enter('straight')
      const heard = await listen('pooled', token)
      await heard.until(({ kind }) => kind === 'gap')
      const work = beginWork(agency, token)
      await work.isFurther()
      await agency.postgres.restart(async () => {
        for (const place of ['straight', 'pooled'] as const) {
          expect(await health(agency.portals[place])).toMatchObject({
            status: 503,
            body: { status: 'degraded', database: 'down' },
          })
          const report = JSON.stringify(upsert({ id: `GONE-${place}` }))
          expect((await fetch(at(place) + agency.webhook, { method: 'POST', body: report })).status).toBe(503)
          expect((await board(place, token)).status).toBe(503)
          expect((await call(`${at(place)}/api/instance`, { token })).status).toBe(503)
        }
      })
      await until(async () => (await health(agency.portals.straight)).status === 200)
      await until(async () => (await health(agency.portals.pooled)).status === 200)
      // A stream whose session could not be checked meanwhile was ended; the app reopens it.
      const again = await heard
        .until(({ kind }) => kind === 'gap')
        .then(
          () => heard,
          () => listen('pooled', token),
        )
      await work.isFurther()
      await again.until(({ kind }) => kind === 'board')
      await again.close()
      await expectWhole(agency, await work.end())
    },
  )

  test(
    'the server restarts while events wait and are being sent: none lost, each lead’s in order, repeats with their id',
    { timeout: 180_000 },
    async () => {
      let asked = 0
      let answerAll: (status: number) => void = () => undefined
      const answered = new Promise<number>((resolve) => (answerAll = resolve))
      const receiver = await startReceiver(() => {
        asked++
        return answered
      })
      const hookId = await receiver.join(at('straight'), adminToken)
      let moved = 0
      for (let move = 0; move < MOVES; move++) {
        const { rowCount } = await agency.db.query(
          `update public.whatsapp_contacts set status = case status when 'new' then 'conversa' else 'new' end`,
        )
        moved += rowCount
      }
      // As many as a portal sends at once.
      await until(() => Promise.resolve(asked >= 16))
      await agency.postgres.restart(async () => {
        // Accepted while the result cannot be stored.
        answerAll(204)
        await until(() => Promise.resolve(receiver.taken.length === asked))
        expect((await health(agency.portals.straight)).body).toMatchObject({ database: 'down' })
      })
      await until(async () => (await health(agency.portals.straight)).status === 200)
      // Claimed events have a lease of half a minute.
      await agency.db.query('update portal.event_out set leased_until = now() where leased_until is not null')
      await agency.db.query(`select pg_notify('events_out', '')`)
      const waits = async () =>
        (await agency.db.query(`select from portal.event_out where state = 'waiting'`)).rowCount
      await until(async () => (await waits()) === 0)
      const { total, repeats } = await expectAllTaken(agency.db, receiver.taken)
      expect(total).toBe(moved)
      expect(repeats).toBeGreaterThan(0)
      await agency.db.query('delete from portal.hooks where id = $1', [hookId])
      receiver.close()
    },
  )

  test('SUPABASE_URL: the board comes from another portal’s REST; a stopping portal first reports it and continues for a while', async () => {
    const door = await agency.start('pooled', {
      SUPABASE_URL: at('straight'),
      SUPABASE_ANON_KEY: 'sb_publishable_1',
      DRAIN_MS: '60000',
    })
    const token = await signIn(door.origin, BROKER.email, BROKER.password)
    const ask = (below: string, body?: object) =>
      call<{ message: string }>(`${door.origin}/rest/v1/${below}`, { token, ...(body && { body }) })
    const synced = await ask('rpc/sync_board', { p_instance: BROKER.instance, p_cursor: null })
    expect(synced).toMatchObject({ status: 200, body: { reset: true } })
    expect(await call(`${door.origin}/rest/v1/whatsapp_contacts`)).toMatchObject({ status: 401 })

    const ending = door.process.kill('SIGTERM')
    await until(async () => (await health(door)).body.status === 'stopping')
    expect(await health(door)).toMatchObject({ status: 503, body: { database: 'ok' } })
    expect((await ask('whatsapp_contacts?select=id&limit=2')).body).toHaveLength(2)

    await agency.portals.straight.process.kill('SIGKILL')
    expect(await ask('whatsapp_contacts?select=id')).toMatchObject({
      status: 503,
      body: { message: 'O banco de dados não respondeu. Tente de novo em instantes.' },
    })
    await call(`${door.origin}/auth/v1/logout`, { token, body: {} })
    expect((await ask('whatsapp_contacts?select=id')).status).toBe(401)
    await door.process.kill('SIGKILL')
    await ending
  })
})

const health = ({ origin }: RunningPortal) => call<Health>(`${origin}/api/health`)
