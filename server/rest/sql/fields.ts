// A column, its JSON path and its cast as SQL.
import { RestError } from '../errors.ts'
import type { Field } from '../parse/names.ts'
import { quoteName, type Source, type Statement } from './statement.ts'

/** The value of `field`; a name that is no column may be a function of the row, which Postgres resolves. */
export function fieldSql(statement: Statement, source: Source, field: Field): string {
  source.reads?.add(field.name)
  const column = `${source.alias}.${quoteName(field.name)}`
  if (field.path.length === 0) return column
  const type = source.table?.columns.get(field.name)?.type
  const steps = field.path.map((step) =>
    'index' in step
      ? `${step.arrow}${statement.bindKey(step.index)}::text::int`
      : `${step.arrow}${statement.bindKey(step.key)}::text`,
  )
  return `(${type === 'json' || type === 'jsonb' ? column : `to_jsonb(${column})`}${steps.join('')})`
}

/** Name of a field in the answer: its last JSON key, else its own name. */
export function fieldName(field: Field): string {
  const step = field.path.findLast((step) => 'key' in step)
  return (step && 'key' in step && step.key) || field.name
}

/** Types allowed after `::`; others are refused like unknown types. */
const CASTS: ReadonlySet<string> = new Set(
  [
    'text,varchar,character varying,char,name,uuid,json,jsonb,bytea,boolean,bool,inet,cidr,tsvector',
    'smallint,int2,integer,int,int4,bigint,int8,numeric,decimal,money,real,float4,double precision,float8',
    'date,interval,time,timetz,time without time zone,time with time zone',
    'timestamp,timestamptz,timestamp without time zone,timestamp with time zone',
  ].flatMap((names) => names.split(',')),
)

export function castSql(expression: string, cast: string | null): string {
  if (cast === null) return expression
  const name = cast.toLowerCase().replaceAll(/ +/g, ' ')
  if (!CASTS.has(name))
    throw new RestError({
      status: 400,
      code: '42704',
      message: `type ${JSON.stringify(cast)} does not exist`,
    })
  return `cast(${expression} as ${name})`
}
