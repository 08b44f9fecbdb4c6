-- table: core_directory__resources
-- severity: warn
-- A place that takes visitors without an appointment does not require one.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_active AND accepts_walkins AND requires_appointment
