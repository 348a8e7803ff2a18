// /roleta: the rotations of leads; its address says which view is shown. Spec 2.15.
import { getRouteApi } from '@tanstack/react-router'
import { CourseDialog } from '#features/conversation/course-dialog.tsx'
import { RoletaPage, viewOf } from '#features/roleta/roleta-page.tsx'

const route = getRouteApi('/admin/roleta')

export function AdminRoletaPage() {
  const { vista } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <RoletaPage
      view={viewOf(vista)}
      course={CourseDialog}
      onView={(view) =>
        void navigate({ search: { vista: view === 'roletas' ? undefined : view }, replace: true })
      }
    />
  )
}
