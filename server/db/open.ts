// Opens the database that the settings name: a Postgres, or the embedded one in its locked folder.
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import type { Settings } from '#server/env.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Database } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

const MAX_CONNECTIONS = 10

export type OpenDatabase = {
  db: Database
  /** Folder for keys and files, which exists and can be written. */
  dataDir: string
  /** Closes the database and gives its folder back. */
  close: () => Promise<void>
}

/** Raises `data-dir.unusable`, `data-dir.in-use` or `database.unreachable`, each with what to do. */
export async function openDatabase(settings: Settings, log: Log): Promise<OpenDatabase> {
  const dataDir = path.resolve(settings.dataDir, settings.isDemo ? 'demo' : '')
  makeUsable(dataDir)
  return settings.databaseUrl === undefined
    ? openEmbedded(dataDir)
    : openServer(settings.databaseUrl, dataDir, log)
}

async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const directory = path.join(dataDir, 'database')
  const release = lockDirectory(directory)
  try {
    if (!existsSync(directory)) await makeEmbedded(directory)
    const db = await openPglite({ dataDir: directory })
    return { db, dataDir, close: () => db.close().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

/** Made aside and put in place whole, so that a first start cut short leaves nothing half made. */
async function makeEmbedded(directory: string) {
  const aside = `${directory}.new`
  rmSync(aside, { recursive: true, force: true })
  const db = await openPglite({ dataDir: aside })
  await db.close()
  renameSync(aside, directory)
}

async function openServer(url: string, dataDir: string, log: Log): Promise<OpenDatabase> {
  const db = openPostgres({
    url,
    maxConnections: MAX_CONNECTIONS,
    onError: (error) => log.warn('database.connection-lost', errorFields(error)),
  })
  try {
    await db.query('select 1')
    return { db, dataDir, close: () => db.close() }
  } catch (error) {
    await db.close()
    const { hostname, port, pathname } = new URL(url)
    throw new PortalError(
      'database.unreachable',
      `Não foi possível conectar ao banco de dados ${hostname}:${port || '5432'}${pathname}: ${reason(error)}.`,
      { cause: error },
    )
  }
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
  '28P01': 'usuário ou senha recusados',
  '28000': 'usuário ou senha recusados',
  '3D000': 'esse banco não existe',
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : 'motivo desconhecido')
}
