// The process: settings, database, portal, listening, stopping. An operator's mistake ends it with one clear line.
import { Hono } from 'hono'
import { fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { hashPassword } from '#server/auth/accounts/passwords.ts'
import { createBackups } from '#server/ops/backup/backups.ts'
import { systemClock } from '#server/clock.ts'
import { createCurrentPortal } from '#server/current-portal.ts'
import { toDamage } from '#server/db/pglite/damage.ts'
import { databaseFolder, dataDirOf, openDatabase, openReplica } from '#server/db/open.ts'
import { addPictures } from '#server/demo/add-pictures.ts'
import { createDemoWhatsapp, type DemoWhatsapp } from '#server/demo/whatsapp.ts'
import { seedDemo } from '#server/demo/seed/seed.ts'
import { localAddress } from '#server/http/address/local.ts'
import { secureHeaders } from '#server/http/secure-headers.ts'
import { openServer, SOCKET_LIMITS } from '#server/http/sockets.ts'
import { keepJwtSecret } from '#server/jwt-secret.ts'
import { createKeyHash } from '#server/leads/intake/keys.ts'
import { createLog, errorFields, type Log } from '#server/log.ts'
import { runDatabaseCommand } from '#server/ops/cli/database.ts'
import { createPortal, type Portal } from '#server/portal.ts'
import { readSettings, type Settings } from '#server/settings.ts'
import { openMedia } from '#server/storage/open.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'

/** Time limit for requests and workers to finish after a stop signal. */
const STOP_WITHIN_MS = 8_000
/** The process ends after this time, even if the database cannot be closed. */
const END_WITHIN_MS = 19_000
/** Ctrl-C under `npm start` reaches the portal twice within this time: from the terminal and from npm. */
const SAME_SIGNAL_MS = 500
const RECONCILE_EVERY_MS = 50
/** By this time the workers have taken their first steps. */
const COLLECT_AFTER_MS = 5_000

async function main() {
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel)
  let answering: (() => Portal) | undefined
  // This runs before anything is created, so that a start that cannot get its port changes nothing.
  const early = createEarly(settings)
  const server = await listen(settings, (request, env) => (answering?.() ?? early).fetch(request, env))
  if (settings.isDemo && !existsSync(databaseFolder(dataDirOf(settings)))) await makeDemoApart()
  const { db, dataDir, copyTo, collect, close: closeDatabase } = await openDatabase(settings, log)
  const replica =
    settings.databaseReplicaUrl === undefined ? undefined : openReplica(settings.databaseReplicaUrl, log)
  const close = async () => void (await Promise.all([closeDatabase(), replica?.close()]))
  try {
    const clock = systemClock
    const root = findRoot(import.meta.dirname)
    const webhookBase = settings.webhookBaseUrl ?? boundAddress(server, settings)
    const demo = openDemoWhatsapp(settings, log)
    const { bucket } = settings
    const media = await openMedia({ db, clock, log, bucket, folder: path.join(dataDir, 'media') })
    const { storage } = media
    const version = readVersion(root)
    const backups =
      copyTo === null
        ? undefined
        : createBackups(
            { dataDir, version, copyTo },
            { clock, log, keep: settings.keeps.backups, isDaily: !settings.isDemo },
          )
    const jwtSecret = settings.jwtSecret ?? (await keepJwtSecret(dataDir, db))
    const make = () =>
      createPortal(
        { db, replica, clock, log, settings, storage, gateway: null },
        {
          jwtSecret,
          schemaFolder: path.join(root, 'supabase'),
          client: { current: path.join(root, 'dist/client'), earlier: path.join(root, 'dist/releases') },
          version,
          backups,
          webhookBase: () => webhookBase,
          onGatewayChanged: () => void current.replace(),
          ...(demo && { simulated: demo.gateways }),
        },
      )
    const ready = await make()
    await media.settle()
    const current = createCurrentPortal(ready, make, log)
    if (settings.isDemo) {
      const seed = { now: new Date(clock.now()), hashPassword, hashKeyOf: createKeyHash(jwtSecret) }
      await seedDemo(db, seed)
    }
    answering = current.get
    await demo?.begin({ db, webhookBase, mintWebhookSecret })
    ready.start()
    const stopMedia = media.start()
    stopOnSignal({ server, log, settings, portal: current.get, demo, stopMedia, close })
    // Last, because programs that wait for this output may stop the portal at once.
    announce(ready, settings, settings.publicUrl ?? boundAddress(server, settings))
    void clock
      .sleep(COLLECT_AFTER_MS)
      .then(collect)
      .catch((error: unknown) => log.info('start.not-collected', errorFields(error)))
    if (settings.isDemo)
      void addPictures({ db, storage }).catch((error: unknown) =>
        log.info('demo.pictures-failed', errorFields(error)),
      )
  } catch (error) {
    await close().catch(() => undefined)
    throw copyTo === null ? error : toDamage(databaseFolder(dataDir), error)
  }
}

const MAKE_DEMO = '--make-demo'

/**
 * Creates the demonstration's data in a separate process, because neither the database engine nor the heap would
 * release that memory. If it fails, no partial data remain, and the start itself creates the data or reports the error.
 */
