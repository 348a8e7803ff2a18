// The sources with a reading of their own: what each is called, and where its address goes.

export const KINDS = [
  'olx',
  'imovelweb',
  'chavesnamao',
  'meta',
  'google',
  'rdstation',
  'email',
  'form',
] as const
export type SourceKind = (typeof KINDS)[number]

type Preset = {
  name: string
  what: string
  initials: string
  hue: string
  /** The first step: where the address goes. */
  place: string
}

export const PRESETS: Record<SourceKind, Preset> = {
  olx: {
    name: 'ZAP e OLX',
    what: 'ZAP Imóveis, Viva Real e OLX',
    initials: 'ZO',
    hue: 'contacted',
    place: 'Cole este endereço no Canal Pro, em Integrações',
  },
  imovelweb: {
    name: 'ImovelWeb',
    what: 'Contatos e pedidos de telefone',
    initials: 'IW',
    hue: 'new',
    place: 'Informe este endereço ao ImovelWeb como retorno (callback) de contatos',
  },
  chavesnamao: {
    name: 'Chaves na Mão',
    what: 'Propostas e contatos',
    initials: 'CM',
    hue: 'negociacao',
    place: 'Cole este endereço no painel do Chaves na Mão, em Integrações, Webhooks',
  },
  meta: {
    name: 'Meta',
    what: 'Instagram e Facebook',
    initials: 'ME',
    hue: 'qualified',
    place: 'Cadastre este endereço na Meta como retorno do webhook de leadgen da página',
  },
  google: {
    name: 'Google Ads',
    what: 'Formulário de lead',
    initials: 'GA',
    hue: 'closed',
    place: 'Cole este endereço no formulário de lead do Google Ads, como URL do webhook',
  },
  rdstation: {
    name: 'RD Station',
    what: 'Conversões do Marketing e negociações do CRM',
    initials: 'RD',
    hue: 'remarketing-sent',
    place: 'Crie no RD Station um webhook de conversão com este endereço, em Integrações',
  },
  email: {
    name: 'E-mail de um portal',
    what: 'Sua caixa de e-mail, ou avisos por SendGrid, Postmark, Mailgun',
    initials: '@',
    hue: 'conversa',
    place: 'Dê este endereço ao serviço que recebe os e-mails encaminhados',
  },
  form: {
    name: 'Site ou outro sistema',
    what: 'Formulário próprio, n8n, Make, planilhas',
    initials: 'Si',
    hue: 'arquivado',
    place: 'Envie cada lead por POST para este endereço, como formulário ou JSON',
  },
}
