// Recognizes a damaged folder of the embedded database, before and after the engine has opened it. The operator gets
// one line that says what to do, and no new database is created over the old one.
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import { SqlError } from '../database.ts'

/** Files of every database folder. Without the first one, the engine would create a new database over the old one. */
const PARTS = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact']
const CONTROL_BYTES = 8192
/** The major version of Postgres inside the embedded engine. */
export const ENGINE_MAJOR = 18
/** With less free space the engine cannot start. */
const ROOM_BYTES = 8 * 1024 * 1024
/** SQL codes of damaged data or indexes, missing or unreadable files, and impossible states. */
const DAMAGE_CODES = ['XX001', 'XX002', '58P01', '58030']
/** The engine's messages when it crashes on damaged data. */
const DEATHS = /^Aborted\(|unreachable|memory access out of bounds|failed to initialize|null function/

/** Raises `data-dir.damaged` or `data-dir.unusable` for a folder that the engine must not open. */
export function requireWhole(directory: string): void {
  const parts = PARTS.map((part) => path.join(directory, part))
  try {
    for (const entry of [directory, ...parts.filter(existsSync)])
      accessSync(entry, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw forbidden(directory, error)
  }
  const missing = PARTS.find((part) => !existsSync(path.join(directory, part)))
  if (missing !== undefined) throw damaged(directory, `falta ${missing}`)
  requireMajor(directory)
  const control = 'global/pg_control'
  if (statSync(path.join(directory, control)).size !== CONTROL_BYTES)
    throw damaged(directory, `${control} está cortado`)
}

/** Raises `data-dir.other-version`, because an engine of another major would crash on the folder or damage it. */
export function requireMajor(directory: string): void {
  const file = path.join(directory, 'PG_VERSION')
  const [, digits] = /^(\d+)\s*$/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? []
  const major = Number(digits)
  if (digits === undefined || major === ENGINE_MAJOR) return
  const way =
    major > ENGINE_MAJOR
      ? 'Use a versão do portal que o fez, ou uma mais nova.'
      : 'Volte à versão do portal que o fez e leve os dados com ela a um Postgres: npm run move -- --to postgres://… (docs/instalacao.md).'
  throw new PortalError(
    'data-dir.other-version',
    `O banco em ${directory} é do PostgreSQL ${major}, e o banco embutido deste portal é o ${ENGINE_MAJOR}: ele não foi aberto nem mudado. ${way}`,
  )
}

/** Turns the engine's first error into one that tells the operator what to do. */
export function toDamage(directory: string, error: unknown): unknown {
  if (error instanceof PortalError || !isDamage(error)) return error
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < ROOM_BYTES)
    return new PortalError(
      'data-dir.unusable',
      `A pasta de dados ${directory} não pode ser usada: o disco está cheio. Libere espaço e inicie de novo.`,
      { cause: error },
    )
  return damaged(directory, 'o banco embutido não consegue ler o que está nela', error)
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SqlError) return DAMAGE_CODES.includes(error.code) || isDamage(error.cause)
  return DEATHS.test(error.message) || isDamage(error.cause)
}

const damaged = (directory: string, reason: string, cause?: unknown) =>
  new PortalError(
    'data-dir.damaged',
    `A pasta de dados ${directory} está danificada: ${reason}. Nada foi mudado nela; volte a um backup: npm run restore -- ARQUIVO (um de ${path.join(path.dirname(directory), 'backups')}).`,
    { cause },
  )

const forbidden = (directory: string, cause: unknown) =>
  new PortalError(
    'data-dir.unusable',
    `A pasta de dados ${directory} não pode ser usada: o usuário do portal não pode ler e escrever tudo que está nela. Faça-o dono dela (chown -R). Se ela veio incompleta de uma cópia, volte a um backup: npm run restore -- ARQUIVO.`,
    { cause },
  )
