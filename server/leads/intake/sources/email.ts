// E-mails: a portal's notice, a form's or a person's own, posted by an inbound mail service or read from the
// mailbox. Contracts: https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/inbound-email
// https://postmarkapp.com/developer/webhooks/inbound-webhook
// https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
// https://docs.cloudmailin.com/http_post_formats/
import { isMail, mailIn } from '../mail/mail.ts'
import { readMail } from '../mail/read-mail.ts'
import { objectOf } from '../new-lead.ts'
import type { Source } from '../source.ts'

export const email: Source = {
  read: (body, settings) => {
    const lead = readMail(mailIn(objectOf(body)))
    return [{ ...lead, source: settings.source ?? lead.source ?? 'email' }]
  },
  recognises: isMail,
  example: {
    contract: 'https://postmarkapp.com/developer/webhooks/inbound-webhook',
    contentType: 'application/json',
    body: {
      FromName: 'Imobiliária',
      From: 'contato@imobiliaria.example',
      To: 'leads@inbound.example',
      ReplyTo: 'marina@example.com',
      Subject: 'Enc: Você recebeu um novo contato',
      MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
      Date: 'Fri, 20 Nov 2026 15:50:30 -0300',
      TextBody: [
        '---------- Mensagem encaminhada ----------',
        'De: Viva Real <nao-responda@vivareal.com.br>',
        '',
        'Você recebeu um novo contato!',
        '',
        'Nome: Marina Tavares',
        'E-mail: marina@example.com',
        'Telefone: (11) 95550-0142',
        'Código do imóvel: 4471',
        'Mensagem:',
        'Olá, tenho interesse.',
        'Podem me ligar?',
        '',
        'Central de atendimento: 0800 000 0000',
      ].join('\n'),
      HtmlBody: '',
      Headers: [],
      Attachments: [],
    },
  },
  preset: {
    name: 'E-mail de um portal',
    what: 'Sua caixa de e-mail, ou avisos por SendGrid, Postmark, Mailgun',
    initials: '@',
    hue: 'conversa',
    place: 'Dê este endereço ao serviço que recebe os e-mails encaminhados',
  },
}
