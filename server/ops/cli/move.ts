// `npm run move -- --to DATABASE_URL`: moves the embedded database and its media to Postgres.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PortalError } from '#domain/errors.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatSize } from '#domain/format.ts'
import { mediaOf } from '#server/ops/backup/archive.ts'
import { moveDatabase, type Moved } from '#server/ops/backup/move.ts'
import type { Database } from '#server/db/database.ts'
import { isUpToDate, migrate } from '#server/db/migrate.ts'
import { databaseFolder, dataDirOf, openDatabase } from '#server/db/open.ts'
import { readAddress } from '#server/db/postgres/address.ts'
import { readSettings } from '#server/settings.ts'
import { createLog } from '#server/log.ts'

const USAGE = 'npm run move -- --to postgres://usuario:senha@servidor/banco (com o portal parado)'

/**
 * Returns a report by table. Raises PortalError, with nothing changed on either side, for problems the operator can
 * solve.
 */
export async function runMove(args: string[], { schemaFolder }: { schemaFolder: string }): Promise<string> {
  const to = readTarget(args)
  const settings = readSettings(process.env)
  const log = createLog(settings.logLevel)
  if (settings.databaseUrl !== undefined)
    throw new PortalError(
      'move.embedded-only',
      'DATABASE_URL está definida: tire-a para levar o banco embutido. O destino é dito só por --to.',
    )
  if (settings.isDemo)
    throw new PortalError('move.demo', 'A demonstração não é levada: para o banco de verdade, use DEMO=0.')
  if (!existsSync(databaseFolder(dataDirOf(settings))))
    throw new PortalError('move.nothing', `Não há banco de dados em ${dataDirOf(settings)}.`)

  const source = await openDatabase(settings, log)
  try {
    if (!(await isUpToDate(source.db, schemaFolder)))
      throw new PortalError(
        'move.source-older',
        'O banco embutido é de uma versão mais antiga: inicie este portal uma vez, pare-o e tente de novo.',
      )
    const target = await openDatabase({ ...settings, databaseUrl: to, databaseSessionUrl: undefined }, log)
    try {
      await bringUpToDate(target.db, schemaFolder)
      const moved = await moveDatabase({
        from: source.db,
        to: target.db,
        mediaFolder: mediaOf(source.dataDir),
      })
      await target.db.exec('analyze')
      return reportOf(moved, source.dataDir)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function readTarget(args: string[]): string {
  try {
    const { values } = parseArgs({ args, options: { to: { type: 'string' } } })
    readAddress(values.to ?? '')
    return values.to ?? ''
  } catch (cause) {
    const reason = cause instanceof PortalError ? `O endereço de --to ${cause.message}.\n` : ''
    throw new PortalError('move.usage', reason + USAGE, { cause })
  }
}

/** Creates the schema in an empty database; refuses one with another version. */
async function bringUpToDate(db: Database, schemaFolder: string) {
  const { rows } = await db.query<{ isNew: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is null as "isNew"`,
  )
  if (!rows[0]?.isNew && !(await isUpToDate(db, schemaFolder)))
    throw new PortalError(
      'move.target-older',
      'O banco de destino é de uma versão mais antiga do portal. Use um banco vazio, ou rode nele npm run db:migrate.',
    )
  await migrate(db, schemaFolder)
}

function reportOf({ tables, media }: Moved, dataDir: string): string {
  const full = tables.filter(({ rows }) => rows > 0)
  const width = Math.max(...full.map(({ name }) => name.length))
  return [
    'Levado e conferido, tabela por tabela (linhas, soma de verificação):',
    ...full.map(
      ({ name, rows, sum }) => `  ${name.padEnd(width)} ${formatNumber(rows).padStart(11)}  ${sum}  igual`,
    ),
    `  e ${countOf(tables.length - full.length, 'tabela vazia', 'tabelas vazias')} nos dois lados; ${countOf(media.count, 'mídia', 'mídias')} (${formatSize(media.bytes)}).`,
    `O banco embutido ficou como estava, em ${dataDir}. Inicie o portal com DATABASE_URL.`,
    'Em outro computador, leve também o arquivo jwt-secret (ou defina JWT_SECRET com o conteúdo dele): sem ele ninguém continua conectado, e o que está selado não abre.',
  ].join('\n')
}
