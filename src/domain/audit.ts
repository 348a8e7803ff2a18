// An entry of the audit log on its screen and in its file: the actor, and the action as a sentence
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
  /** The object of the action: a username, or the name of a stage, an agent, a rotation. */
  subject: string | null
  details: Details
}

const WORDS = new Map<string, DeedWords>(AUDIT_AREAS.flatMap(({ deeds }) => Object.entries<DeedWords>(deeds)))

/** The actions of an area; null for an unknown one. */
export function actionsOf(area: string): string[] | null {
  const found = AUDIT_AREAS.find((known) => known.area === area)
  return found ? Object.keys(found.deeds) : null
}

/** 'Passou 12 leads de camila para rafael'; the action's code if this version does not know it. */
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

/** A username, or the kind of actor if nobody was signed in. */
export const auditActor = ({ actor, actorRole }: Pick<AuditEntry, 'actor' | 'actorRole'>): string =>
  actor ?? ROLES[actorRole]
