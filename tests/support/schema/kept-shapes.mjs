// Caches the row types of the server's SQL statements, because reading the whole server's types takes seconds.
import { access, rename, writeFile } from 'node:fs/promises'
import { templateFolder } from '../runner/template-cache.mjs'

const SOURCES = ['server', 'src/domain', 'tests/support/schema/sql-shapes.mjs']

/** The JSON file with the result of `readSqlShapes`, made again when its sources change. @returns {Promise<string>} */
export async function keptSqlShapes() {
  const file = `${await templateFolder('sql-shapes', SOURCES)}.json`
  try {
    await access(file)
  } catch {
    const { readSqlShapes } = await import('./sql-shapes.mjs')
    const aside = `${file}.${process.pid}`
    await writeFile(aside, JSON.stringify(readSqlShapes()))
    await rename(aside, file)
  }
  return file
}
