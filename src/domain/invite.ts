// Texts for the one-time link of a first access, for brokers and administrators.

export const INVITE_TITLE = 'Link de primeiro acesso'

/** `portal` is the portal's name, with the agency's name if there is one. */
const inviteHint = (name: string, portal: string) =>
  `Envie este link para ${name} criar a própria senha no ${portal}. Ele vale uma vez, por 7 dias, e não será mostrado de novo.`

/** Returns the message with which an administrator sends the link. */
export const inviteMessage = (name: string, portal: string, link: string) =>
  `Olá, ${name}! Este é o seu acesso ao ${portal}. Abra o link e crie a sua senha; ele vale uma vez, por 7 dias:\n${link}`

/** What a dialog shows of the link. */
export const inviteWords = (name: string, portal: string, link: string) => ({
  link,
  hint: inviteHint(name, portal),
  message: inviteMessage(name, portal, link),
})
