// Detects terms of a deal: free, paid, included, instalments, percentages. An answer may state them only as a fact
// does.

/** Offers of a better price than other customers get. */
export const DEAL = String.raw`(?:precinho|precos? (?:especia(?:l|is)|melhor(?:es)?|menor(?:es)?)|condic(?:ao|oes) (?:especia(?:l|is)|exclusivas?|melhor(?:es)?))`
const PAPERS = '(?:itbi|escritura|documentacao|registro|cartorio)'
const GIFTS = `(?:${PAPERS}|armarios|cozinha|moveis|mobilia|vaga|ar.condicionado)`
/** Excludes what is only asked, such as 'o corretor confirma se a vaga esta inclusa'. */
const NOT_WONDERED = String.raw`(?<!\b(?:se|o que|nao|nem)\b[^.!?\n]{0,40})`

const TERMS = new RegExp(
  [
    String.raw`\b(?:sem (?:juros|entrada|fiador|consulta|comprovacao|comprovar)|juros zero|zero de entrada|isent[oa]s?|isencao|gratis|de graca|brindes?|cashback|negativad[oa]s?)`,
    String.raw`\b(?:100 ?% financiad[oa]|financia(?:mos|m)? (?:ate )?100 ?%|por nossa conta|por conta da construtora|nao (?:paga|cobra(?:mos)?) \p{L}+|ultim[ao]s (?:\d+ )?(?:unidades|apartamentos|lotes)|restam? (?:so |apenas |somente )?\d+ (?:unidades?|apartamentos?|lotes?)|so (?:ate )?hoje|tem(?:os)? (?:1 )?${DEAL})`,
    String.raw`${NOT_WONDERED}\b(?:ultim[oa] (?:unidade|apartamento|apto|lote|vaga|casa|cobertura|oportunidade|chance)|ultim[oa]s (?:dias|horas|vagas|oportunidades|chances)|por tempo limitado|vagas limitadas|somente hoje)\b`,
    String.raw`\b(?:[3-9]|\d{2,3}) ?(?:vezes\b(?! (?:por|ao|a|mais|maior)\b)|x\b(?! ?\d)|parcelas\b|prestacoes\b|mensais\b)`,
    String.raw`\bganha (?:\p{L}+ |1 ){0,2}(?:vaga|armarios?|moveis|cozinha|escritura)`,
    String.raw`\b\d+(?:,\d+)? ?(?:%|por 100\b)`,
    String.raw`${NOT_WONDERED}\binclus[oa]s?\b(?![^.!\n]*\?)`,
    String.raw`\b(?:de presente|custo zero|sem custos? (?:adiciona(?:l|is)|extras?)|livres? de taxas?|nada de taxas?|${GIFTS}(?: extra)? sem custo|${PAPERS} pag[oa])\b`,
    String.raw`\b(?:pagamos|(?:a gente|construtora|incorporadora) paga|damos|dou) (?:o |a |os |as |1 )?${GIFTS}\b`,
    String.raw`\bprecos? promociona(?:l|is)|\bem promocao\b|\boferta (?:especial|valida|relampago)|\bcondic(?:ao|oes) (?:facilitada|imperdive|diferenciada)`,
    String.raw`\bentrada (?:facilitada|parcelada|zero|0)\b|\b(?:zero|0) (?:de )?entrada\b|\bsem sinal\b(?! d)|\bparcel(?:o|a|amos|ar|am) (?:a|sua) entrada\b|\b(?:financia|parcela)\p{L}* direto\b`,
    String.raw`\bnao (?:precisa|exige|exigimos|pede|pedimos)(?: (?:de|dar|ter))* (?:entrada|sinal|fiador|comprov\p{L}+)|\bnome sujo\b`,
    String.raw`\b(?:sem|nao (?:tem|ha|sofre)) (?:reajuste|correcao|incc)\b|\bparcelas? fixas?\b|\bjuros (?:baix|reduzid|de \d|a \d)|\bmenor(?:es)? (?:taxa|preco|juro)`,
    String.raw`${NOT_WONDERED}\b(?:aceit(?:a|o|amos|am)|peg(?:o|amos))\b[^.!?\n]{0,20}\b(?:permuta|carro|veiculo|na troca)\b`,
  ].join('|'),
  'gu',
)

const PER_CENT = String.raw`\d+(?:,\d+)? ?(?:%|por 100\b)`
const DONE_SO_FAR = '(?:concluid|pront|executad|construid|erguid|realizad|acabad|feit)[oa]s?'
/** Percentages that are no terms of a deal, such as a building's progress or its green areas. */
const PROGRESS = new RegExp(
  [
    String.raw`\b${PER_CENT}(?: (?:das? obras?|da construcao|da estrutura|da fundacao))?(?: (?:ja|esta|estao))* ${DONE_SO_FAR}\b`,
    String.raw`\b${PER_CENT} de (?:conclusao|execucao|avanco|areas? verdes?|mata|vegetacao|preservacao)\b`,
    String.raw`\b${PER_CENT} d[oa] (?:terreno|area)(?: total)? (?:e|sao|fica|ficam|sera|serao|e de|com) (?:de )?(?:area |areas |mata )?(?:verde|livre|preservad|nativ|lazer|permeavel)`,
    String.raw`\b(?:obras?|construcao|fundacao|estrutura) (?:ja |hoje |agora )*(?:esta|estao|chegou|chegaram|passou|passaram|avancou|avancaram|segue|seguem)(?: (?:ja|em|a|de|com|dos?|nos?|para|quase|cerca|mais))* ${PER_CENT}(?! (?:de (?:entrada|desconto|juros|sinal)|do (?:valor|preco)))`,
  ].join('|'),
  'gu',
)

/** Returns the first term that no fact contains, in a text normalised by plainWords; null if there is none. */
export function strangeTerm(folded: string, facts: string): string | null {
  const terms = [...folded.replace(PROGRESS, ' ').matchAll(TERMS)].map(([term]) => term)
  return terms.find((term) => term !== '100%' && !facts.includes(term)) ?? null
}
