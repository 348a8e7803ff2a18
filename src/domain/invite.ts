// The words for the one-time link of a first access, a broker's or an administrator's.

export const INVITE_TITLE = 'Link de primeiro acesso'

export const inviteHint = (name: string) =>
  `Envie este link para ${name} criar a própria senha. Ele vale uma vez, por 7 dias, e não será mostrado de novo.`
