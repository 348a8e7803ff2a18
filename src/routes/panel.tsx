// The administrators' login page.
import { getRouteApi } from '@tanstack/react-router'
import { AdminEntry } from '#features/login/admin-entry.tsx'
import { LitWindows } from '#features/login/lit-windows.tsx'
import { AGENCY } from '#ui/primitives/agency.ts'
import { BrandMark } from '#ui/primitives/brand-mark.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'

const route = getRouteApi('/panel')

export function PanelPage() {
  const { usuario, convite } = route.useSearch()
  usePageTitle('Painel Administrativo')
  return (
    <div className="flex min-h-dvh">
      <div aria-hidden className="relative hidden w-[47.2%] overflow-hidden lg:block">
        <div className="absolute inset-0">
          <LitWindows />
        </div>
      </div>
      <main className="flex grow items-center justify-center px-6 py-10">
        <div className="w-full max-w-96">
          <BrandMark className="size-14" />
          <h1 className="mt-8 text-30 leading-tight font-title tracking-title">
            Painel Administrativo {AGENCY}
          </h1>
          <p className="mt-2 mb-8 text-16 text-text-2">Acesso restrito a administradores</p>
          <AdminEntry link={{ username: usuario, invite: convite }} />
        </div>
      </main>
    </div>
  )
}
