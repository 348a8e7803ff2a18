// Conta: the password and second factor; for administrators also the agency's brand and the WhatsApp gateway's address.
import type { ComponentType } from 'react'
import { useIsAdmin } from '#data/is-admin.ts'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { BrandCard } from './brand-card.tsx'
import { PasswordCard, type PasswordDialog } from './password-card.tsx'
import { SecondStepCard } from './second-step-card.tsx'
import { Section } from './section.tsx'

const TITLE = 'Conta'

type AccountPageProps = {
  passwordDialog: PasswordDialog
  gatewaySettings: ComponentType
}

export function AccountPage({ passwordDialog, gatewaySettings: GatewaySettings }: AccountPageProps) {
  usePageTitle(TITLE)
  const isAdmin = useIsAdmin()
  return (
    <div className="mx-auto flex max-w-180 flex-col gap-4">
      <h1 className="pb-1 text-24 font-semibold tracking-heading">{TITLE}</h1>
      <PasswordCard dialog={passwordDialog} />
      <SecondStepCard />
      {isAdmin && <BrandCard />}
      {isAdmin && (
        <Section
          title="Serviço de WhatsApp"
          hint="A Evolution API ou o WAHA que recebe e envia as mensagens."
        >
          <div className="pt-4">
            <GatewaySettings />
          </div>
        </Section>
      )}
    </div>
  )
}
