// Made-up people: common Brazilian names, and numbers that no carrier assigns.
import type { Gender } from '../agency/brokers.ts'
import type { Random } from '../random.ts'

export type DemoPerson = { name: string | null; firstName: string | null; gender: Gender; number: string }

const FIRST_NAMES: Record<Gender, readonly string[]> = {
  f: words(`Adriana Alessandra Aline Amanda Ana Andressa Aparecida Bárbara Beatriz Bianca Bruna Camille Carla Cecília
    Célia Clara Cláudia Cristiane Daniela Débora Eliane Elisa Érica Fabiana Flávia Gabriela Giovana Heloísa Ingrid
    Isabela Jaqueline Jéssica Joana Josiane Karina Larissa Letícia Lívia Lorena Lúcia Luana Luiza Mariana Marta Michele
    Mônica Natália Patrícia Paula Raquel Regina Renata Rita Rosana Sabrina Sara Sônia Tainá Talita Teresa Valéria Vera
    Verônica Vitória Yasmin`),
  m: words(`Adriano Alan Alexandre Anderson André Antônio Arthur Augusto Breno Caio César Cláudio Cristiano Daniel Danilo
    Davi Douglas Edson Elias Emerson Everton Fábio Felipe Fernando Flávio Francisco Gabriel Gilberto Hugo Igor Ivan
    Jefferson João Jonas Jorge José Júlio Kleber Leonardo Lucas Luciano Luiz Marcos Mateus Maurício Miguel Murilo Nelson
    Otávio Paulo Pedro Renan Ricardo Roberto Rodrigo Rogério Samuel Sérgio Sidnei Thiago Valdir Vinícius Vitor Wagner`),
}

const SURNAMES =
  words(`Abreu Aguiar Albuquerque Alencar Almeida Amaral Andrade Antunes Aragão Araújo Assis Azevedo Barbosa
  Barreto Barros Batista Bezerra Borges Brandão Brito Bueno Cabral Caldeira Camargo Campos Cardoso Carvalho Castro
  Cavalcanti Cordeiro Correia Costa Coutinho Cunha Dantas Dias Domingues Duarte Esteves Farias Ferraz Ferreira Figueiredo
  Fonseca Freitas Furtado Galvão Gomes Guedes Guimarães Lacerda Leal Leite Lemos Lima Lopes Macedo Machado Magalhães Maia
  Marques Martins Matos Medeiros Meireles Melo Mendes Menezes Miranda Monteiro Morais Moreira Moura Nascimento Neves
  Nogueira Novaes Nunes Oliveira Pacheco Paiva Peixoto Pereira Pinheiro Pires Prado Queiroz Ramos Rangel Reis Rezende
  Ribeiro Rocha Sales Sampaio Santana Santos Siqueira Soares Souza Tavares Teixeira Torres Vasconcelos Viana Vieira Xavier`)

const AREA_CODES: readonly (readonly [string, number])[] = [
  ['11', 58],
  ['19', 14],
  ['12', 7],
  ['13', 6],
  ['15', 5],
  ['21', 4],
  ['31', 3],
  ['41', 3],
]

/** Shares of people without a name, and with only a first name. */
const NAMELESS = 0.08
const FIRST_NAME_ONLY = 0.14
/** Share of people who ask two brokers of the agency. */
const ASKS_ANOTHER_BROKER = 0.012

/** Draws people without repeats for one broker. */
export function createPeople(random: Random, taken: readonly string[]) {
  const numbers = new Set(taken)
  const known: { person: DemoPerson; instanceName: string }[] = []

  function newNumber(): string {
    // No Brazilian number begins with 90 and another digit, which would be a collect call.
    const number = `55${random.weigh(AREA_CODES)}90${random.between(2_000_000, 9_999_999)}`
    if (numbers.has(number)) return newNumber()
    numbers.add(number)
    return number
  }

  function newPerson(): DemoPerson {
    const gender = random.chance(0.54) ? 'f' : 'm'
    const number = newNumber()
    if (random.chance(NAMELESS)) return { name: null, firstName: null, gender, number }
    const firstName = random.pick(FIRST_NAMES[gender])
    const name = random.chance(FIRST_NAME_ONLY) ? firstName : `${firstName} ${random.pick(SURNAMES)}`
    return { name, firstName, gender, number }
  }

  return (instanceName: string): DemoPerson => {
    const again = known.length > 0 && random.chance(ASKS_ANOTHER_BROKER) ? random.pick(known) : undefined
    const isFree =
      again && !known.some((one) => one.person === again.person && one.instanceName === instanceName)
    const person = again && isFree ? again.person : newPerson()
    known.push({ person, instanceName })
    return person
  }
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