async function makeDemoApart(): Promise<void> {
  const making = fork(import.meta.filename, [MAKE_DEMO], { stdio: 'ignore' })
  await new Promise<void>((resolve) => making.once('error', () => resolve()).once('exit', () => resolve()))
}

/** The separate process; it ends together with its parent. */
async function makeDemo(): Promise<void> {
  process.once('disconnect', () => process.exit(1))
  const schemaFolder = path.join(findRoot(import.meta.dirname), 'supabase')
  await runDatabaseCommand('seed', { schemaFolder, isConfirmed: false })
  process.disconnect()
}

/** The demonstration's simulated gateways; the portal opens configured ones itself. */
function openDemoWhatsapp({ evolution, waha, isDemo, demoDelayMs }: Settings, log: Log): DemoWhatsapp | null {
  if (!isDemo || evolution || waha) return null
  return createDemoWhatsapp({ clock: systemClock, log, writeEveryMs: demoDelayMs })
}

/** Answers requests until the portal is created. */
function createEarly({ publicUrl }: Settings): Hono {
  const app = new Hono()
  app.use(secureHeaders(publicUrl))
  app.all('*', (context) =>
    context.json(
      {
        error: {
          code: 'portal.starting',
          message: 'O portal está iniciando. Tente de novo em alguns segundos.',
        },
      },
      503,
      { 'retry-after': '2', 'cache-control': 'no-store' },
    ),
  )
  return app
}

function listen({ port, host }: Settings, fetch: Portal['fetch']): Promise<Server> {
  const server = openServer({ fetch, clock: systemClock, limits: SOCKET_LIMITS })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen(port, host, () => resolve(server))
  })
}

function toListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new PortalError(
      'port.taken',
      `A porta ${port} já está em uso. Encerre o outro programa ou escolha outra PORT.`,
    )
  if (error.code === 'EACCES')
    return new PortalError(
      'port.forbidden',
      `Sem permissão para usar a porta ${port}. Escolha uma PORT acima de 1023.`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new PortalError('host.unknown', `Este computador não tem o endereço ${host}. Corrija HOST.`)
  return error
}

function boundAddress(server: Server, { host, port }: Settings): string {
  const bound = server.address()
  return localAddress(host, typeof bound === 'object' && bound !== null ? bound.port : port)
}

/** Start information for newcomers, on standard output; the log is on standard error. */
function announce({ firstAdmin }: Portal, settings: Settings, address: string) {
  const lines = [`Portal do Corretor em ${address}`]
  if (settings.isDemo)
    lines.push(
      'Demonstração com pessoas inventadas:',
      `  corretor        ${address}/login   camila, senha demo-corretor`,
      `  administrador   ${address}/panel   admin, senha demo-admin`,
    )
  else if (firstAdmin)
    lines.push(
      'Primeiro acesso do administrador (anote, não será mostrado de novo):',
      `  ${address}/panel   ${firstAdmin.username}, senha ${firstAdmin.password}`,
    )
  process.stdout.write(lines.join('\n') + '\n')
}

type Running = {
  server: Server
  log: Log
  settings: Settings
  /** The current portal. */
  portal: () => Portal
  demo: DemoWhatsapp | null
  stopMedia: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Stops the process without losing work: health first reports that it is stopping, then it accepts no more requests,
 * finishes running work, and releases its resources.
 */
function stopOnSignal({ server, log, settings, portal, demo, stopMedia, close }: Running) {
  let stoppingSinceMs: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info('portal.stopping', { signal })
    void systemClock.sleep(settings.drainMs + END_WITHIN_MS).then(() => {
      log.error('portal.stop-cut-short', { afterMs: settings.drainMs + END_WITHIN_MS })
      process.exit(1)
    })
    portal().leave()
    await systemClock.sleep(settings.drainMs)
    portal().endEvents()
    // One limit for requests and workers together, because both may wait for the same hanging database.
    const late = systemClock.sleep(STOP_WITHIN_MS)
    await closeServer(server, late)
    await Promise.race([Promise.all([portal().stop(), demo?.stop(), stopMedia()]), late])
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
}

/** Finishes running requests; a connection is closed as soon as it is idle. */
async function closeServer(server: Server, late: Promise<unknown>) {
  const closed = new Promise((resolve) => server.close(resolve))
  const stopSweeping = systemClock.every(RECONCILE_EVERY_MS, () => server.closeIdleConnections())
  await Promise.race([closed, late])
  stopSweeping()
  server.closeAllConnections()
}

/** The checkout's folder, both from the sources and from the bundle. */
function findRoot(from: string): string {
  if (existsSync(path.join(from, 'package.json'))) return from
  const parent = path.dirname(from)
  if (parent === from) throw new Error('package.json not found above the server')
  return findRoot(parent)
}

const Package = v.object({ version: v.string() })

function readVersion(root: string): string {
  return v.parse(Package, JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))).version
}

await (process.argv[2] === MAKE_DEMO ? makeDemo() : main()).catch((error: unknown) => {
  if (error instanceof PortalError) process.stderr.write(error.message + '\n')
  else createLog('error').error('portal.start-failed', errorFields(error))
  process.exit(1)
})
