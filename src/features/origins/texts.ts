// Texts of the import of spend.
import { monthName, originLabel } from '#domain/origins/costs.ts'
import type { FileFault, LineFault, SpendKind, SpendLine } from '#domain/origins/spend-file.ts'

export const FILE_FAULT: Readonly<Record<FileFault, string>> = {
  header: 'Não achamos as colunas de campanha e de gasto neste arquivo.',
  empty: 'Este arquivo só tem os títulos.',
  lines: 'São mais de 2.000 campanhas. Exporte menos meses de cada vez.',
  decimal:
    'Os números deste arquivo podem ser lidos de dois jeitos. Como está escrito mil duzentos e trinta e quatro?',
}

export const LINE_FAULT: Readonly<Record<LineFault, string>> = {
  amount: 'o gasto não é um número',
  month: 'falta o mês ou o dia',
  months: 'o período passa de um mês; exporte por dia ou por mês',
  origin: 'falta a origem',
  currency: 'a moeda não tem três letras',
  name: 'falta o nome da campanha, ou ele passa de 200 letras',
  large: 'o valor passa de R$ 1 bilhão',
}

export const KIND_NAME: Readonly<Record<SpendKind, string>> = {
  meta: 'Gerenciador de Anúncios da Meta',
  google: 'Google Ads',
  own: 'Planilha com mes;origem;campanha;gasto',
}

const REFUSED: Readonly<Record<string, string>> = {
  whole: 'a origem já tem um gasto único neste mês; tire-o antes',
  campaigns: 'a origem já tem gasto por campanha neste mês',
  full: 'já há gastos demais guardados',
  invalid: 'o valor não é aceito',
}

export function refusalText(line: SpendLine | undefined, reason: string, today: string): string {
  const what = line
    ? `${line.campaign || originLabel(line.origin)}, ${monthName(line.month, today).toLowerCase()}`
    : 'Linha'
  return `${what}: ${REFUSED[reason] ?? REFUSED['invalid']}.`
}
