-- table: core_directory__resources
-- severity: error
-- A listed place has a leading record of a source.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_active AND resource_id NOT IN (
    SELECT resource_id FROM core_directory__record_sources WHERE is_primary
)
