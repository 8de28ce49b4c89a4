-- Distributes the schema over a Citus cluster (PostgreSQL 16 or later with citus 13). Run once, on the coordinator, after the
-- migrations and before the first data; docs/scaling.md says when that is worth it. A test compares it with the catalogue.

-- Small, referred to by everything, or found before the organisation is known (keys, shops, secrets): a copy on every node.
-- A table that is on every node cannot refer to one that is distributed.
ALTER TABLE api_keys DROP CONSTRAINT IF EXISTS api_keys_pharmacy_uid_fkey;
ALTER TABLE shops DROP CONSTRAINT IF EXISTS shops_default_pharmacy_uid_fkey;
SELECT create_reference_table('organisations');
SELECT create_reference_table('shops');
SELECT create_reference_table('booking_token_secrets');
SELECT create_reference_table('pharmacy_groups');
SELECT create_reference_table('products');
SELECT create_reference_table('skus');
SELECT create_reference_table('api_keys');

-- One organisation, one shard: every transaction of an organisation stays on one node.
SELECT create_distributed_table('admins', 'organisation_uid');
SELECT create_distributed_table('doctors', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('patients', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('consent_texts', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('consents', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('erasures', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('retained_records', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('images', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('public_bookings', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('appointment_types', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('reminders', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('availability_rules', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('availability_date_overrides', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('doctor_appointment_type_settings', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('booking_sessions', 'organisation_uid', colocate_with => 'admins');
-- Counts are kept by triggers that touch the rows of the same organisation alone.
SET citus.enable_unsafe_triggers = on;
SELECT create_distributed_table('appointments', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('appointment_counts', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('action_links', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('appointment_notes', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('messages', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('meeting_dismissals', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('published_reminders', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('reminder_watermarks', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('prescriptions', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('prescription_items', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('dispensings', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('prescription_log', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('files', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('checkouts', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('accepted_prescriptions', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('abandoned_checkouts', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('embedded_orders', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('reservations', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('storefront_orders', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('storefront_order_parts', 'organisation_uid', colocate_with => 'admins');
SELECT create_distributed_table('storefront_webhooks', 'organisation_uid', colocate_with => 'admins');

-- Events and repeated answers belong to an organisation or a pharmacy. Beside the organisations, so that they share a node
-- with the change.
SELECT create_distributed_table('data_keys', 'owner_uid', colocate_with => 'admins');
SELECT create_distributed_table('idempotency_keys', 'owner_uid', colocate_with => 'admins');
SELECT create_distributed_table('webhook_subscriptions', 'owner_uid', colocate_with => 'admins');
SELECT create_distributed_table('webhook_deliveries', 'owner_uid', colocate_with => 'admins');
SELECT create_distributed_table('events', 'owner_uid', colocate_with => 'admins');

-- One pharmacy, one shard; its counts likewise.
SELECT create_distributed_table('pharmacies', 'pharmacy_uid', colocate_with => 'admins');
SELECT create_distributed_table('pharmacy_skus', 'pharmacy_uid', colocate_with => 'admins');
SELECT create_reference_table('payments'); -- one payment, one organisation, whatever the shard
SELECT create_distributed_table('pharmacy_orders', 'pharmacy_uid', colocate_with => 'admins');
SELECT create_distributed_table('pharmacy_order_lines', 'pharmacy_uid', colocate_with => 'admins');
SELECT create_distributed_table('payouts', 'pharmacy_uid', colocate_with => 'admins');
SELECT create_distributed_table('payout_counts', 'pharmacy_uid', colocate_with => 'admins');

-- sprechstunde_migrations, provisioned_entries, audit_entries, audit_chain, audit_heads, audit_sealing, console_sessions, master_key_canary, sandbox_clock, rate_limit_buckets, replicas and the schema pgboss stay on the coordinator: small, or short-lived.
