// A broker on another device, or the administrator: reads the portal's data independent of the test's browser.
import { call } from '../portal.ts'
import { brokerNamed, tokenOf } from './session.ts'

type Next = { id: number; kind: string; note: string }
type LeadRow = { id: number; name: string; status: string; notes: string | null }

export async function elsewhere(origin: string, person = brokerNamed('camila')) {
  const token = await tokenOf(origin, person)
  const ask = async <T>(path: string, sent: { body?: unknown } = {}) => {
    const { status, body } = await call<T>(`${origin}/rest/v1/${path}`, { token, ...sent })
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const run = <T>(name: string, body: unknown) => ask<T>(`rpc/${name}`, { body })
  const read = <T>(query: string) => ask<T[]>(query)
  return {
    token,
    lead: async (name: string) => {
      const [row] = await read<LeadRow>(
        `whatsapp_contacts?select=id,name,status,notes&instanceName=eq.corretor_camila&name=eq.${encodeURIComponent(name)}`,
      )
      return row!
    },
    move: (id: number, slug: string) =>
      run('atualizar_status_lead', { p_contact_id: id, p_novo_status: slug }),
    /** The administrator passes a lead to this broker. */
    passTo: (instanceName: string, id: number) =>
      run('transferir_leads', { p_contact_ids: [id], p_broker_name: instanceName }),
    /** The number of messages with exactly this text. */
    texts: async (body: string) =>
      (await read(`whatsapp_messages?select=id&body=eq.${encodeURIComponent(body)}`)).length,
    /** The messages to this lead, in order. */
    told: async (id: number) =>
      (
        await read<{ body: string }>(
          `whatsapp_messages?select=body&contact_id=eq.${id}&type=eq.outgoing&order=id`,
        )
      ).map(({ body }) => body),
    /** This lead's next action. */
    next: async (id: number) =>
      (await read<{ next: Next[] | null }>(`whatsapp_contacts?select=next&id=eq.${id}`))[0]?.next ?? [],
    finish: (id: number, actionId: number) =>
      run('action_finish', { p_contact_id: id, p_action_id: actionId, p_outcome: 'removed' }),
    note: (id: number, text: string) => run('save_lead_notes', { p_contact_id: id, p_notes: text }),
  }
}
