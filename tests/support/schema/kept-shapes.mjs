// What the server's statements answer, read once and kept: reading the types of the whole server takes seconds.
import { access, rename, writeFile } from 'node:fs/promises'
import { templateFolder } from '../runner/template-cache.mjs'

const SOURCES = ['server', 'src/domain', 'tests/support/schema/sql-shapes.mjs']

/**
 * The JSON file of what `readSqlShapes` answers, made again when a source of it changes.
 * @returns {Promise<string>}
 */
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
