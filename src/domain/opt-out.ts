// Decides whether a message is an opt-out, by its intent and not by single words.

/** Nouns that mean mailings. Other nouns, such as 'fotos' or 'a chave', are about the deal. */
const MAILINGS =
  '(?:mensag(?:em|ens)|msgs?|propagandas?|publicidades?|promoco(?:es)|promocao|ofertas?|anuncios?|spams?|divulgacao|divulgacoes|' +
  'disparos?|comunicados?|comunicacoes|contatos?|notificacoes|avisos?|informativos?|conteudos?|coisas?|nada|isso|isto|whats(?:app)?|zap)'
const DETERMINER =
  '(?:(?:as|os|a|o|de|da|das|do|dos|com|essas?|esses?|estas?|estes?|dessas?|desses?|destas?|destes?|mais|suas?|seus?|voces|tantas?|tantos?|nenhuma?|esse tipo de|este tipo de|desse tipo de|qualquer|tipo de) )*'
const THEM = `${DETERMINER}${MAILINGS}(?! (?:ainda|agora|hoje|amanha|por enquanto|antes|ate))`

/** Nouns that mean a mailing list. A waiting list does not match. */
const LIST =
  '(?:listas?|grupos?|cadastros?|bases?|banco de dados|mailing|transmissao|contatos|agenda|disparos?|sistema)(?! (?:de )?(?:espera|visitas?|interessados|reservas?|convidados|documentos|opcoes|presenca|compradores|aprovados))'
const FROM_LIST = `(?:d[aeo]s?|dess[ae]s?|dest[ae]s?|daqui|dai)(?: (?:sua|seu|suas|seus|tua|teu|essa|esse|voces|lista de|lista|grupo de))* ?`

/** The end of a sentence or clause. */
const END = '(?= ?$| ?[.!;,])'
const SEND = '(?:mand(?:ar|e|em|a|am|ando)|envi(?:ar|e|em|a|am|ando)|encaminh(?:ar|e|em|a))'
const BOTHER = '(?:perturb(?:ar|e|em|a)|incomod(?:ar|e|em|a)|encher?|import[ui]n(?:ar|e|em|a))'
const SEEK = '(?:cham(?:ar|e|em|a)|procur(?:ar|e|em|a)|contat(?:ar|e|em|a)|contact(?:ar|e|em))'
const REMOVE =
  '(?:tir(?:ar|e|em|a)|retir(?:ar|e|em|a)|remov(?:er|a|am|e)|exclu(?:ir|a|am|i)|apag(?:ar|ue|uem|a)|delet(?:ar|e|em|a)|descadastr(?:ar|e|em|a)|desinscrev(?:er|a|am))'

