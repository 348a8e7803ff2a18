// Texts that the demonstration's people write.

export const OPENERS = [
  'Oi! Vi o anúncio do apartamento, ainda está disponível?',
  'Boa tarde, qual o valor do condomínio?',
  'Olá, queria saber se aceita financiamento pela Caixa.',
  'Bom dia! Tem unidade de dois quartos com varanda?',
  'Dá para visitar o decorado no sábado?',
  'Qual a previsão de entrega da obra?',
  'Posso usar o FGTS na entrada?',
  'Tem vaga de garagem para dois carros?',
  'Vocês têm algo mais perto do metrô?',
  'O valor da tabela ainda vale este mês?',
  'Meu marido quer ver a planta do três quartos, pode mandar?',
  'Aceita carro como parte da entrada?',
]

export const FOLLOW_UPS = [
  'Desculpa o horário!',
  'Se puder responder hoje, agradeço 🙏',
  'É para morar mesmo, não é investimento',
  'Estamos em dois, eu e minha esposa',
  'Moro aqui perto, na Vila Mariana',
]

export const ANSWERS_TO_QUESTIONS = [
  'Pode ser, de manhã é melhor para mim.',
  'Sim, tenho interesse.',
  'Ainda estou vendo com a família, te aviso.',
  'Sábado às 10h consigo.',
  'Renda de uns doze mil, somando os dois.',
  'Prefiro andar alto, se tiver.',
  'Até quatrocentos mil, com tudo.',
]

export const ANSWERS = [
  'Obrigada! Vou olhar com calma.',
  'Perfeito, obrigado 👍',
  'Gostei! Me manda a localização?',
  'Entendi. E as parcelas ficam em quanto?',
  'Show, vou mostrar para minha esposa.',
  'Recebi sim, muito bom!',
]

export const PICTURE_CAPTIONS = ['É este aqui?', 'Vi esta placa na rua', 'Parecido com este']
