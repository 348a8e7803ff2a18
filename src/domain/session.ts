// The signed-in person as the screens know it.

export type Role = 'admin' | 'broker' | 'gerente'
/** The two sign-in pages. Gerentes who are no brokers use the administrators' one. */
export type Door = 'admin' | 'broker'

/** Somebody who uses the administrators' screens: an administrator, or a gerente who is no broker. */
export type PanelUser = { id: string; username: string; role: 'admin' | 'gerente' }

export type BrokerUser = {
  id: string
  username: string
  role: 'broker'
  /** The id of the broker's WhatsApp instance; null until it is created. */
  instanceId: string | null
  instanceName: string
  hasWhatsAppSession: boolean
  /** True if the broker also leads a team. */
  isLeader?: boolean | undefined
}

export type SessionUser = PanelUser | BrokerUser

/** The claims of an access token. */
export type TokenClaims = {
  sub: string
  app_metadata: {
    portal_role: string
    username: string
    instance_id?: string | null | undefined
    instance_name?: string | null | undefined
    leads_team?: boolean | undefined
    /** True if the second factor is still missing, so the token gives no access. */
    awaits_code?: boolean | undefined
  }
}

/**
 * Returns the signed-in person of a token. Null for a machine's token, a broker's without an instance, and while the
 * second factor is missing.
 */
export function toSessionUser({ sub, app_metadata: owner }: TokenClaims): SessionUser | null {
  if (owner.awaits_code === true) return null
  if (owner.portal_role === 'admin' || owner.portal_role === 'gerente')
    return { id: sub, username: owner.username, role: owner.portal_role }
  if (owner.portal_role !== 'broker' || !owner.instance_name) return null
  return {
    id: sub,
    username: owner.username,
    role: 'broker',
    instanceId: owner.instance_id ?? null,
    instanceName: owner.instance_name,
    hasWhatsAppSession: false,
    isLeader: owner.leads_team,
  }
}

const LOGIN_DOMAIN = { admin: 'admin.local', broker: 'corretor.local' } satisfies Record<Door, string>

/** Returns the e-mail address that stands for a username in the sign-in protocol. */
export function loginEmail(role: Role, username: string): string {
  return `${username}@${LOGIN_DOMAIN[role === 'broker' ? role : 'admin']}`
}

/** Matches a valid username. */
export const USERNAME = /^[a-z0-9._-]{1,60}$/

/** Returns the username that a person typed; null if it is not valid. */
export function toUsername(typed: string): string | null {
  const username = typed.trim().toLowerCase()
  return USERNAME.test(username) ? username : null
}

/** Returns the sign-in page and username that an e-mail address stands for; null for any other address. */
export function fromLoginEmail(email: string): { role: Door; username: string } | null {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  const role = (['admin', 'broker'] as const).find((known) => LOGIN_DOMAIN[known] === domain)
  const username = toUsername(email.slice(0, Math.max(at, 0)))
  return role && username !== null ? { role, username } : null
}
