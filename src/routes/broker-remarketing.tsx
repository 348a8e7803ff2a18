// /broker/remarketing: campaigns of the broker, to come. Spec 2.18.
import { ToCome } from '#features/to-come/to-come.tsx'

export function BrokerRemarketingPage() {
  return (
    <div className="overflow-y-auto px-4 pt-2.5 lg:px-8 lg:pt-7">
      <ToCome
        title="Remarketing"
        plan="Aqui você vai escrever uma mensagem para todos os contatos de um estágio e acompanhar o envio."
      />
    </div>
  )
}
