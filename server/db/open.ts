// Opens the database that the settings name: a Postgres, or the embedded one in its locked folder.
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { extract } from 'tar'
import { PortalError } from '#domain/errors.ts'
import { systemClock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Settings } from '#server/settings.ts'
import { collectGarbage } from './collect-garbage.mjs'
import { requireWhole, toDamage } from './pglite/damage.ts'
import { SqlError, type Database } from './database.ts'
import { begin } from './migrated.ts'
import { lockDirectory } from './pglite/directory-lock.ts'
import { openPglite } from './pglite/pglite.ts'
import { readAddress } from './postgres/address.ts'
import { openPostgres } from './postgres/postgres.ts'

const MAX_CONNECTIONS = 10
const MAX_REPLICA_CONNECTIONS = 5
const HEARING_WITHIN_MS = 5_000
/** An engine whose statement takes longer hangs. Everybody waits for it, so it is ended and opened again. */
const EMBEDDED_LIMITS = { statementMs: 60_000, maintenanceMs: 10 * 60_000 }

export type OpenDatabase = {
  db: Database
  /** Folder for keys and files, which exists and can be written. */
  dataDir: string
  /** Copies the embedded database's folder as of one moment; null for a database server. */
  copyTo: ((target: string) => Promise<void>) | null
  /** Gives back the memory that only the start needed: a twelfth of a small embedded portal's. */
  collect: () => Promise<void>
  /** Closes the database and unlocks its folder. */
  close: () => Promise<void>
}

/**
 * Raises `data-dir.unusable`, `data-dir.damaged`, `data-dir.in-use` or `database.unreachable`, each with what to do.
 */
export async function openDatabase(settings: Settings, log: Log): Promise<OpenDatabase> {
  const dataDir = dataDirOf(settings)
  makeUsable(dataDir)
  return settings.databaseUrl === undefined
    ? openEmbedded(dataDir, log)
    : openServer({ url: settings.databaseUrl, sessionUrl: settings.databaseSessionUrl }, dataDir, log)
}

export const dataDirOf = ({ dataDir, isDemo }: Pick<Settings, 'dataDir' | 'isDemo'>): string =>
  path.resolve(dataDir, isDemo ? 'demo' : '')

/** The folder of the embedded database. A restored database waits in another one until the old one is moved away. */
export const databaseFolder = (dataDir: string): string => path.join(dataDir, 'database')
export const restoredFolder = (dataDir: string): string => path.join(dataDir, 'database.restored')

