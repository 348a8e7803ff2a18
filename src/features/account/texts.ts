// Texts of a broker's account.
import type { Link } from '#domain/link.ts'

const STATE = {
  open: 'Conectado',
  dead: 'Parou de responder',
  connecting: 'Conectando',
  close: 'Desconectado',
  unconfigured: 'Não configurado',
  unreachable: 'Fora do ar',
} satisfies Record<Link['state'], string>

export const linkWords = (state: Link['state']) => STATE[state]

export const AGENDA = 'Agenda de visitas'

export const PRIVATE = 'Particulares'

export const CHANGE_PASSWORD = 'Trocar senha'

export const PUSHES = 'Avisos'

export const removeDevice = (name: string) => `Remover ${name}`