const ASKS = [
  // A single word, as mailings suggest it: 'SAIR', 'pare', 'STOP'.
  /^(?:quero |desejo |gostaria de |eu quero |favor )?(?:sair|parar|pare|parem|para|stop|descadastrar|descadastre|unsubscribe|me descadastre|me descadastra|pode parar|podem parar|me tira|me tire|me remova|me exclua|remover|remova)(?: (?:ja|agora|logo))?$/,
  `\\b(?:sair|saio|saindo|removid[ao]|retirad[ao]|excluid[ao]|tirad[ao]) ${FROM_LIST}${LIST}`,
  `\\bsair d(?:aqui|ai)$`,
  // For example 'não quero mais receber mensagens'.
  `\\b(?:nao|nem) (?:quero|quer|queremos|desejo|gostaria de|pretendo|preciso|tenho interesse em|aguento|autorizo|autorizei|permito|aceito|solicitei|pedi)(?: mais)?(?: (?:para|pra|que))?(?: (?:voces|voce|vcs|vc))?(?: me)?(?: (?:receber|recebendo|ver|o envio de|envio de|${SEND}))(?: mais)?(?:${END}| ${THEM})`,
  `\\b(?:nao|nem) (?:quero|queremos|desejo|aguento)(?: mais)? ${DETERMINER}(?:mensag(?:em|ens)|msgs?|propagandas?|promoco(?:es)|promocao|spams?|anuncios?|disparos?|contato(?:${END}| (?:de voces|com voces|de vcs|com vcs|dessa empresa|da empresa)))`,
  `\\b(?:nao|nem) (?:quero|desejo|gostaria de)(?: mais)? ser (?:mais )?(?:contat|contact|incomod|perturb|cham|procur|importun)ad[ao]`,
  `\\b(?:nao) (?:autorizo|autorizei|permito|aceito|dei autorizacao para)(?: (?:o|a|os|as|mais|esse|este|nenhum|voces|vcs|de|para|que|meu|meus|do|dos|usarem|uso))* (?:contato|contatos|envio|mensag|dados|numero|telefone)`,
  `\\bcomo (?:eu )?(?:faco|fazer)?(?: (?:para|pra))? (?:nao receber|parar de receber|deixar de receber)(?: mais)?(?:${END}| ${THEM})`,
  `\\b(?:quero|queria|gostaria de|desejo|prefiro|preciso|favor|pra|para) (?:parar|deixar) de receber(?:${END}| ${THEM})`,
  `\\bprefiro nao receber(?: mais)?(?:${END}| ${THEM})`,
  // For example 'para de me mandar mensagem'.
  `\\b(?:par[ae]|parem|parar|deix[ae]|deixem|deixar|chega)(?: (?:ja|logo|agora|por favor))? de (?:ficar )?(?:me |nos )?(?:${SEND}(?:${END}| (?:me )?(?:pra mim|para mim)?${END}| (?:${THEM}))|${BOTHER}|insistir|spam)`,
  `\\b(?:par[ae]|parem|parar|deix[ae]|deixem|deixar) de me (?:${SEEK}|ligar)`,
  `\\bnao (?:me )?precisam? (?:mais (?:me )?(?:mandar|enviar)|(?:me )?(?:mandar|enviar) mais) ${DETERMINER}(?:mensag(?:em|ens)|msgs?|propagandas?|promoco(?:es)|ofertas?|anuncios?)`,
  `\\bnao (?:me )?(?:escreva|escrevam|ligue|liguem) mais${END}`,
  `\\b(?:par[ae]|parem|pode parar|podem parar|chega|basta) (?:com|de) ${DETERMINER}(?:mensag(?:em|ens)|msgs?|propagandas?|promoco(?:es)|promocao|spams?|anuncios?|disparos?|insistencia|perturbacao)`,
  // For example 'não me mande mais nada'.
  `\\bnao (?:me |nos )?(?:${SEND})(?: (?:me|pra mim|para mim))?(?: mais)? ${THEM}`,
  `\\bnao (?:me |nos )?(?:${SEND})(?: (?:me|pra mim|para mim))? mais${END}`,
  `\\bnao (?:me |nos )(?:perturb|incomod|import[ui]n|procur|cham|contat|contact)(?:e|em|a|ue|uem) mais`,
  `\\bnao (?:entre|entrem|entrar|quero que entrem|faca|facam)(?: mais)?(?: em)? contato(?: (?:comigo|conosco))?(?: (?:mais|novamente|de novo|nunca mais))`,
  `\\bnao (?:entre|entrem|entrar|faca|facam) mais(?: em)? contato`,
  /\bnao (?:me )?(?:perturbe|perturbem|incomode|incomodem|incomoda|perturba)(?= ?$| ?[,;])/,
  // For example 'me tira da lista' or 'exclua meu número'.
  `\\bme (?:remova|remove|exclua|exclui|descadastre|descadastra|descadastrar|tira dai|tire dai)(?: (?:por favor|ja|logo))?${END}`,
  `\\b(?:me ${REMOVE}|${REMOVE}(?:-| )me)(?: (?:por favor|logo|ja))? ${FROM_LIST}${LIST}`,
  `\\b${REMOVE}(?: o)? meu (?:numero|contato|telefone|whats(?:app)?|zap|cadastro|celular|nome)(?: (?:por favor|ja|dai|daqui|do sistema))?(?:${END}| ${FROM_LIST}${LIST})`,
  `\\b${REMOVE}(?: (?:todos|os))* meus dados(?:${END}| ${FROM_LIST}${LIST})`,
  `\\bcancel(?:ar|e|em|a)(?: (?:o|a|os|as|meu|minha|esse|essa|esses|essas|este|esta|todo|todos))* (?:inscricao|cadastro|envios?|recebimento|assinatura|mensag(?:em|ens))`,
  /\b(?:quero|solicito|peco|exijo) (?:a )?(?:exclusao|remocao|eliminacao) (?:de |dos )?(?:todos os )?meus dados/,
  /\b(?:me bloqueia|me bloqueie|me bloqueiem|bloquei(?:a|e|em) (?:o )?meu (?:numero|contato|telefone))(?= ?$| ?[,;])/,
  /\b(?:revogo|revogar|retiro|retirar|cancelo|cancelar)(?: o)? meu consentimento/,
  // Threats and complaints, such as 'vou denunciar' or 'isso é spam'.
  /\bme (?:deixa|deixe|deixem) em paz\b/,
  /\b(?:vou|vamos|irei) (?:te |lhe |los |voces |ter que te |ter que )?(?:bloquear|denunciar)(?! (?:o|a) (?:data|visita|unidade|agenda|horario|imovel|apartamento))/,
  /\b(?:isso|isto) (?:e|virou|ja e|ta virando|esta virando) (?:spam|assedio|perseguicao)/,
  /\bnunca mais (?:me )?(?:mand|envi|cham|procur|contat)(?:e|em|a|ue|uem)\b/,
].map((ask) => (typeof ask === 'string' ? new RegExp(ask) : ask))

