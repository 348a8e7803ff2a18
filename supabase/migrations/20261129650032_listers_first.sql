-- A rotation may give a listing's lead to the broker who brought the listing.
alter table public.roletas add column lister_first boolean not null default false;
