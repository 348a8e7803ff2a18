// What a damaged folder of the embedded database is told by, before and after the engine has tried it: the operator gets one
// line with the way out, and nothing is made again on top of what is there.
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import { SqlError } from '../database.ts'

/** Of every folder of a database. Where the first is missing, the engine would make a new database over the old one. */
const PARTS = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact']
const CONTROL_BYTES = 8192
/** The major version of Postgres inside the embedded engine. */
export const ENGINE_MAJOR = 18
/** With less the engine cannot even start. */
const ROOM_BYTES = 8 * 1024 * 1024
/** Damaged data or index, a file that is missing or cannot be read, a state that cannot be. */
const DAMAGE_CODES = ['XX001', 'XX002', '58P01', '58030']
/** How the engine dies of what it cannot make sense of. */
const DEATHS = /^Aborted\(|unreachable|memory access out of bounds|failed to initialize|null function/

/** Raises `data-dir.damaged` or `data-dir.unusable` for a folder that the engine must not be given. */
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

/** Raises `data-dir.other-version`. An engine of another major would abort on the folder, or worse. */
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

/** What the engine said when it opened the folder or was first asked, as something the operator can mend. */
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
