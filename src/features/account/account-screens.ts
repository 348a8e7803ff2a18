// An administrator's account screens, for the account menu and the list beside these screens.
import { Activity, ScrollText, ShieldCheck, UserRound, UserRoundCog, UsersRound, Webhook } from 'lucide-react'

export const ACCOUNT_SCREENS = [
  { to: '/conta', label: 'Minha conta', icon: UserRound },
  { to: '/administradores', label: 'Administradores', icon: UserRoundCog },
  { to: '/equipes', label: 'Equipes', icon: UsersRound },
  { to: '/integracoes', label: 'Integrações', icon: Webhook },
  { to: '/auditoria', label: 'Auditoria', icon: ScrollText },
  { to: '/dados', label: 'Dados pessoais', icon: ShieldCheck },
  { to: '/saude', label: 'Saúde do sistema', icon: Activity },
]
