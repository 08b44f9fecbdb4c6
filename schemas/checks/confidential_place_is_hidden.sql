-- table: core_directory__resources
-- severity: error
-- A confidential place is published without street, and with no finer point than its town's.
SELECT resource_id, name, data_source
FROM core_directory__resources
WHERE is_confidential
    AND (address IS NOT NULL OR coalesce(location_precision, '') NOT IN ('city', 'county'))
