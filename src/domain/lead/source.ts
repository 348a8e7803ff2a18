// Names the sources of leads.

const SOURCE_LABEL: Readonly<Record<string, string>> = {
  'midia-fisica': 'Mídia física',
  form: 'Formulário',
  organico: 'Orgânico',
  facebook: 'Facebook',
  instagram: 'Instagram',
  google: 'Google',
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  telefone: 'Telefone',
  site: 'Site',
  indicacao: 'Indicação',
  plantao: 'Plantão',
  placa: 'Placa',
  importacao: 'Lista importada',
  outro: 'Outro',
  teste: 'Teste',
}

/** A source without a label is shown as it is. */
export function sourceLabel(source: string): string {
  return SOURCE_LABEL[source.trim().toLowerCase()] ?? source
}
