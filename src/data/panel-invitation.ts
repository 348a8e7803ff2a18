// The one-time link with which somebody sets the first password of an account of the panel.
import * as v from 'valibot'

const Invited = v.object({ username: v.string(), invite: v.string() })

export type PanelInvitation = { username: string; link: string }

export function toPanelInvitation(answer: unknown): PanelInvitation {
  const { username, invite } = v.parse(Invited, answer)
  const search = new URLSearchParams({ usuario: username, convite: invite })
  return { username, link: `${location.origin}/panel?${search.toString()}` }
}
