// Adds drawn pictures to the demonstration's developments that have none, after the start, which does not wait for
// them.
import type { Database } from '#server/db/database.ts'
import { createPictures, storePicture } from '#server/developments/files.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { drawingsOf } from './pictures.ts'

type Parts = { db: Database; storage: Pick<MediaStore, 'put'> }

/** One development after the other. Stopped midway, the next start adds the rest. */
export async function addPictures({ db, storage }: Parts): Promise<void> {
  const { rows } = await db.query<{ id: number; place: number }>(
    `select d.id, (row_number() over (order by d.id))::int - 1 as place from public.developments d
     where not exists (select from public.development_media m where m.development_id = d.id) order by d.id`,
  )
  if (rows.length === 0) return
  const { default: sharp } = await import('sharp')
  const makePicture = createPictures()
  for (const { id, place } of rows) {
    const files = []
    for (const { svg, ...drawing } of drawingsOf(place)) {
      const picture = await makePicture(await sharp(Buffer.from(svg)).png().toBuffer())
      files.push({ ...drawing, ...(await storePicture(storage, picture)) })
    }
    await db.query(
      `with added as (
         insert into public.development_media (development_id, kind, place, title, media_id, thumb_id, mime_type, file_name,
           size_bytes, width, height, whole_id, preview)
         select $1, f ->> 'kind', at, f ->> 'title', f ->> 'mediaId', f ->> 'thumbId', 'image/jpeg',
           lower(f ->> 'title') || '.jpg', (f ->> 'sizeBytes')::int, (f ->> 'width')::int, (f ->> 'height')::int, f ->> 'wholeId', f ->> 'preview'
         from jsonb_array_elements($2::jsonb) with ordinality as given (f, at)
         where not exists (select from public.development_media m where m.development_id = $1)
         returning id, kind)
       update public.development_plans p set drawing_id = added.id
       from added where added.kind = 'planta' and p.development_id = $1 and p.drawing_id is null`,
      [id, JSON.stringify(files)],
    )
  }
}
