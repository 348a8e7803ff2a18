// Reads the folder supabase: schema files, their objects that can be created again, and numbered migrations.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fingerprintOf, readObjects, tableParts, type SchemaObject } from './objects.ts'
import { splitStatements } from './statements.ts'

export type SchemaFiles = {
  /** All schema files in order, as an empty database is made from them. */
  sql: string
  objects: readonly SchemaObject[]
  steps: readonly Step[]
  fingerprint: string
}

/** A numbered migration changes stored data or the shape of tables in an existing database. */
export type Step = {
  version: string
  name: string
  statements: readonly string[]
  /**
   * Objects that must change in the same transaction, named by lines `-- with: function portal.x, view portal.y`. A new
   * table is named there as well (`table portal.z`): its statements are taken from its schema file and run first.
   */
  objects: readonly SchemaObject[]
}

const STEP_NAME = /^(\d{14})_(\w+)\.sql$/
const WITH = /^-- with: (.+)$/gm

/** `folder` is supabase. Throws if a file has a wrong name, or a migration names an object that no schema file has. */
export async function readSchemaFiles(folder: string): Promise<SchemaFiles> {
  const schemas = path.join(folder, 'schemas')
  const texts = (await readdir(schemas)).toSorted().map((file) => readFile(path.join(schemas, file), 'utf8'))
  const sql = (await Promise.all(texts)).join('\n')
  const objects = readObjects(sql)
  const steps = await readSteps(path.join(folder, 'migrations'), { sql, objects })
  const fingerprint = fingerprintOf(
    objects,
    steps.map(({ version }) => version),
  )
  return { sql, objects, steps, fingerprint }
}

async function readSteps(folder: string, schemas: Pick<SchemaFiles, 'sql' | 'objects'>): Promise<Step[]> {
  if (!existsSync(folder)) return []
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(files.map(async (file) => readStep(path.join(folder, file), schemas)))
}

async function readStep(file: string, schemas: Pick<SchemaFiles, 'sql' | 'objects'>): Promise<Step> {
  const [, version, name] = STEP_NAME.exec(path.basename(file)) ?? []
  if (version === undefined || name === undefined) throw new Error(`${file} is no migration's name`)
  const sql = await readFile(file, 'utf8')
  const named = [...sql.matchAll(WITH)].flatMap(([, names = '']) => names.split(', '))
  const missing = (wanted: string) => new Error(`${file} names ${wanted}, which no schema file has`)
  const tables = named
    .filter((wanted) => wanted.startsWith('table '))
    .flatMap((wanted) => {
      const parts = tableParts(schemas.sql, wanted.slice('table '.length))
      if (parts.length === 0) throw missing(wanted)
      return parts
    })
  const objects = named
    .filter((wanted) => !wanted.startsWith('table '))
    .map((wanted) => {
      const object = schemas.objects.find((one) => one.name === wanted)
      if (!object) throw missing(wanted)
      return object
    })
  return { version, name, statements: [...tables, ...splitStatements(sql)], objects }
}
