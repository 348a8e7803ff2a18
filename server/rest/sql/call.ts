// Calling a function, and selecting from what it returns.
import type { Argument, Column, Routine, Table } from '../catalog/model.ts'
import type { Level } from '../parse/select.ts'
import type { JsonBody } from '../request/body.ts'
import { answerSql, RESPONSE_SETTINGS, SCALAR, SOURCE, type BodyForm } from './answer.ts'
import { buildLevel, levelSql } from './level.ts'
import { countSql } from './read.ts'
import { definitions } from './rows.ts'
import { arrayLiteral, qualified, quoteName, type Scope, type Source, type Statement } from './statement.ts'

/** The arguments: from the query string, from a JSON body, or the whole body as the one unnamed argument. */
export type Arguments =
  | { kind: 'texts'; args: readonly (readonly [name: string, value: string])[] }
  | { kind: 'json'; names: readonly string[]; body: JsonBody }
  | { kind: 'whole'; text: string }

export type Calling = { level: Level; args: Arguments; isCounted: boolean; body: BodyForm }

export function callSql(scope: Scope, routine: Routine, calling: Calling): string {
  const source: Source = { alias: quoteName(routine.name), name: routine.name, table: rowShape(routine) }
  const built = buildLevel(scope, source, calling.level)
  const from = `${SOURCE} as ${source.alias}`
  return answerSql({
    source: invocationSql(scope.statement, routine, calling.args),
    page: levelSql(built, from),
    body: calling.body,
    extras: [
      ...(calling.isCounted ? [countSql(scope, calling.level, { built, from })] : []),
      ...RESPONSE_SETTINGS,
    ],
  })
}

/** The returned table, or one built from the OUT parameters; null for unknown columns. */
function rowShape({ schema, name, returns }: Routine): Table | null {
  if (returns.table || returns.columns.length === 0) return returns.table
  const columns = returns.columns.map((name): [string, Column] => [
    name,
    { name, type: '', defaultSql: null, readOnlyFor: [] },
  ])
  return { schema, name, columns: new Map(columns), primaryKey: [], writes: [] }
}

const CALL = '"pgrst_call"'
const ARGS = '"pgrst_args"'

function invocationSql(statement: Statement, routine: Routine, args: Arguments): string {
  const { list, from } = argumentsSql(statement, routine, args)
  const call = `${qualified(routine)}(${list})`
  if (routine.returns.kind !== 'row')
    return `select ${call} as ${quoteName(SCALAR)}${from === null ? '' : ` from ${from}`}`
  return `select ${CALL}.* from ${from === null ? '' : `${from}, lateral `}${call} as ${CALL}`
}

type ArgumentList = { list: string; from: string | null }

function argumentsSql(statement: Statement, routine: Routine, args: Arguments): ArgumentList {
  if (args.kind === 'whole')
    return { list: `${statement.bind(args.text)}::${routine.args[0]?.type ?? 'text'}`, from: null }
  if (args.kind === 'texts') return { list: textArguments(statement, routine, args.args), from: null }
  const used = routine.args.filter(({ name }) => args.names.includes(name))
  if (used.length === 0) return { list: '', from: null }
  const list = used.map((arg) => named(arg, `${ARGS}.${quoteName(arg.name)}`)).join(', ')
  const text = `${statement.bind(args.body.text)}::json`
  const from = args.body.isArray
    ? `(select * from json_to_recordset(${text}) as rows${definitions(used)} limit 1) as ${ARGS}`
    : `json_to_record(${text}) as ${ARGS}${definitions(used)}`
  return { list, from }
}

function textArguments(
  statement: Statement,
  routine: Routine,
  args: readonly (readonly [name: string, value: string])[],
): string {
  return routine.args
    .flatMap((arg) => {
      const values = args.filter(([name]) => name === arg.name).map(([, value]) => value)
      const last = values.at(-1)
      if (last === undefined) return []
      const bound = statement.bind(arg.isVariadic ? arrayLiteral(values) : last)
      return [named(arg, `${bound}::${arg.type}`)]
    })
    .join(', ')
}

const named = (arg: Argument, value: string) =>
  `${arg.isVariadic ? 'variadic ' : ''}${quoteName(arg.name)} := ${value}`
