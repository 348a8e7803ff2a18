// The secret that the portal creates on its first start and stores in DATA_DIR, readable only by its owner.
// It signs sessions and decrypts the database's secrets.
import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import type { Database } from '#server/db/database.ts'

const SECRET_BYTES = 48
/** A shorter file was truncated. */
const MIN_LETTERS = 32
const NAME = 'jwt-secret'

/**
 * The stored secret; a new one is on disk before it is returned. A lost secret is not replaced while the
 * database has data encrypted with it: raises `key.missing`, or `key.unreadable`, without any change.
 */
export async function keepJwtSecret(dataDir: string, db: Database): Promise<string> {
  const file = path.join(dataDir, NAME)
  const stored = (await readStored(file)).trim()
  if (stored.length >= MIN_LETTERS) return stored
  if (await holdsEncrypted(db))
    throw new PortalError(
      'key.missing',
      `O arquivo ${file} ${stored === '' ? 'não existe ou está vazio' : 'está cortado'}, e o banco de dados guarda o que só ele abre. Ponha-o de volta (ele está em cada backup do banco embutido: npm run restore -- ARQUIVO) ou defina JWT_SECRET com o conteúdo dele; se ele se perdeu de vez, com um novo: todos entram de novo, e o que estava cifrado é refeito.`,
    )
  const made = randomBytes(SECRET_BYTES).toString('base64url')
  const aside = `${file}.new`
  const handle = await open(aside, 'w', 0o600)
  await handle.writeFile(made)
  await handle.sync()
  await handle.close()
  await rename(aside, file)
  return made
}

const readStored = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new PortalError(
      'key.unreadable',
      `O arquivo ${file} não pode ser lido (${error.code ?? error.message}). Dê-o ao usuário do portal, ou defina JWT_SECRET com o conteúdo dele.`,
      { cause: error },
    )
  })

/** Read before the migrations, so older or newer databases may lack some of it. */
const ENCRYPTED = [
  { table: 'portal.push_keys', condition: `to_jsonb(t) ->> 'is_sealed' = 'true'` },
  { table: 'portal.factors', condition: 'true' },
  { table: 'portal.hooks', condition: 'true' },
  { table: 'portal.mailboxes', condition: 'true' },
  { table: 'portal.intake_keys', condition: `to_jsonb(t) -> 'secrets' ? 'sealed'` },
]

async function holdsEncrypted(db: Database): Promise<boolean> {
  for (const { table, condition } of ENCRYPTED) {
    const { rows: known } = await db.query<{ is_there: boolean }>(
      'select to_regclass($1) is not null as is_there',
      [table],
    )
    if (known[0]?.is_there !== true) continue
    if ((await db.query(`select from ${table} t where ${condition} limit 1`)).rows.length > 0) return true
  }
  return false
}
