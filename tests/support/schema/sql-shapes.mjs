// Reads from the server's sources the declared row type of each SQL statement, so that tests can check real rows.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { inRoot } from '#server/ops/cli/root.mjs'

/**
 * The possible values: 'any', a kind of value, a list, an object, or one of several.
 * @typedef {'any' | 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bytes' | { value: string | number |
 * boolean }
 * | { list: Shape } | { fields: Record<string, Shape> } | { oneOf: Shape[] }} Shape
 */

/** Deeper than any of our rows, so that a recursive type ends. */
const DEEPEST = 8
/** Functions whose type argument is a row, and those whose type argument is the single value `answer`. */
const ROW_CALLS = new Set(['query', 'rows'])
/** Stands for text inserted into a statement at run time. */
export const HOLE = '\u0000'
const ANSWER_CALLS = new Set(['ask', 'one'])

/**
 * The shape of a row by its statement, with whitespace normalised; and the files whose typed statements are built at
 * run time,
 * which cannot be checked.
 * @returns {{ shapes: Record<string, { at: string, row: Shape }[]>, unread: string[] }}
 */
export function readSqlShapes() {
  const files = readdirSync(inRoot('server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => inRoot('server', file))
  const config = ts.readConfigFile(inRoot('server/tsconfig.json'), ts.sys.readFile).config
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, inRoot('server'))
  const program = ts.createProgram(files, { ...options, incremental: false, composite: false })
  const checker = program.getTypeChecker()
  /** @type {Record<string, { at: string, row: Shape }[]>} */
  const shapes = {}
  /** @type {Set<string>} */
  const unread = new Set()
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (source) visit(source)
  }
  return { shapes, unread: [...unread].toSorted() }

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isCallExpression(node) && node.typeArguments?.length === 1) note(node, node.typeArguments[0])
    ts.forEachChild(node, visit)
  }

  /** @param {ts.CallExpression} call @param {ts.TypeNode | undefined} type */
  function note(call, type) {
    const name = ts.isPropertyAccessExpression(call.expression)
      ? call.expression.name.text
      : call.expression.getText()
    const isAnswer = ANSWER_CALLS.has(name)
    if (!type || (!isAnswer && !ROW_CALLS.has(name))) return
    const texts = call.arguments.slice(0, 2).map(textOf)
    const text = texts.find(
      (one) => one !== null && /\b(?:select|insert|update|delete|with|portal\.)/iu.test(one),
    )
    const shape = shapeOf(checker.getTypeFromTypeNode(type), 0)
    const source = call.getSourceFile()
    const file = path.relative(inRoot(), source.fileName)
    if (shape === 'any') return
    if (!text) return void unread.add(file)
    const isWhole = /^\s*(?:select|with|insert|update|delete)\b/iu.test(text)
    const sql = plain(isAnswer && !isWhole ? `select ${text} as answer` : text)
    const line = source.getLineAndCharacterOfPosition(call.getStart()).line + 1
    ;(shapes[sql] ??= []).push({
      at: `${file}:${line}`,
      row: isAnswer ? { fields: { answer: shape } } : shape,
    })
  }

  /**
   * A statement's text from the source, with constants inserted; null if it is built at run time.
   * @param {ts.Expression | undefined} node @returns {string | null}
   */
  function textOf(node) {
    if (!node) return null
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ expression, literal }) => {
        return (textOf(expression) ?? HOLE) + literal.text
      })
      return node.head.text + parts.join('')
    }
    if (!ts.isIdentifier(node)) return null
    const symbol = checker.getSymbolAtLocation(node)
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const declaration = target?.valueDeclaration
    const isConstant =
      declaration && ts.isVariableDeclaration(declaration) && declaration.parent.flags & ts.NodeFlags.Const
    return isConstant ? textOf(declaration.initializer) : null
  }

  /** @param {ts.Type} type @param {number} depth @returns {Shape} */
  function shapeOf(type, depth) {
    const { flags } = type
    if (depth > DEEPEST || flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter))
      return 'any'
    if (flags & ts.TypeFlags.Null) return 'null'
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return 'undefined'
    if (type.isStringLiteral() || type.isNumberLiteral()) return { value: type.value }
    if (flags & ts.TypeFlags.BooleanLiteral) return { value: checker.typeToString(type) === 'true' }
    if (flags & ts.TypeFlags.StringLike) return 'string'
    if (flags & ts.TypeFlags.NumberLike) return 'number'
    if (flags & ts.TypeFlags.BooleanLike && !type.isUnion()) return 'boolean'
    if (type.isUnion()) return { oneOf: type.types.map((one) => shapeOf(one, depth + 1)) }
    if (checker.isArrayLikeType(type)) {
      const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
      return { list: element ? shapeOf(element, depth + 1) : 'any' }
    }
    if (/^(?:Uint8Array|Buffer)/u.test(type.symbol?.name ?? '')) return 'bytes'
    const fields = type.getProperties().map((property) => {
      const shape = shapeOf(checker.getTypeOfSymbol(property), depth + 1)
      return [
        property.name,
        property.flags & ts.SymbolFlags.Optional ? { oneOf: [shape, 'undefined'] } : shape,
      ]
    })
    return fields.length === 0 ? 'any' : { fields: Object.fromEntries(fields) }
  }
}

/** @param {string} sql */
export const plain = (sql) => sql.replace(/\s+/gu, ' ').trim()
