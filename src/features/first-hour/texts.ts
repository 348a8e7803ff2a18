// Sentences of the first hour.
import type { StepName } from '#domain/first-hour.ts'

type StepTexts = { title: string; hint: string; short: string; minutes: number | null }

export const STEP_TEXTS: Readonly<Record<StepName, StepTexts>> = {
  portal: {
    title: 'Portal no ar',
    hint: 'Banco de dados e endereço seguro.',
    short: 'endereço seguro',
    minutes: null,
  },
  gateway: {
    title: 'Ligue o serviço de WhatsApp',
    hint: 'É ele que recebe e envia as mensagens. Informe o endereço e a chave da sua Evolution API.',
    short: 'serviço de WhatsApp',
    minutes: 5,
  },
  broker: {
    title: 'Cadastre o primeiro corretor',
    hint: 'Ele recebe um convite e conecta o WhatsApp pelo próprio celular.',
    short: 'primeiro corretor',
    minutes: 2,
  },
  source: {
    title: 'Ligue uma fonte de leads',
    hint: 'ZAP, ImovelWeb, Meta, Google Ads, seu site, ou um QR na placa.',
    short: 'fonte de leads',
    minutes: 3,
  },
  answer: {
    title: 'Responda o primeiro lead',
    hint: 'Envie um lead de teste e veja chegar no celular do corretor.',
    short: 'primeira resposta',
    minutes: null,
  },
}

export const instructionsFor = (address: string) =>
  [
    `Portal do Corretor em ${address}`,
    '',
    '1. Uma Evolution API 2.3 ou mais nova precisa estar no ar e alcançar o portal neste endereço.',
    '2. O endereço dela e a chave (AUTHENTICATION_API_KEY) são informados no portal, na tela WhatsApp, ou nas configurações do servidor do portal (docs/instalacao.md).',
    '3. Para os celulares, PUBLIC_URL é o endereço do portal com https.',
    '4. O backup sai todo dia para a pasta de dados; guarde cópias também fora da máquina.',
  ].join('\n')
