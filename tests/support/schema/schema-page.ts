// Prints docs/schema.md from catalogue and sources: by schema file, each table with its triggers and row rules, each
// function with its callers.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#server/db/database.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const SCHEMAS = 'supabase/schemas'
/** The folders whose code calls SQL functions by name. */
const SOURCES = ['server', 'src', 'service-worker']
const HEAD = `# The schema

What stands where in \`${SCHEMAS}\`, what fires, and who calls what: printed from the catalogue and the sources by \`npm run docs:schema\`; a test fails until then. Columns, grants, bodies and comments are read in the files. Where it says “nobody here”, a function is called over the wire by others, by hand, or by a name that is put together.
`

/** The page in Markdown, not formatted yet. Throws if the database lacks an object of a schema file. */
export async function printSchema(db: Database): Promise<string> {
  const files = await readSchemaFiles()
  const tables = await readTables(db)
  const texts = byWord([...(await readSqlTexts(db)), ...(await readSources())])
  return [
    HEAD,
    ...files.flatMap(({ file, about, defines }) => {
      const functions = defines.filter(({ kind }) => kind === 'function')
      return [
        `## ${file}\n`,
        `${about}\n`,
        ...defines
          .filter(({ kind }) => kind !== 'function')
          .map(({ name }) => printTable(name, tables.get(name))),
        ...(functions.length > 0 ? ['### Functions\n'] : []),
        ...functions.map(({ name }) => `- \`${name}\`: ${callersOf(name, texts)}`),
        '',
      ]
    }),
  ].join('\n')
}

type SchemaFile = { file: string; about: string; defines: { kind: string; name: string }[] }

/** In the order of the files; the first comment of each describes it. */
async function readSchemaFiles(): Promise<SchemaFile[]> {
  const names = (await readdir(path.join(root, SCHEMAS))).toSorted()
  return Promise.all(
    names.map(async (file) => {
      const sql = await readFile(path.join(root, SCHEMAS, file), 'utf8')
      const [about = ''] = /^(?:--.*\n)+/.exec(sql) ?? []
      return {
        file,
        about: about.replaceAll(/^-- /gm, '').replaceAll('\n', ' ').trim(),
        defines: [...sql.matchAll(/^create (function|table|view) ([\w.]+)/gm)].map(
          ([, kind = '', name = '']) => ({ kind, name }),
        ),
      }
    }),
  )
}

type Table = { about: string; triggers: string[]; rules: string[] }

async function readTables(db: Database): Promise<Map<string, Table>> {
  const { rows } = await db.query<Table & { name: string }>(
    `select n.nspname || '.' || c.relname as name, coalesce(obj_description(c.oid, 'pg_class'), '') as about,
       array(
         select '\`' || t.tgname || '\`, ' || substring(pg_get_triggerdef(t.oid) from '((?:BEFORE|AFTER) .*?) ON ')
           || ': \`' || t.tgfoid::regproc || '\`'
         from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname) as triggers,
       array(
         select '\`' || p.polname || '\`, ' || case p.polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert'
           when 'w' then 'update' else 'delete' end || ': ' || obj_description(p.oid, 'pg_policy')
         from pg_policy p where p.polrelid = c.oid and p.polname <> 'service_role_all' order by p.polname) as rules
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'portal') and c.relkind in ('r', 'p', 'v')`,
  )
  return new Map(rows.map(({ name, ...table }) => [name, table]))
}

function printTable(name: string, table: Table | undefined): string {
  if (!table) throw new Error(`${name} stands in ${SCHEMAS} and not in the database`)
  const { about, triggers, rules } = table
  return [
    `### ${name}\n`,
    `${about}\n`,
    ...triggers.map(
      (trigger) =>
        `- Trigger ${trigger.replaceAll(/\b(?:BEFORE|AFTER|INSERT|UPDATE|DELETE|OR|OF)\b/g, (word) => word.toLowerCase())}`,
    ),
    ...rules.map((rule) => `- Row rule ${rule}`),
    '',
  ].join('\n')
}

/** Text that may name a function, and its place as shown on the page. */
type Named = { where: string; text: string }

/** The texts that contain each word, because a search of every text for every function would take seconds. */
function byWord(texts: readonly Named[]): ReadonlyMap<string, readonly Named[]> {
  const found = new Map<string, Named[]>()
  for (const text of texts)
    for (const word of new Set(text.text.match(/\w+/g))) {
      const others = found.get(word)
      if (others) others.push(text)
      else found.set(word, [text])
    }
  return found
}

/** Bodies of functions, triggers, views, row rules, checks and indexes. */
async function readSqlTexts(db: Database): Promise<Named[]> {
  const { rows } = await db.query<Named>(
    `select '\`' || n.nspname || '.' || p.proname || '\`' as "where", p.prosrc as text
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'portal')
     union all
     select 'trigger \`' || tgname || '\` on \`' || tgrelid::regclass || '\`', tgfoid::regproc || '()'
     from pg_trigger where not tgisinternal
     union all
     select 'view \`' || c.oid::regclass || '\`', pg_get_viewdef(c.oid)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'portal') and c.relkind = 'v'
     union all
     select distinct 'row rules of \`' || polrelid::regclass || '\`',
       string_agg(concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), ' ')
     from pg_policy group by polrelid
     union all
     select 'check of \`' || conrelid::regclass || '\`', pg_get_constraintdef(oid) from pg_constraint where contype = 'c' and conrelid <> 0
     union all
     select 'index \`' || indexrelid::regclass || '\`', pg_get_indexdef(indexrelid) from pg_index where indexprs is not null or indpred is not null`,
  )
  // Not by the database's collation, which differs between engines.
  return rows.toSorted((one, other) => (one.where < other.where ? -1 : 1))
}

async function readSources(): Promise<Named[]> {
  const names = (
    await Promise.all(
      SOURCES.map(async (folder) =>
        (await readdir(path.join(root, folder), { recursive: true })).map((name) =>
          path.posix.join(folder, name),
        ),
      ),
    )
  ).flat()
  return Promise.all(
    names
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .toSorted()
      .map(async (name) => ({ where: name, text: await readFile(path.join(root, name), 'utf8') })),
  )
}

/** The app names a function of public without its schema. A name of one word is an ordinary word in sources. */
function callersOf(name: string, texts: ReturnType<typeof byWord>): string {
  const [schema = '', own = ''] = name.split('.')
  const inSql = new RegExp(`\\b${schema}\\.${own}\\(`)
  const named = own.includes('_') ? `\\b${own}\\b` : `\\brpc\\(['"]${own}\\b`
  const inSources = new RegExp(schema === 'public' ? named : `\\bportal\\.${own}\\b`)
  const found = (texts.get(own) ?? [])
    .filter(({ where, text }) =>
      (SOURCES.some((folder) => where.startsWith(`${folder}/`)) ? inSources : inSql).test(text),
    )
    .map(({ where }) => where)
    .filter((where) => where !== `\`${name}\``)
  return [...new Set(found)].join(', ') || 'nobody here'
}
