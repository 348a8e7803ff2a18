// `npm run backup` and `npm run restore -- FILE`: saves the embedded database to a file, and restores it.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime, formatSize } from '#domain/format.ts'
import { makeBackup } from '#server/ops/backup/archive.ts'
import { reasonOf, warningsOf } from '#server/ops/backup/backups.ts'
import { backupFolder } from '#server/ops/backup/files.ts'
import { requestBackup } from '#server/ops/backup/requests.ts'
import { restoreBackup, type Restored } from '#server/ops/backup/restore.ts'
import { faultOf } from '#server/ops/health/faults.ts'
import { findDamage } from '#server/ops/health/tables.ts'
import { systemClock } from '#server/clock.ts'
import { isLocked, lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { databaseFolder, dataDirOf, openDatabase } from '#server/db/open.ts'
import { createLog } from '#server/log.ts'
import { readSettings, type Settings } from '#server/settings.ts'

/** Returns where the backup is. Raises PortalError for problems the operator can solve. */
export async function runBackup({ version }: { version: string }): Promise<string> {
  const settings = readSettings(process.env)
  const dataDir = embeddedDataDir(settings)
  if (!existsSync(databaseFolder(dataDir)))
    throw new PortalError('backup.nothing', `Ainda não há banco de dados em ${dataDir}.`)
  const { file, warnings } = isLocked(databaseFolder(dataDir))
    ? await askPortal(dataDir)
    : await makeHere(settings, version)
  return [
    `Backup feito: ${file}`,
    settings.bucket
      ? 'Guarde uma cópia fora deste computador. As mídias não estão nele: estão no depósito de S3_ENDPOINT.'
      : 'Na mesma pasta, em media, estão as mídias. Guarde uma cópia das duas coisas fora deste computador.',
    ...warnings,
  ].join('\n')
}

type Report = { file: string; warnings: readonly string[] }

/** The portal that runs holds the database: it alone can make one. */
async function askPortal(dataDir: string): Promise<Report> {
  const answer = await requestBackup(backupFolder(dataDir), systemClock, () =>
    isLocked(databaseFolder(dataDir)),
  )
  if ('fault' in answer) throw new PortalError('backup.failed', answer.fault)
  return answer
}

async function makeHere(settings: Settings, version: string): Promise<Report> {
  const { db, dataDir, copyTo, close } = await openDatabase(settings, createLog(settings.logLevel))
  try {
    if (copyTo === null) throw new Error('an embedded database can be copied')
    const made = await makeBackup({ dataDir, version, copyTo }, Date.now(), settings.keeps.backups)
    const damaged = await findDamage(db)
    return {
      file: `${made.file} (${formatSize(made.sizeBytes)})`,
      warnings: damaged.length > 0 ? warningsOf(['table-damaged']) : [],
    }
  } catch (error) {
    if (faultOf(error) === null) throw error
    throw new PortalError('backup.failed', `O backup não foi feito: ${reasonOf(error)}.`, { cause: error })
  } finally {
    await close()
  }
}

/** Returns a report. Raises PortalError, with nothing changed, for problems the operator can solve. */
export async function runRestore(given: string, { schemaFolder }: { schemaFolder: string }): Promise<string> {
  const settings = readSettings(process.env)
  const dataDir = embeddedDataDir(settings)
  const file = path.resolve(given)
  if (!existsSync(file)) throw new PortalError('backup.missing', `Não há arquivo ${file}.`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = lockDirectory(databaseFolder(dataDir))
  try {
    return reportOf(await restoreBackup({ file, dataDir, schemaFolder, nowMs: Date.now() }))
  } finally {
    release()
  }
}

function embeddedDataDir(settings: Settings): string {
  if (settings.databaseUrl !== undefined)
    throw new PortalError(
      'backup.embedded-only',
      'Isto vale para o banco embutido; o de DATABASE_URL tem as ferramentas do próprio Postgres (pg_dump, pg_restore).',
    )
  return dataDirOf(settings)
}

const reportOf = ({
  madeAtMs,
  kept,
  leads,
  messages,
  paused,
  laterRequests,
  missingMedia,
}: Restored): string =>
  [
    `Restaurado o backup de ${formatDateTime(madeAtMs)}: ${countOf(leads, 'lead', 'leads')}, ${countOf(messages, 'mensagem', 'mensagens')}.`,
    `O que havia antes está em ${kept}; apague quando não precisar mais.`,
    'Todas as sessões foram encerradas: cada pessoa entra de novo.',
    paused.campaigns > 0 &&
      `${countOf(paused.campaigns, 'campanha está pausada', 'campanhas estão pausadas')}: parte dos envios pode ter saído depois do backup. Confira antes de retomar.`,
    paused.lines > 0 &&
      `${countOf(paused.lines, 'mensagem que esperava envio ficou', 'mensagens que esperavam envio ficaram')} como “desconhecida”: nada é reenviado sozinho.`,
    laterRequests === null &&
      'O banco anterior não abriu: quem pediu para sair ou para ser apagado depois do backup não pôde ser conferido.',
    laterRequests !== null &&
      laterRequests.optedOut > 0 &&
      `${countOf(laterRequests.optedOut, 'pessoa que pediu', 'pessoas que pediram')} para não receber campanhas depois do backup: o pedido segue valendo.`,
    laterRequests !== null &&
      laterRequests.endings.length > 0 &&
      `Voltou com o backup quem foi apagado depois dele; apague de novo: números com final ${laterRequests.endings.join(', ')}.`,
    missingMedia > 0 &&
      `${countOf(missingMedia, 'mídia não está', 'mídias não estão')} nem no portal nem na pasta media ao lado do backup.`,
  ]
    .filter(Boolean)
    .join('\n')
