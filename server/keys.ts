// Secrets that the portal makes on its first start and keeps in DATA_DIR, readable by its owner only.
import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'

const SECRET_BYTES = 48

/** The secret of that name, made and put on disk before it is first answered. */
export async function keepSecret(dataDir: string, name: string): Promise<string> {
  const file = path.join(dataDir, name)
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept !== '') return kept

  const made = randomBytes(SECRET_BYTES).toString('base64url')
  const aside = `${file}.new`
  const handle = await open(aside, 'w', 0o600)
  await handle.writeFile(made)
  await handle.sync()
  await handle.close()
  await rename(aside, file)
  return made
}
