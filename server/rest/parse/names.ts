// Names in the query string: plain or quoted, with a path into a JSON column.
import { unreadable } from '../errors.ts'
import { MAX_JSON_PATH } from '../limits.ts'
import { Scanner } from './scanner.ts'

export type JsonStep = { arrow: '->' | '->>' } & ({ key: string } | { index: string })

/** A column, and the steps into its JSON value. */
export type Field = { name: string; path: readonly JsonStep[] }

const PLAIN = /[\p{L}\p{M}\p{N}_ $]+(?:-(?!>)[\p{L}\p{M}\p{N}_ $]+)*/uy
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y
const JSON_INDEX = /[+-]?\d+(?=->|::|[.,)]|$)/y
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/y

/** A double-quoted text with its escapes resolved, or null if none follows. */
export function readQuoted(scanner: Scanner): string | null {
  const found = scanner.match(QUOTED)
  return found ? (found[1] ?? '').replaceAll(/\\([\s\S])/g, '$1') : null
}

export function readName(scanner: Scanner): string {
  const name = readQuoted(scanner) ?? scanner.match(PLAIN)?.[0].replaceAll(/ *- */g, '-').trim()
  return name || scanner.fail('field name (* or [a..z0..9_$])')
}

/** A column with its JSON path; skips blanks around it. */
export function readField(scanner: Scanner): Field {
  scanner.skipBlanks()
  const field = { name: readName(scanner), path: readJsonPath(scanner) }
  scanner.skipBlanks()
  return field
}

function readJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = []
  for (;;) {
    const arrow = scanner.take('->>') ? '->>' : scanner.take('->') ? '->' : null
    if (arrow === null) return path
    if (path.length === MAX_JSON_PATH) throw unreadable(`A JSON path may have ${MAX_JSON_PATH} steps`)
    const index = scanner.match(JSON_INDEX)?.[0]
    path.push(index === undefined ? { arrow, key: readJsonKey(scanner) } : { arrow, index })
  }
}

function readJsonKey(scanner: Scanner): string {
  const key = readQuoted(scanner) ?? scanner.match(JSON_KEY)?.[0].trim()
  return key ?? scanner.fail('any non reserved character different from: .,>()')
}

/** Splits `tasks.projects.name->x` into the embeds and the field. */
export function parseTreePath(key: string): { embeds: string[]; field: Field } {
  const scanner = new Scanner(key, `failed to parse tree path (${key})`)
  const embeds: string[] = []
  let name = readName(scanner)
  while (scanner.take('.')) {
    embeds.push(name)
    name = readName(scanner)
  }
  const path = readJsonPath(scanner)
  scanner.expectEnd('delimiter (.), "->>", "->" or end of input')
  return { embeds, field: { name, path } }
}

/** The list of `columns` or `on_conflict`. */
export function parseNames(text: string, parameter: 'columns' | 'on_conflict'): string[] {
  const scanner = new Scanner(text, `failed to parse ${parameter} parameter (${text})`)
  const names: string[] = []
  do {
    scanner.skipBlanks()
    names.push(readName(scanner))
    scanner.skipBlanks()
  } while (scanner.take(','))
  scanner.expectEnd('"," or end of input')
  return [...new Set(names)]
}
