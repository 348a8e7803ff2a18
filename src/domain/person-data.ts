// What the portal may store about one person, and how an administrator asks for it to show, export or erase it (LGPD
// art. 18).
import { foldText } from './search.ts'

/** Named by a number in any form, or by a lead, because WhatsApp hides some leads' numbers. */
export type PersonAsked = { number: string } | { contactId: number }

/** The lead whose conversation is saved as a file. */
export type ConversationOf = { id: number; name: string | null }

/** For example 'conversa-zuleica-prado-123.pdf'. */
export function conversationFileName({ id, name }: ConversationOf): string {
  const word = foldText(name ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
  return ['conversa', word, `${id}.pdf`].filter(Boolean).join('-')
}

/** The places in the order of portal.held_places. `file` is the name in the export. */
export const PLACES = {
  person: { label: 'Cadastro da pessoa', file: 'pessoa' },
  addresses: { label: 'Endereços no WhatsApp', file: 'enderecos' },
  leads: { label: 'Contatos nos corretores', file: 'contatos' },
  numbers: { label: 'Outros telefones', file: 'telefones' },
  messages: { label: 'Mensagens', file: 'mensagens' },
  stages: { label: 'Mudanças de estágio', file: 'estagios' },
  actions: { label: 'Próximos passos', file: 'proximos-passos' },
  scheduled: { label: 'Mensagens agendadas', file: 'agendadas' },
  interests: { label: 'Interesses e material enviado', file: 'interesses' },
  pages: { label: 'Páginas abertas', file: 'paginas' },
  owners: { label: 'Trocas de corretor', file: 'corretores' },
  intakes: { label: 'Formulários e entradas', file: 'entradas' },
  clicks: { label: 'Cliques em anúncios e conversões', file: 'cliques' },
  distribution: { label: 'Passos na roleta', file: 'roleta' },
  campaigns: { label: 'Campanhas recebidas', file: 'campanhas' },
  agents: { label: 'Memória dos agentes', file: 'agentes' },
  turns: { label: 'Turnos dos agentes', file: 'turnos' },
  pauses: { label: 'Pausas dos agentes', file: 'pausas' },
  merges: { label: 'Contatos unidos', file: 'unioes' },
  operations: { label: 'Cópias de alterações recentes', file: 'alteracoes' },
  pushes: { label: 'Avisos a enviar', file: 'avisos' },
  waiting: { label: 'Eventos em espera', file: 'em-espera' },
  aside: { label: 'Entregas separadas', file: 'separadas' },
} as const satisfies Record<string, { label: string; file: string }>

export type HeldPlace = { place: keyof typeof PLACES; count: number; fromMs: number; toMs: number }

export type HeldLead = {
  id: number
  name: string | null
  number: string | null
  /** The broker's instance name; null if the lead has no broker. */
  instanceName: string | null
  stage: string | null
  createdAtMs: number
  messages: number
}

export type HeldData = {
  optedOutAtMs: number | null
  leads: HeldLead[]
  files: number
  /** The places that have data about the person. */
  places: HeldPlace[]
}
