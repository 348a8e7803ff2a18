// An entry of the audit log, as its screen and its file show it: who acted, and the action as a sentence
// (audit-deeds.ts).
import { AUDIT_AREAS, type DeedWords, type Details } from './audit-deeds.ts'
import { textOf } from './audit-words.ts'

export type AuditRole = 'admin' | 'broker' | 'gerente' | 'service' | 'system' | 'stranger'

export type AuditEntry = {
  id: number
  atMs: number
  /** Username; null for somebody who was not signed in. */
  actor: string | null
  actorRole: AuditRole
  action: string
  /**
   * What the action changed: a username, or the name of a stage, an agent or a rotation. Null if it changed nothing
   * that has a name.
   */
  subject: string | null
  details: Details
}

const WORDS = new Map<string, DeedWords>(AUDIT_AREAS.flatMap(({ deeds }) => Object.entries<DeedWords>(deeds)))

/** The names of an area's actions; null if there is no such area. */
export function actionsOf(area: string): string[] | null {
  const found = AUDIT_AREAS.find((known) => known.area === area)
  return found ? Object.keys(found.deeds) : null
}

/**
 * For example 'Passou 12 leads de camila para rafael'. An action that this version does not know is shown by its name.
 */
export function auditSentence({ action, subject, details }: AuditEntry): string {
  const text = (name: string) => textOf(details[name])
  const count = Number(details['count'] ?? 0)
  return WORDS.get(action)?.({ subject: subject ?? '', text, count, details }) ?? action
}

const ROLES = {
  admin: 'Administrador',
  broker: 'Corretor',
  gerente: 'Gerente',
  service: 'Integração',
  system: 'Sistema',
  stranger: 'Sem acesso',
} satisfies Record<AuditRole, string>

export const auditRole = (role: AuditRole): string => ROLES[role]

/** Tells who acted: a username, or the kind of actor if nobody was signed in. */
export const auditActor = ({ actor, actorRole }: Pick<AuditEntry, 'actor' | 'actorRole'>): string =>
  actor ?? ROLES[actorRole]
