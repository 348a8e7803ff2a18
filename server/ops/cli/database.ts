// `npm run db:migrate`, `db:seed`, `db:reset`: run the steps that the portal does by itself at its start.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { countOf } from '#domain/count.ts'
import { PortalError } from '#domain/errors.ts'
import { hashPassword } from '#server/auth/accounts/passwords.ts'
import { lockDirectory } from '#server/db/pglite/directory-lock.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedDemo } from '#server/demo/seed/seed.ts'
import { keepJwtSecret } from '#server/jwt-secret.ts'
import { createKeyHash } from '#server/leads/intake/keys.ts'
import { createLog } from '#server/log.ts'
import { readSettings, type Settings } from '#server/settings.ts'

export type DatabaseCommand = 'migrate' | 'seed' | 'reset'

/** Returns one Portuguese line as a report. Raises PortalError for mistakes the user can correct. */
export async function runDatabaseCommand(
  command: DatabaseCommand,
  options: { schemaFolder: string; isConfirmed: boolean; allowsEarlier?: boolean },
): Promise<string> {
  const settings = readSettings(process.env)
  if (command === 'seed' && !settings.isDemo)
    throw new PortalError('seed.demo-only', 'Só a demonstração recebe pessoas inventadas: use DEMO=1.')
  if (command === 'reset') reset(settings, options.isConfirmed)

  const { db, dataDir, close } = await openDatabase(settings, createLog(settings.logLevel))
  try {
    const { versions, objects, dropped } = await migrate(db, options.schemaFolder, options)
    const isSeeded = command !== 'migrate' && settings.isDemo
    if (isSeeded) {
      const hashKeyOf = createKeyHash(settings.jwtSecret ?? (await keepJwtSecret(dataDir, db)))
      await seedDemo(db, { now: new Date(), hashPassword, hashKeyOf })
    }
    const seeded = isSeeded ? ' Dados de demonstração prontos.' : ''
    const changes = `${countOf(versions.length, 'versão registrada', 'versões registradas')}, ${countOf(objects.length, 'objeto trocado', 'objetos trocados')}, ${countOf(dropped.length, 'objeto removido', 'objetos removidos')}`
    return `${changes}; o banco de dados está em dia.${seeded}`
  } finally {
    await close()
  }
}

/** Deletes only an embedded database; outside the demonstration only with a confirmation. */
function reset({ databaseUrl, dataDir, isDemo }: Settings, isConfirmed: boolean) {
  if (databaseUrl !== undefined)
    throw new PortalError(
      'reset.embedded-only',
      'db:reset só apaga o banco embutido; o de DATABASE_URL é seu.',
    )
  if (!isDemo && !isConfirmed)
    throw new PortalError(
      'reset.unconfirmed',
      'Isto apaga todos os dados. Para continuar: npm run db:reset -- --yes',
    )
  const directory = path.resolve(dataDir, isDemo ? 'demo' : '', 'database')
  if (!existsSync(directory)) return
  const release = lockDirectory(directory)
  rmSync(directory, { recursive: true, force: true })
  release()
}
