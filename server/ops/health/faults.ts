// The words for what can be wrong with the portal, and how errors of the database map to them.
import { SqlError } from '#server/db/database.ts'

/** 'database-silent': the database takes the question and does not answer. */
export type DatabaseFault = 'database-down' | 'database-silent' | 'read-only' | 'disk-full'
export type Fault =
  DatabaseFault | 'table-damaged' | 'media-away' | 'backup-failing' | 'backup-late' | 'worker-failing'

/** The sentences that `npm run backup` prints. */
export const WORDS: Record<Fault, string> = {
  'database-down': 'o banco de dados está fora do ar',
  'database-silent': 'o banco de dados não responde',
  'read-only': 'o banco de dados só aceita leitura',
  'disk-full': 'o disco está cheio',
  'table-damaged': 'uma tabela do banco está danificada',
  'media-away': 'o depósito de mídias não responde',
  'backup-failing': 'a última cópia de segurança falhou',
  'backup-late': 'a última cópia de segurança tem mais de dois dias',
  'worker-failing': 'uma tarefa do portal está falhando',
}

const BY_CODE: Record<string, DatabaseFault | 'table-damaged'> = {
  '25006': 'read-only',
  EROFS: 'read-only',
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  XX001: 'table-damaged',
  XX002: 'table-damaged',
  '58P01': 'table-damaged',
  '58030': 'table-damaged',
}

export const isDamage = (error: unknown): boolean => faultOf(error) === 'table-damaged'

/** The fault that an error of the database means. Null: it means none of them. */
export function faultOf(error: unknown): DatabaseFault | 'table-damaged' | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A connection that was cut, because no answer came.
  if (error instanceof SqlError && code.startsWith('08') && /terminated|timeout/.test(error.message))
    return 'database-silent'
  return BY_CODE[code] ?? faultOf(error.cause)
}
