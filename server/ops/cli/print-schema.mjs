// `npm run -s db:print`: prints the whole schema as one migration file, for a project set up with `supabase db push`.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { command, inRoot } from './root.mjs'

/** @param {string} folder */
async function filesOf(folder) {
  const place = inRoot('supabase', folder)
  if (!existsSync(place)) return []
  return (await readdir(place)).filter((file) => file.endsWith('.sql')).toSorted()
}

/**
 * Prints the schema files in order, then marks all numbered migrations as applied, because the schema files contain
 * their changes.
 */
export async function printSchema() {
  const texts = (await filesOf('schemas')).map((file) =>
    readFile(path.join(inRoot('supabase/schemas'), file), 'utf8'),
  )
  const steps = (await filesOf('migrations')).map(
    (file) => `('${file.slice(0, 14)}', '${file.slice(15, -4)}')`,
  )
  const record =
    steps.length === 0
      ? []
      : [
          `insert into supabase_migrations.schema_migrations (version, name) values\n  ${steps.join(',\n  ')}\non conflict do nothing;\n`,
        ]
  return [...(await Promise.all(texts)), ...record].join('\n')
}

await command(import.meta.url, async () => {
  process.stdout.write(await printSchema())
})
