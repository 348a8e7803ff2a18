// Moves an embedded database to Postgres: in one transaction there, with every table compared before the commit.
import { isDeepStrictEqual } from 'node:util'
import { PortalError } from '#domain/errors.ts'
import type { Database, Query } from '#server/db/database.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { copyMedia, type CopiedMedia } from './move-media.ts'
import { copyTable, foreignKeys, listTables, printTable, sequences, type TablePrint } from './tables.ts'

/** Tables that migrations fill, which therefore have rows in an unused database. */
const SEEDED = [
  'portal.settings',
  'portal.throttle_rules',
  'public.campaign_settings',
  'public.kanban_stages',
  'public.quick_replies',
]

/** Values are compared as text, so both sides must format them alike. */
const ALIKE = `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`

export type Moved = { tables: (TablePrint & { name: string })[]; media: CopiedMedia }

type Intent = { from: Database; to: Database; mediaFolder: string }

/**
 * Both databases have this version (the caller checks it); `from` is only read. Raises `move.not-empty`, and
 * `move.differs`
 * if a table differs afterwards; after any error `to` is unchanged.
 */
export async function moveDatabase({ from, to, mediaFolder }: Intent): Promise<Moved> {
  return from.transaction(async (source) => {
    for (const statement of ALIKE.split(';')) await source(statement)
    return to.transaction(async (target) => {
      for (const statement of ALIKE.split(';')) await target(statement)
      const tables = await listTables(source)
      const names = tables.map(({ name }) => name)
      await target(`lock table ${names.join()} in access exclusive mode`)
      await requireUnused(target, names)

      // Rows come in any order, and triggers must not notify, count or log old data again.
      const keys = await foreignKeys(target)
      for (const { table, name } of keys) await target(`alter table ${table} drop constraint ${name}`)
      for (const name of names) await target(`alter table ${name} disable trigger user`)
      await target(`truncate ${names.join()}`)
      const moved: Moved['tables'] = []
      for (const table of tables) {
        await copyTable(table, source, target)
        moved.push({ name: table.name, ...(await printTable(source, table)) })
        const arrived = { name: table.name, ...(await printTable(target, table)) }
        if (!isDeepStrictEqual(arrived, moved.at(-1))) throw differs(table.name)
      }
      for (const { name, last, isCalled } of await sequences(source))
        await target('select setval($1::regclass, $2, $3)', [name, last, isCalled])
      const store = createDatabaseStore({ query: target, transaction: (run) => run(target) })
      const media = await copyMedia(mediaFolder, store, target)
      for (const name of names) await target(`alter table ${name} enable trigger user`)
      // Adding a foreign key back checks all rows.
      for (const { table, name, definition } of keys)
        await target(`alter table ${table} add constraint ${name} ${definition}`)
      return { tables: moved, media }
    }, NO_LIMIT)
  })
}

/** There is no limit, because one statement copies a whole table. */
const NO_LIMIT = { limitMs: Number.POSITIVE_INFINITY }

async function requireUnused(target: Query, names: readonly string[]) {
  const used: string[] = []
  for (const name of names.filter((one) => !SEEDED.includes(one))) {
    const { rows } = await target<{ rows: number }>(`select count(*) as rows from ${name}`)
    if (rows[0]?.rows) used.push(`${name} (${rows[0].rows.toLocaleString('pt-BR')})`)
  }
  if (used.length > 0)
    throw new PortalError(
      'move.not-empty',
      `O banco de destino já tem dados: ${used.join(', ')}. Use um banco vazio.`,
    )
}

const differs = (table: string) =>
  new PortalError(
    'move.differs',
    `A tabela ${table} não chegou ao destino como saiu. Nada foi gravado lá, e nada mudou aqui.`,
  )
