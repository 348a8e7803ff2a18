// The objects of the schema files that can be created again: functions, views, triggers, policies, comments and grants,
// by name.
import { createHash } from 'node:crypto'
import { splitStatements } from './statements.ts'

/**
 * `function portal.x`, `view portal.x`, `trigger x on portal.t`, `policy x on public.t`, each with its comment and
 * grants;
 * `grants public.t` of a table, `comment column portal.t.c` and the like of what cannot be replaced itself.
 */
export type SchemaObject = {
  name: string
  kind: Kind
  /** The statements that create it; empty for grants and comments alone. */
  create?: string
  comments: string[]
  grants: string[]
  /** A hash of its text. */
  hash: string
}

type Kind = 'function' | 'view' | 'trigger' | 'policy' | 'grants' | 'comment'

const NAME = String.raw`[\w."]+`
const CREATES: [Kind, RegExp][] = [
  ['function', new RegExp(`^create function (${NAME})\\s*\\(`)],
  ['view', new RegExp(`^create view (${NAME})\\s`)],
  ['trigger', new RegExp(`^create (?:constraint )?trigger (${NAME})\\s[^]*? on (${NAME})\\s`)],
  ['policy', new RegExp(`^create policy (${NAME}) on (${NAME})\\s`)],
]
const COMMENT = new RegExp(`^comment on (\\w+) (${NAME})(?:\\s*\\([^]*?\\))?(?: on (${NAME}))? is\\s`)
const GRANT = new RegExp(
  `^(?:grant|revoke) [^]+?\\son (?:(function|schema|sequence|table) )?(${NAME})(?:\\([^]*?\\))?\\s+(?:to|from)\\s`,
)

/** The objects of these texts, in the order of the files. */
export function readObjects(sql: string): SchemaObject[] {
  const objects = new Map<string, SchemaObject>()
  const of = (name: string, kind: Kind) => {
    const known = objects.get(name)
    if (known) return known
    const made: SchemaObject = { name, kind, comments: [], grants: [], hash: '' }
    objects.set(name, made)
    return made
  }
  for (const statement of splitStatements(sql)) {
    const created = createdBy(statement)
    if (created) {
      if (objects.has(created.name)) throw new Error(`${created.name} is made twice in supabase/schemas`)
      of(created.name, created.kind).create = statement
      continue
    }
    const [, kind = '', name = '', table] = COMMENT.exec(statement) ?? []
    if (kind !== '') {
      const full = `${kind} ${name}${table === undefined ? '' : ` on ${table}`}`
      const owner = objects.get(full) ?? of(`comment ${full}`, 'comment')
      owner.comments.push(statement)
      continue
    }
    if (!/^(?:comment|grant|revoke) /.test(statement)) continue
    const [, target, granted = ''] = GRANT.exec(statement) ?? []
    if (granted === '') throw new Error(`supabase/schemas has a statement of an unknown form: ${statement}`)
    const owner =
      objects.get(`${target ?? 'view'} ${granted}`) ??
      of(`grants ${target === undefined || target === 'table' ? '' : `${target} `}${granted}`, 'grants')
    owner.grants.push(statement)
  }
  for (const object of objects.values()) object.hash = hashOf(object)
  return [...objects.values()]
}

function createdBy(statement: string): { name: string; kind: Kind } | null {
  for (const [kind, pattern] of CREATES) {
    const [, name, table] = pattern.exec(statement) ?? []
    if (name !== undefined)
      return { kind, name: `${kind} ${name}${table === undefined ? '' : ` on ${table}`}` }
  }
  return null
}

const hashOf = ({ create = '', comments, grants }: SchemaObject): string =>
  createHash('sha256')
    .update([create, ...comments, ...grants].join(';\n'))
    .digest('base64url')

const TABLE_PARTS = [
  new RegExp(`^create table (${NAME})`),
  new RegExp(`^create (?:unique )?index \\w+ on (${NAME})`),
  new RegExp(`^alter table (${NAME})`),
]

/** The statements that create a table with its indexes and row security. They run once, for a new table. */
export const tableParts = (sql: string, table: string): string[] =>
  splitStatements(sql).filter((statement) =>
    TABLE_PARTS.some((pattern) => pattern.exec(statement)?.[1] === table),
  )

/** One hash of all objects and numbered migrations: it names the schema of one release. */
export function fingerprintOf(objects: readonly SchemaObject[], versions: readonly string[]): string {
  const hash = createHash('sha256').update(versions.join())
  for (const object of objects) hash.update(`\n${object.name} ${object.hash}`)
  return hash.digest('base64url')
}

/**
 * The statements that bring an object to the text of its file, whatever it was before. None of them changes a table.
 */
export function restate(object: SchemaObject): string[] {
  const { kind, name, create = '', comments, grants } = object
  const target = targetOf(object)
  const again = {
    function: () => [create.replace('create function', 'create or replace function')],
    view: () => [create.replace('create view', 'create or replace view')],
    trigger: () =>
      create.startsWith('create constraint trigger')
        ? [`drop trigger if exists ${target}`, create]
        : [create.replace('create trigger', 'create or replace trigger')],
    policy: () => [`drop policy if exists ${target}`, create],
    grants: () => [],
    comment: () => [],
  }[kind]()
  const isGranted = grants.length > 0 || kind === 'function' || kind === 'view'
  return [...again, ...(isGranted ? resetGrants(kind, name) : []), ...grants, ...comments]
}

/** Resets the grants to those of a new object: none, except for the service role in `public`. */
export function resetGrants(kind: Kind, name: string): string[] {
  const on =
    kind === 'view' || kind === 'function' ? name.replace(/^view /, '') : name.replace(/^grants /, '')
  const isPublic = /^(?:function |sequence )?public\./.test(on)
  return [
    `revoke all on ${on} from public, anon, authenticated, service_role`,
    ...(isPublic ? [`grant all on ${on} to service_role`] : []),
  ]
}

/** The object's name as statements such as `drop trigger …` expect it. */
export const targetOf = ({ name, kind }: Pick<SchemaObject, 'name' | 'kind'>): string =>
  name.slice(kind.length + 1)

/** The table that a trigger or a policy belongs to. */
export const tableOf = (object: Pick<SchemaObject, 'name' | 'kind'>): string =>
  targetOf(object).replace(/^\S+ on /, '')
