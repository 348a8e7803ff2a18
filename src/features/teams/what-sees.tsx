// 'O que um gerente vê': explains what a gerente can and cannot see.
import { Check, X } from 'lucide-react'
import { Icon } from '#ui/primitives/icon.tsx'

const SEES = [
  'Quadro, conversas e visitas da equipe dele',
  'Agora, Resultado e Origens, só da equipe',
  'Passar leads dentro da equipe',
  'Marcar e mudar visitas da equipe',
]
const SEES_NOT = [
  'Outras equipes',
  'Conversas particulares dos corretores',
  'Textos do agente e empreendimentos',
  'Integrações, chaves e dados pessoais',
]

export function WhatSees() {
  return (
    <section aria-labelledby="o-que-ve" className="rounded-lg bg-surface px-5 py-4 shadow-card">
      <h2 id="o-que-ve" className="text-15 font-semibold">
        O que um gerente vê
      </h2>
      <div className="mt-2 grid gap-x-8 md:grid-cols-2">
        <ul aria-label="Vê">
          {SEES.map((text) => (
            <li key={text} className="flex min-h-8.5 items-center gap-2.5 text-14">
              <Icon of={Check} size={16} className="text-success" />
              {text}
            </li>
          ))}
        </ul>
        <ul aria-label="Não vê">
          {SEES_NOT.map((text) => (
            <li key={text} className="flex min-h-8.5 items-center gap-2.5 text-14 text-text-2">
              <Icon of={X} size={16} className="text-text-3" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
