-- table: core_directory__resources
-- severity: error
-- A listed place that is called verified has the day of its verification.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_active
    AND verification_status IN ('verified', 'partner_verified')
    AND last_verified_date IS NULL
