-- A token of another system may be allowed to write developments.
alter table portal.service_tokens
  drop constraint service_tokens_grants_check,
  add constraint service_tokens_grants_check
    check (grants <> '{}' and grants <@ array['prompts:read', 'prompts:write', 'pauses:read', 'memory', 'leads:read',
      'leads:write', 'messages:read', 'messages:send', 'brokers:read', 'rotations:read', 'events:read', 'developments:read',
      'developments:write']);
