// The words for the one-time link of a first access, a broker's or an administrator's.

export const INVITE_TITLE = 'Link de primeiro acesso'

/** `portal` as its pages are called: with the agency's name where one was given. */
export const inviteHint = (name: string, portal: string) =>
  `Envie este link para ${name} criar a própria senha no ${portal}. Ele vale uma vez, por 7 dias, e não será mostrado de novo.`

/** What is sent along with the link, so that who gets it knows what it opens. */
export const inviteMessage = (name: string, portal: string, link: string) =>
  `Olá, ${name}! Este é o seu acesso ao ${portal}. Abra o link e crie a sua senha; ele vale uma vez, por 7 dias:\n${link}`
