// Composes the leads module: intake, distribution, offers, imports and exports.
import { Hono } from 'hono'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { Reading } from '#server/db/replica.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Log } from '#server/log.ts'
import { createSecretBox } from '#server/secret-box.ts'
import { createContactRoutes } from './intake/contact-routes.ts'
import { createExportRoutes } from './exports/export-routes.ts'
import { createImportRoutes } from './imports/import-routes.ts'
import { createImportStore } from './imports/import-store.ts'
import { createImportWorker } from './imports/import-worker.ts'
import { createDistributor } from './routing/distribute.ts'
import { createGraph, type ReadLeadgen } from './intake/meta/graph.ts'
import { createIntakeRoutes } from './intake/intake-routes.ts'
import { createContactStore, createIntakeStore, createKeyStore } from './intake/intake-store.ts'
import { createMailboxRoutes } from './intake/mailbox/routes.ts'
import { createMailboxSettings, createMailboxStore } from './intake/mailbox/store.ts'
import { createMailboxWorker } from './intake/mailbox/worker.ts'
import { createKeyRoutes } from './intake/key-routes.ts'
import { createMetaReader } from './intake/meta/reader.ts'
import { createMetaRoutes } from './intake/meta/routes.ts'
import { toNewLead, type Fields, type NewLead, type Reported } from './intake/new-lead.ts'
import { createKeptRoutes } from './intake/kept-routes.ts'
import { createReader } from './intake/raw/again.ts'
import { createRawMaker } from './intake/raw/maker.ts'
import { createRawStore } from './intake/raw/store.ts'
import { createUnreadRoutes } from './intake/unread-routes.ts'
import { createUnreadStore } from './intake/unread-store.ts'
import { createRotationRoutes } from './routing/rotation-routes.ts'
import { createRotationStore } from './routing/rotation-store.ts'
import { createMetaSecretBox, encryptPlain } from './intake/meta/secrets.ts'

/** Purpose string of the encryption key for mailbox passwords. */
export const MAILBOX_PASSWORD = 'portal password of mailbox'

type Options = {
  db: Database
  reading: Reading
  clock: Clock
  log: Log
  jwtSecret: string
  timeZone: string
  rateLimit: RateLimit
  memberOf: (
    request: Request,
  ) => Promise<{ role: Role; leadsTeam: boolean; accountId: string; claims: Claims }>
  readLeadgen?: ReadLeadgen
  /** Hosts that may be in the portal's own network, without TLS. */
  privateHosts: readonly string[]
}

/** A lead from the API. Its fields have fixed names, so the portal need not guess them. */
type MachineLead = Partial<Record<Exclude<Reported, 'number' | 'consent'>, string | undefined>> & {
  phone?: string | undefined
  fields?: Fields | undefined
}

export type Leads = {
  /** Serves /api/leads. */
  intake: Hono
  /** Serves /api/roleta. */
  rotations: Hono
  /** Serves /api/imports. */
  imports: Hono
  /** Serves /api/exports. */
  exports: Hono
  /** A lead from the API as the argument of portal.take_lead. Raises UnreadableLead. */
  toNewLead: (delivered: MachineLead, nowMs: number) => NewLead
  /** Other modules call it when they have created a lead. */
  onTaken: () => void
  /** Starts the workers; the returned function stops them. */
  start(): () => Promise<void>
}

export async function createLeads(options: Options): Promise<Leads> {
  const { db, readLeadgen = createGraph() } = options
  const metaSecrets = createMetaSecretBox(options.jwtSecret)
  await encryptPlain(db, metaSecrets)
  const distributor = createDistributor(options)
  const store = createIntakeStore(db, metaSecrets)
  const rawStore = createRawStore(db)
  const maker = createRawMaker({ ...options, store: rawStore, onTaken: distributor.wake })
  const reader = createMetaReader({ ...options, store, readLeadgen, onTaken: distributor.wake })
  const importer = createImportWorker(options)
  const passwords = createSecretBox(options.jwtSecret, MAILBOX_PASSWORD)
  const mailboxes = createMailboxWorker({
    ...options,
    store: createMailboxStore(db, passwords),
    onKept: maker.wake,
  })
  const intake = new Hono()
  const imports = new Hono()
  const exports = new Hono()
  exports.route('/', createExportRoutes(options))
  imports.route('/', createImportRoutes({ ...options, store: createImportStore(db), onReady: importer.wake }))
  const unreadStore = createUnreadStore(db)
  intake.route('/unread', createUnreadRoutes({ ...options, store: unreadStore, maker }))
  intake.route(
    '/kept',
    createKeptRoutes({
      ...options,
      reader: createReader(options),
      unreadStore,
      maker,
      onTaken: distributor.wake,
    }),
  )
  intake.route('/keys', createKeyRoutes({ ...options, store: createKeyStore(db, metaSecrets) }))
  intake.route(
    '/mailboxes',
    createMailboxRoutes({
      ...options,
      store: createMailboxSettings(db, passwords),
      onChanged: mailboxes.wake,
    }),
  )
  intake.route(
    '/contacts',
    createContactRoutes({ ...options, store: createContactStore(db), onTaken: distributor.wake }),
  )
  intake.route('/', createIntakeRoutes({ ...options, rawStore, maker }))
  intake.route(
    '/',
    createMetaRoutes({ ...options, store, onTaken: distributor.wake, onNotified: reader.wake }),
  )
  return {
    intake,
    toNewLead: ({ phone, fields, ...parsed }, nowMs) =>
      toNewLead({ ...parsed, phones: [phone], others: fields ?? {} }, { source: 'api' }, nowMs),
    onTaken: distributor.wake,
    imports,
    exports,
    rotations: createRotationRoutes({
      ...options,
      store: createRotationStore(db),
      onChanged: distributor.wake,
    }),
    start: () => {
      const stops = [distributor.start(), reader.start(), maker.start(), importer.start(), mailboxes.start()]
      return async () => {
        for (const stop of stops) await stop()
      }
    },
  }
}
