// The catalog of the REST layer: exposed tables, relationships, functions.

export type Column = {
  name: string
  /** The type as SQL that resolves under any search path. */
  type: string
  /** The default as SQL, or null; an identity's is the next value of its sequence. */
  defaultSql: string | null
  /**
   * Roles that may read the column and not update it. Nobody updates generated columns and identities that
   * are always generated.
   */
  readOnlyFor: readonly string[]
}

export type WriteMethod = 'POST' | 'PATCH' | 'DELETE'

export type Table = {
  schema: string
  name: string
  columns: Map<string, Column>
  primaryKey: string[]
  /** Allowed writes; a view may lack some. */
  writes: readonly WriteMethod[]
}

export type Cardinality = 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'

/** Pairs of columns that must be equal: here first, there second. */
export type ColumnPairs = [here: string, there: string][]

/** A relationship between tables, by a foreign key, a junction table or a function of the row. */
export type Relationship = {
  origin: Table
  target: Table
  cardinality: Cardinality
  isSelf: boolean
} & (
  | { kind: 'key'; constraint: string; columns: ColumnPairs; targetIsView: boolean }
  | { kind: 'junction'; junction: Table; toOrigin: JunctionSide; toTarget: JunctionSide }
  | { kind: 'computed'; routine: Routine }
)

/** Junction columns first, the other table's second. */
export type JunctionSide = { constraint: string; columns: ColumnPairs }

export type Argument = { name: string; type: string; isOptional: boolean; isVariadic: boolean }

export type Routine = {
  schema: string
  name: string
  args: Argument[]
  isVolatile: boolean
  returns: {
    kind: 'void' | 'scalar' | 'row'
    isSet: boolean
    /** The table whose row type is returned. */
    table: Table | null
    /** Names of the OUT parameters, when the rows are shaped by them. */
    columns: string[]
  }
}

export type Catalog = {
  tables: Map<string, Table>
  /** The relationships of each origin, by its `keyOf`. */
  relationships: Map<string, Relationship[]>
  /** Overloads by `keyOf`. */
  routines: Map<string, Routine[]>
}

export const keyOf = (schema: string, name: string) => JSON.stringify([schema, name])

export const isToOne = ({ cardinality }: Relationship) =>
  cardinality === 'many-to-one' || cardinality === 'one-to-one'