async function openEmbedded(dataDir: string, log: Log): Promise<OpenDatabase> {
  const directory = databaseFolder(dataDir)
  const release = lockDirectory(directory)
  try {
    finishRestore(dataDir)
    if (!existsSync(directory)) await makeEmbedded(directory)
    requireWhole(directory)
    const raise = (error: unknown): never => {
      throw toDamage(directory, error)
    }
    const db = await openPglite({ dataDir: directory, limits: EMBEDDED_LIMITS, log }).catch(raise)
    // Damage may show only at the first statement.
    await begin(db).catch((error: unknown) => db.close().finally(() => raise(error)))
    return {
      db,
      dataDir,
      copyTo: (target) => db.copyTo(target),
      collect: async () => {
        collectGarbage()
        await db.collect()
      },
      close: () => db.close().finally(release),
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Finishes a restore that was interrupted between moving the old database away and moving the new one in. */
function finishRestore(dataDir: string) {
  const [directory, restored] = [databaseFolder(dataDir), restoredFolder(dataDir)]
  if (!existsSync(directory) && existsSync(restored)) renameSync(restored, directory)
}

/**
 * Beside the built portal (server/ops/build/cluster.mjs). Run from its sources, the portal has none, and the engine
 * creates an empty one.
 */
const CLUSTER = fileURLToPath(new URL('./cluster.tar.gz', import.meta.url))

/** Makes the database in another folder and renames it, so that an interrupted first start leaves no incomplete one. */
async function makeEmbedded(directory: string) {
  const aside = `${directory}.new`
  rmSync(aside, { recursive: true, force: true })
  if (existsSync(CLUSTER)) {
    mkdirSync(aside, { mode: 0o700 })
    await extract({ file: CLUSTER, cwd: aside, strict: true })
  } else {
    const db = await openPglite({ dataDir: aside })
    await db.close()
  }
  renameSync(aside, directory)
}

type Addresses = { url: string; sessionUrl: string | undefined }

async function openServer(addresses: Addresses, dataDir: string, log: Log): Promise<OpenDatabase> {
  const db = openPostgres({
    ...addresses,
    maxConnections: MAX_CONNECTIONS,
    onError: (error) => log.warn('database.connection-lost', errorFields(error)),
  })
  try {
    await db.query('select 1').catch(raiseUnreachable(addresses.url))
    await requireHearing(db).catch(raiseUnreachable(addresses.sessionUrl ?? addresses.url))
    return { db, dataDir, copyTo: null, collect: async () => collectGarbage(), close: () => db.close() }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Opens no connection yet, because the portal starts and works without its replica. */
export const openReplica = (url: string, log: Log): Database =>
  openPostgres({
    url,
    isReplica: true,
    maxConnections: MAX_REPLICA_CONNECTIONS,
    onError: (error) => log.warn('replica.connection-lost', errorFields(error)),
  })

const raiseUnreachable = (url: string) => (error: unknown) => {
  if (error instanceof PortalError) throw error
  throw new PortalError(
    'database.unreachable',
    `Não foi possível conectar ao banco de dados ${readAddress(url).shown}: ${reason(error)}.`,
    { cause: error },
  )
}

/**
 * A pooler in transaction mode accepts LISTEN and never delivers a notice, so portals would not learn of each other's
 * changes.
 */
async function requireHearing(db: Database) {
  const heard = new AbortController()
  const word = randomUUID()
  const stop = await db.listen('portal_hearing', (said) => {
    if (said === word) heard.abort()
  })
  await db.query(`select pg_notify('portal_hearing', $1)`, [word])
  await systemClock.sleep(HEARING_WITHIN_MS, heard.signal)
  await stop()
  if (!heard.signal.aborted)
    throw new PortalError(
      'database.deaf',
      'O banco de dados aceita a conexão, mas não entrega avisos (LISTEN), como um pooler em modo de transação. Informe em DATABASE_SESSION_URL uma conexão de sessão com o mesmo banco.',
    )
}

function makeUsable(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new PortalError(
      'data-dir.unusable',
      `A pasta de dados ${dataDir} não pode ser usada: ${reason(error)}. Escolha outra DATA_DIR.`,
      { cause: error },
    )
  }
}

const UNPROVEN = 'o certificado dele não é de uma autoridade conhecida; informe a dele com sslrootcert='
const REASONS: Record<string, string> = {
  EACCES: 'sem permissão de escrita',
  EPERM: 'sem permissão de escrita',
  EROFS: 'o disco é só de leitura',
  EEXIST: 'há um arquivo com esse nome',
  ENOTDIR: 'há um arquivo no caminho',
  ENOSPC: 'o disco está cheio',
  ECONNREFUSED: 'ninguém responde nesse endereço',
  ENOTFOUND: 'o endereço não existe',
  ETIMEDOUT: 'sem resposta',
  ENOENT: 'o arquivo do certificado não foi encontrado',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNPROVEN,
  SELF_SIGNED_CERT_IN_CHAIN: UNPROVEN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNPROVEN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNPROVEN,
  CERT_HAS_EXPIRED: 'o certificado dele está vencido',
  ERR_TLS_CERT_ALTNAME_INVALID: 'o certificado dele é de outro endereço',
  '28P01': 'usuário ou senha recusados',
  '28000': 'usuário ou senha recusados',
  '3D000': 'esse banco não existe',
  '25006': 'ele não aceita gravações; se há vários servidores, nenhum deles aceita',
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'motivo desconhecido'
  if (error instanceof SqlError && error.cause !== undefined) return reason(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return REASONS[code] ?? (/does not support SSL/.test(error.message) ? 'ele não oferece TLS' : error.message)
}
