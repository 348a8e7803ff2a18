#!/usr/bin/env bash
# Run once by the Postgres image on an empty volume: a role and a database each for the portal and for the gateway, neither
# a superuser, neither able to look into the other's. deploy/compose.yaml.
set -euo pipefail

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set portal_password="$PORTAL_DATABASE_PASSWORD" \
  --set evolution_password="$EVOLUTION_DATABASE_PASSWORD" <<'SQL'
-- The portal makes the roles anon, authenticated and service_role by itself.
create role portal login createrole password :'portal_password';
create role evolution login password :'evolution_password';
create database portal owner portal;
create database evolution owner evolution;
revoke connect on database portal from public;
revoke connect on database evolution from public;
SQL
