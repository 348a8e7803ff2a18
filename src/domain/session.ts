// Who is signed in, as the screens know it.

export type Role = 'admin' | 'broker'

export type AdminUser = { id: string; username: string; role: 'admin' }

export type BrokerUser = {
  id: string
  username: string
  role: 'broker'
  /** The broker's line at the WhatsApp gateway; null until it was made. */
  instanceId: string | null
  instanceName: string
  hasWhatsAppSession: boolean
}

export type SessionUser = AdminUser | BrokerUser

/** What an access token says of its owner. */
export type TokenClaims = {
  sub: string
  app_metadata: {
    portal_role: string
    username: string
    instance_id?: string | null | undefined
    instance_name?: string | null | undefined
    /** The password was right, and a code of the second step is still owed: it opens nothing yet. */
    awaits_code?: boolean | undefined
  }
}

/** The person a token speaks of; null where it is a machine's, names no instance, or still awaits a code. */
export function toSessionUser({ sub, app_metadata: owner }: TokenClaims): SessionUser | null {
  if (owner.awaits_code === true) return null
  if (owner.portal_role === 'admin') return { id: sub, username: owner.username, role: 'admin' }
  if (owner.portal_role !== 'broker' || !owner.instance_name) return null
  return {
    id: sub,
    username: owner.username,
    role: 'broker',
    instanceId: owner.instance_id ?? null,
    instanceName: owner.instance_name,
    hasWhatsAppSession: false,
  }
}

const LOGIN_DOMAIN = { admin: 'admin.local', broker: 'corretor.local' } satisfies Record<Role, string>

/** The e-mail that stands for a username on the sign-in wire. */
export function loginEmail(role: Role, username: string): string {
  return `${username}@${LOGIN_DOMAIN[role]}`
}

/** What an account can be called. */
export const USERNAME = /^[a-z0-9._-]{1,60}$/

/** The username that a person typed; null when no account can have it. */
export function toUsername(typed: string): string | null {
  const username = typed.trim().toLowerCase()
  return USERNAME.test(username) ? username : null
}

/** The role and username that an e-mail of the sign-in wire stands for; null for any other. */
export function fromLoginEmail(email: string): { role: Role; username: string } | null {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase()
  const role = (['admin', 'broker'] as const).find((known) => LOGIN_DOMAIN[known] === domain)
  const username = toUsername(email.slice(0, Math.max(at, 0)))
  return role && username !== null ? { role, username } : null
}