/** Words that negate the request, only ask about it, or concern another channel. */
const BUT = [
  /\bnao (?:quero|queria|desejo|precisa|precisam|pretendo|gostaria de|e para|e pra|me)(?: (?:que|me|mais|voces|vcs|eu))* (?:sair|parar|deixar de receber|cancelar|tir|remov|exclu|retir)/,
  /\bnao (?:par[ae]|parem|deix[ae]|deixem)(?: nunca)? de\b/,
  /\b(?:so|somente|apenas|prefiro|pode ser|pode) (?:por |pelo |no |me chamar no |me mandar no |mandar no |manda no |chama no )?(?:whats(?:app)?|zap|aqui|por aqui)\b/,
  /\bpor (?:e-?mail|email|ligacao|telefone|correio|sms)\b(?! (?:nem|e nem|ou))/,
  /\b(?:o que|oque|que) (?:significa|quer dizer|acontece|e)\b/,
  /\b(?:ele|ela|eles|elas|meu marido|minha esposa|minha mae|meu pai|outra imobiliaria|outro corretor|outra corretora|antig[ao] corretor[a]?)\b.*\b(?:mand|envi|nao par|receb)/,
]

/** Polite words around the request. */
const COURTESY =
  /\b(?:por favor|por gentileza|pfv|pf|pls|please|favor|obrigad[oa]s?|obg|grat[oa]|valeu|vlw|bom dia|boa tarde|boa noite|oi|ola|oie|opa|amig[oa]|moc[oa]|senhora?|gente|pessoal|att|desculpe?|entao|ok)\b/g

/** True if the text, or one of its sentences, asks for no more campaigns. */
export function asksToBeLeftAlone(text: string): boolean {
  const sentences = text.slice(0, MAX_LETTERS).split(/[\n.!?…]+(?:\s|$)/u)
  return [text.slice(0, MAX_LETTERS), ...sentences].some(asks)
}

/** A longer text counts as conversation, not as an opt-out. */
const MAX_LETTERS = 600

function asks(sentence: string): boolean {
  const plain = fold(sentence)
  if (plain === '' || BUT.some((turn) => turn.test(plain))) return false
  const bare = fold(plain.replace(COURTESY, ' '))
  return ASKS.some((ask) => ask.test(plain) || ask.test(bare))
}

const SPELT: Readonly<Record<string, string>> = {
  n: 'nao',
  naum: 'nao',
  kero: 'quero',
  qro: 'quero',
  mensage: 'mensagem',
  menssagem: 'mensagem',
  menssagens: 'mensagens',
  mensagen: 'mensagem',
  mandarem: 'mandem',
}
const SPELLING = new RegExp(`\\b(?:${Object.keys(SPELT).join('|')})\\b`, 'g')

/** Normalises a text: lower case, no accents or signs, no drawn-out letters. Commas stay, because they end a clause. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9,;-]+/g, ' ')
    .replace(/([a-z])\1{2,}/g, '$1')
    .replace(SPELLING, (word) => SPELT[word] ?? word)
    .replace(/ ?([,;]) ?/g, '$1 ')
    .replace(/^[ ,;-]+|[ ,;-]+$/g, '')
    .replace(/ {2,}/g, ' ')
}
