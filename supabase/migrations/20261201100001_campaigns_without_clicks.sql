-- The campaign in the lead's public row, which gerentes read, loses click ids.
update public.whatsapp_contacts c set campaign = nullif(regexp_replace(regexp_replace(regexp_replace(c.campaign,
  p.gap || p.id || '(?:&|%(?:25)*26)', '\1', 'gi'), '[\s|]*' || p.gap || p.id, '', 'gi'), '[\s|]*(?:fb\.[0-9]+|gcl)\.[0-9]+\.[^\s&#;|]*', '', 'gi'), '')
from (
  select '(%(?:25)*(?:3f|26|23)|[?&#;|]|(?<![a-z]))' as gap,
    '_?(?:(?:fb|g|d|tt|tw|y|ctwa_?)clid|msclkid|click_?id|[gw]braid|gcl_?(?:id|aw|gb|dc|ag|gs)|fb[cp])\s*(?:=|:|%(?:25)*3d)\s*(?:(?!%(?:25)*(?:26|23))[^\s&#;|])*' as id) p
where c.campaign ~* (p.gap || p.id || '|(?:fb\.[0-9]+|gcl)\.[0-9]+\.');
